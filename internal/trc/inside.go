package trc

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/internal/operations"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// inside is the layer as its table of operations sees it.
type inside Layer

func (l *inside) layer() *Layer { return (*Layer)(l) }

// Pair implements operations.Layer.
func (l *inside) Pair(r *rpi.Request, m *matching.Message) { l.layer().pair(r, m.Owner.(*message)) }

func (l *Layer) pair(r *rpi.Request, m *message) {
	if m.sync {
		l.Tell(&l.peers[m.Source], Note{Kind: Ack, ID: m.sendID})
	}
	switch {
	case m.lost:
		err := l.gone(r, m.Source)
		l.freeMessage(m)
		l.Finish(r, err)
	case m.channel == nil: // all of it is in the process
		l.deliver(r, m)
	default:
		l.uncork(m.channel)
		m.receiver = r
		if m.Body == nil {
			l.take(m.channel)
		}
	}
}

// Await implements operations.Layer: it makes ready for messages that a receive or probe waits for.
func (l *inside) Await(c matching.Context, source matching.Rank, tag matching.Tag) {
	l.layer().unstop(c, source, tag)
	l.layer().demand(c, source, tag)
	for in := range l.clearing.All() {
		l.layer().putAside(in)
	}
	if source == matching.AnySource || source == l.Self {
		return
	}
	l.carrier.Reach(source)
	if tag == matching.AnyTag {
		return
	}
	for in := range l.layer().channels(source, c, tag) {
		if in.head == nil && !in.tried {
			in.tried = true
			l.carrier.Read(in) // it may be there already
		}
	}
}

// Taken implements operations.Layer: until the message is received, its body is in the way of the messages behind it.
func (l *inside) Taken(m *matching.Message) {
	if c := m.Owner.(*message).channel; c != nil && !c.wanted {
		l.corked = append(l.corked, c)
	}
}

// uncork notes that the head of a channel is not in the way any more.
func (l *Layer) uncork(c *Incoming) {
	if i := slices.Index(l.corked, c); i >= 0 {
		l.corked = slices.Delete(l.corked, i, i+1)
	}
}

// unstop clears the way to messages that a receive or probe wants and that may be behind one that
// no receive takes now: one that a matched probe has taken, or, where messages with several tags are one TRC, any.
func (l *Layer) unstop(c matching.Context, source matching.Rank, tag matching.Tag) {
	for i := len(l.corked) - 1; i >= 0; i-- {
		in := l.corked[i]
		if (source == matching.AnySource || in.Peer.Rank == source) && in.Key.covers(c, tag) {
			l.stash(in)
		}
	}
	if shared(c) && source != matching.AnySource && tag != matching.AnyTag {
		for _, in := range l.peers[source].slots[c] {
			if in != nil {
				l.stash(in)
			}
		}
	}
}

// stash takes the head of a channel out of it, if it is not being read and the process may hold it.
func (l *Layer) stash(c *Incoming) {
	m := c.head
	if m == nil || c.wanted || c.postponed || !l.Holds(m.Length) {
		return
	}
	l.uncork(c)
	m.Body = l.Hold(int(m.Length))
	c.wanted, c.place, c.drop = true, m.Body, 0
	if m.Length == 0 {
		l.landed(c)
	}
	l.carrier.Read(c)
}

// Undecided implements operations.Layer: there is a channel from the peer that may still bring such a message, if the
// next envelope has not been read, though its end has not either. (A message whose envelope was read has matched by
// now if it can: what it waits for is on a channel like that, or lost.)
func (l *inside) Undecided(peer matching.Rank, c matching.Context, tag matching.Tag) bool {
	if l.peers[peer].unnamed > 0 {
		return true
	}
	for in := range l.layer().channels(peer, c, tag) {
		if in.undecided() {
			return true
		}
	}
	return false
}

func (c *Incoming) undecided() bool { return c.Hungry() || c.Successor != nil }

// Connected implements operations.Layer.
func (l *inside) Connected(peer matching.Rank) bool {
	return l.carrier.Connected(peer) || l.Failed(peer) != nil
}

// gone is the error of a receive whose message will never be whole.
func (l *Layer) gone(r *rpi.Request, source matching.Rank) error {
	if err := l.Failed(source); err != nil {
		return err
	}
	return operations.ErrClosed(r)
}

// Fail notes that a peer is gone: finalized, or dead. Sends end that wait for its answer. The carrier drops those
// that have not left, and calls EndUnreachable when it has taken in what the peer sent before. A peer that counted as finalized
// may turn out to be dead. Fail reports whether it says anything new.
func (l *Layer) Fail(p *Peer, cause error, dead bool) bool {
	first := l.table.Fail(p.Rank, cause)
	if !first && (p.Dead || !dead) {
		return false
	}
	p.Dead = dead
	l.Ample(p)
	if !first {
		return true
	}
	for r := range l.Requests.All() {
		if r.Peer == p.Rank && r.Transport.Pending == nil {
			l.Finish(r, l.Failed(p.Rank))
		}
	}
	l.resumeAll(p)
	return true
}

// Close ends all operations, and with drop the channels. Pending goes on to say what there was before.
func (l *Layer) Close(drop func()) {
	l.Closed = true
	s := l.Pending()
	s.Sort()
	l.final = &s
	drop()
	l.table.Close()
}

// Pending returns the open operations, and those of the messages that no receive has taken that are at the heads of
// their channels.
func (l *Layer) Pending() rpi.Snapshot {
	if l.final != nil {
		s := *l.final
		s.Waits, s.Open = slices.Clone(s.Waits), slices.Clone(s.Open)
		s.Unexpected, s.Undeliverable = slices.Clone(s.Unexpected), slices.Clone(s.Undeliverable)
		return s
	}
	s := l.Snapshot(func(*rpi.Request) bool { return false })
	for i := range l.peers {
		l.peers[i].pending(&s, l.carrier)
	}
	return s
}

// pending adds the messages that are under way to a peer, and from it.
func (p *Peer) pending(s *rpi.Snapshot, carrier Carrier) {
	for _, o := range p.Out {
		stage := rpi.Connecting
		if carrier.Moving(o) {
			stage = rpi.Moving
		}
		for f := o.head; f != nil; f = f.Next {
			if f.request != nil && f.request.Transport.ID == 0 {
				s.Add(f.request, stage)
			}
		}
	}
	p.pendingPostponed(s)
	for _, first := range p.In {
		for c := first; c != nil; c = c.Successor {
			if c.head != nil && c.head.receiver != nil {
				s.Add(c.head.receiver, rpi.Moving)
			}
		}
	}
}
