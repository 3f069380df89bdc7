package trc

import (
	"errors"
	"slices"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// MaxGaps bounds the gaps in the sequence numbers of a peer's messages in one context: to exceed it, more messages than
// that must have been received while others that were sent before them have not even begun to be read. At the bound the
// gaps take 32 MiB. A message beyond it is postponed.
const MaxGaps = 1 << 20

// arrive hands in the message at the head of a channel, or postpones it: then it stays there, unmatched, until the gaps
// before it have become fewer.
func (l *Layer) arrive(c *Incoming) error {
	m := c.head
	if c.Peer.isBehind(m.Context, m.Seq) {
		l.discard(m)
		return nil
	}
	err := l.table.Arrive(&m.Message)
	switch {
	case errors.Is(err, matching.ErrGaps) && l.closing:
		l.Lost.Add(&m.Message)
		l.discard(m)
		return nil
	case errors.Is(err, matching.ErrGaps):
		l.postpone(c)
		return nil
	case err != nil:
		c.head = nil
		l.freeMessage(m)
		return Violation("%v", err)
	}
	if c.head == m && !c.wanted && shared(c.Key.Context) && l.Match.Posted(c.Key.Context, c.Peer.Rank) > 0 {
		l.stash(c)
	}
	if l.closing && c.head == m {
		l.dropHead(c)
	}
	if c.clearing.Listed() && c.head == m {
		l.Clear(c)
	}
	return nil
}

func (l *Layer) postpone(c *Incoming) {
	p := c.Peer
	if p.postponed == nil {
		p.postponed = make(map[matching.Context][]*Incoming)
	}
	context := c.Key.Context &^ apart
	all := p.postponed[context]
	at, _ := slices.BinarySearchFunc(all, c.head.Seq, func(c *Incoming, s matching.Seq) int {
		if c.head.Seq < s {
			return -1
		}
		return 1
	})
	c.postponed = true
	p.postponed[context] = slices.Insert(all, at, c)
}

// recall takes a channel out of those that are postponed, and reports whether it was.
func (l *Layer) recall(c *Incoming) bool {
	if !c.postponed {
		return false
	}
	c.postponed = false
	context := c.Key.Context &^ apart
	all := c.Peer.postponed[context]
	i := slices.Index(all, c)
	if all = slices.Delete(all, i, i+1); len(all) == 0 {
		delete(c.Peer.postponed, context)
	} else {
		c.Peer.postponed[context] = all
	}
	return true
}

// resume hands in what was postponed of a context, as far as there is room now: the message that was sent first is the
// one that the others wait for, if it is due.
func (l *Layer) resume(p *Peer, context matching.Context) error {
	for len(p.postponed[context]) > 0 {
		c := p.postponed[context][0]
		l.recall(c)
		if err := l.arrive(c); err != nil || c.postponed {
			return err
		}
	}
	return nil
}

// AllowOvertaking implements rpi.Transport: where messages may overtake there are no gaps, and so none is postponed.
func (l *Layer) AllowOvertaking(c matching.Context, allowed bool) {
	l.table.AllowOvertaking(c, allowed)
	for i := range l.peers {
		p := &l.peers[i]
		for len(p.postponed[c]) > 0 && l.resume(p, c) != nil {
			continue // the message broke the protocol, and is dropped
		}
	}
}

// resumeAll hands in all that was postponed of a peer that is gone.
func (l *Layer) resumeAll(p *Peer) {
	l.Match.Unbind(p.Rank)
	for context := range p.postponed {
		for len(p.postponed[context]) > 0 && l.resume(p, context) != nil {
			continue // that message is dropped
		}
	}
}

// forgetPostponed drops what was postponed of a context that is released.
func (l *Layer) forgetPostponed(context matching.Context) {
	for i := range l.peers {
		for _, c := range slices.Clone(l.peers[i].postponed[context]) {
			l.recall(c)
			l.discard(c.head)
		}
	}
}

// void notes that a sequence number of a peer will never carry a message.
func (l *Layer) void(p *Peer, n *Note) error {
	if err := l.Match.Skip(n.Context, p.Rank, n.Seq); err != nil {
		return Violation("%v", err)
	}
	l.PairMatches()
	l.came(p, n.Context, n.Tag)
	return l.resume(p, n.Context)
}

// pendingPostponed adds what was postponed to the messages that no receive has taken.
func (p *Peer) pendingPostponed(s *rpi.Snapshot) {
	for _, all := range p.postponed {
		for _, c := range all {
			s.AddMessage(&c.head.Message)
		}
	}
}
