package pertrc

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Pending implements rpi.Transport. Of the messages that lie in the kernel it knows those at
// the heads of their connections, whose envelopes it has read.
func (t *Transport) Pending() rpi.Snapshot {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.state == killed && t.final != nil {
		return *t.final
	}
	return t.snapshot()
}

// snapshot is Pending. The lock is held.
func (t *Transport) snapshot() rpi.Snapshot {
	s := rpi.Snapshot{Sent: t.told, Received: t.heardOf}
	t.match.Walk(func(rcv *matching.Receive) {
		s.Add(rcv.Owner.(*rpi.Request), t.unmatched(rcv.Source))
	}, func(m *matching.Message) {
		s.AddMessage(m)
		if sender := m.Owner.(*message).sender; sender != nil {
			s.Add(sender, rpi.Unmatched)
		}
	})
	t.lost.Among(&s.Unexpected, &s.MoreUnexpected)
	t.refused.Among(&s.Undeliverable, &s.MoreUndeliverable)
	for _, r := range t.probes {
		s.Add(r, t.unmatched(r.Peer))
	}
	for r := range t.requests.All() { // they wait for an answer
		s.Add(r, t.unmatched(r.Peer))
	}
	for i := range t.peers {
		t.peers[i].pending(&s)
	}
	s.Sort()
	return s
}

// pending adds the messages that are under way to a peer, and from it.
func (p *peer) pending(s *rpi.Snapshot) {
	for _, o := range p.out {
		stage := rpi.Connecting
		if o.phase == connected {
			stage = rpi.Moving
		}
		for f := o.head; f != nil; f = f.next {
			if f.r != nil && f.r.Transport.ID == 0 {
				s.Add(f.r, stage)
			}
		}
	}
	for _, first := range p.in {
		for c := first; c != nil; c = c.successor {
			if c.head != nil && c.head.receiver != nil {
				s.Add(c.head.receiver, rpi.Moving)
			}
		}
	}
}

// unmatched is the stage of an operation that needs its peer to do something.
func (t *Transport) unmatched(rank matching.Rank) rpi.Stage {
	if rank == matching.AnySource || rank == t.self {
		return rpi.Unmatched
	}
	if p := &t.peers[rank]; p.control == nil && p.failed == nil {
		return rpi.Connecting
	}
	return rpi.Unmatched
}
