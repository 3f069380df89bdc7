package simnet

import (
	"slices"
	"time"
)

// Conditions describe one direction of a link. The zero value is a perfect
// one: no delay, no loss, no limit.
type Conditions struct {
	// Delay is the time that a datagram takes, Jitter how much longer it may
	// take at random. Jitter alone does not reorder.
	Delay, Jitter time.Duration

	// Rate is the bandwidth in bits per second, 0 for no limit; Queue how many
	// bytes may wait for it before datagrams are dropped, 0 for no limit.
	// Every datagram counts with Overhead bytes of headers.
	Rate, Queue, Overhead int

	// Mark is how many bytes may wait for the rate before datagrams are marked, and dropped if they are not markable, as an active queue
	// management does; 0 for no such limit.
	Mark int
	// Bits is what becomes of the bits that say whether a datagram is markable, or marked.
	Bits Bits

	// MTU is the longest datagram that passes, in bytes, 0 for no limit. Longer ones are dropped
	// without an ICMP message, unless they may be fragmented.
	MTU int

	// Loss is the probability that a datagram is lost in the good state of a
	// two-state model (Gilbert–Elliott). LossBad is that of the bad state,
	// which a datagram enters with probability Worsen and leaves with Recover.
	Loss, LossBad, Worsen, Recover float64

	// Duplicate, Reorder and Corrupt are probabilities per datagram. A
	// reordered one takes up to ReorderBy longer, default once the delay plus
	// a millisecond; a corrupted one arrives with up to eight bits flipped.
	Duplicate, Reorder, Corrupt float64
	ReorderBy                   time.Duration

	// Down: nothing passes.
	Down bool
}

// Bits is how a link treats the two bits of explicit congestion notification.
type Bits uint8

const (
	// PassBits is as it should be.
	PassBits Bits = iota
	// ClearBits makes datagrams not markable.
	ClearBits
	// SetBits marks all datagrams, SetMarkable all that are markable.
	SetBits
	SetMarkable
	// DropMarkable loses datagrams that are markable.
	DropMarkable
)

// link is one direction of a link at work.
type link struct {
	conditions Conditions
	bad        bool          // in the bad state of the loss model
	free       time.Duration // when the last byte that waits for Rate has left
	latest     time.Duration // when the last datagram in order arrives
}

// carry puts a packet on its way, or loses it.
func (l *link) carry(n *Network, p packet) {
	c := &l.conditions
	if fate := l.fate(n, p); fate != "" {
		n.trace.add(n.now, fate, p)
		return
	}
	l.mark(n, &p)
	leaves := max(n.now, l.free)
	if c.Rate > 0 {
		leaves += time.Duration(float64((len(p.bytes)+c.Overhead)*8) / float64(c.Rate) * float64(time.Second))
		l.free = leaves
	}
	n.trace.add(n.now, "leaves", p)
	l.arrive(n, leaves, p)
	if n.chance(c.Duplicate) {
		p.bytes = slices.Clone(p.bytes)
		l.arrive(n, leaves, p)
	}
}

// fate says why a packet never arrives, "" if it does.
func (l *link) fate(n *Network, p packet) string {
	c := &l.conditions
	if l.bad {
		l.bad = !n.chance(c.Recover)
	} else {
		l.bad = n.chance(c.Worsen)
	}
	loss := c.Loss
	if l.bad {
		loss = c.LossBad
	}
	switch {
	case c.Down:
		return "down"
	case c.MTU > 0 && len(p.bytes) > c.MTU && !p.kind.Fragment:
		return "too long"
	case n.chance(loss), c.Bits == DropMarkable && p.kind.Markable:
		return "lost"
	case l.congested(n) && !(p.kind.Markable && c.Bits != ClearBits):
		return "dropped"
	case c.Rate > 0 && c.Queue > 0 && l.waiting(n.now)+len(p.bytes)+c.Overhead > c.Queue:
		return "queue full"
	}
	return ""
}

// congested reports whether so much waits that datagrams are to be marked.
func (l *link) congested(n *Network) bool {
	c := &l.conditions
	return c.Rate > 0 && c.Mark > 0 && l.waiting(n.now) > c.Mark
}

// mark marks a packet if it is to be marked.
func (l *link) mark(n *Network, p *packet) {
	switch markable := p.kind.Markable; l.conditions.Bits {
	case ClearBits:
		p.marked = false
	case SetBits:
		p.marked = true
	case SetMarkable:
		p.marked = markable
	default:
		p.marked = markable && l.congested(n)
	}
	if p.marked {
		n.trace.add(n.now, "marked", *p)
	}
}

// waiting is how many bytes wait for the link's rate.
func (l *link) waiting(now time.Duration) int {
	return int(max(0, l.free-now).Seconds() * float64(l.conditions.Rate) / 8)
}

// arrive schedules the arrival of a packet that leaves at a time.
func (l *link) arrive(n *Network, leaves time.Duration, p packet) {
	c := &l.conditions
	at := leaves + c.Delay + n.upTo(c.Jitter)
	if n.chance(c.Reorder) {
		by := c.ReorderBy
		if by == 0 {
			by = c.Delay + time.Millisecond
		}
		at += n.upTo(by)
	} else {
		at = max(at, l.latest)
		l.latest = at
	}
	if n.chance(c.Corrupt) && len(p.bytes) > 0 {
		p.bytes = slices.Clone(p.bytes)
		for range 1 + n.rng.IntN(8) {
			p.bytes[n.rng.IntN(len(p.bytes))] ^= 1 << n.rng.IntN(8)
		}
		n.trace.add(n.now, "corrupted", p)
	}
	n.push(event{at: at, packet: p})
}

// chance is true with a probability. It draws only if there is one, so that
// conditions which are switched off do not change the rest of a run.
func (n *Network) chance(p float64) bool { return p > 0 && n.rng.Float64() < p }

// upTo is a random time below d.
func (n *Network) upTo(d time.Duration) time.Duration {
	if d <= 0 {
		return 0
	}
	return time.Duration(n.rng.Int64N(int64(d)))
}
