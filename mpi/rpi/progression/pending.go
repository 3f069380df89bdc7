package progression

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Pending says what the layer has to do.
func (l *Layer) Pending() rpi.Snapshot {
	s := rpi.Snapshot{Sent: l.sent, Received: l.received}
	l.match.Walk(func(rcv *matching.Receive) {
		s.Add(rcv.Owner.(*rpi.Request), l.unmatched(rcv.Source))
	}, func(m *matching.Message) {
		s.AddMessage(m)
		if sender := m.Owner.(*message).sender; sender != nil {
			s.Add(sender, rpi.Unmatched)
		}
	})
	l.refused.Among(&s.Refused, &s.MoreRefused)
	for _, r := range l.probes {
		s.Add(r, l.unmatched(r.Peer))
	}
	for r := range l.requests.All() {
		if r.Op == rpi.OpSend && !r.Transport.Matched {
			s.Add(r, l.unmatched(r.Peer))
		} else {
			s.Add(r, rpi.Moving)
		}
	}
	l.link.Queued(func(f *Frame) {
		switch r := f.Request; {
		case r == nil || r.Transport.ID != 0:
		case l.link.Connected(f.Peer):
			s.Add(r, rpi.Moving)
		default:
			s.Add(r, rpi.Connecting)
		}
	})
	return s
}

// unmatched is the stage of an operation that needs its peer to do something.
func (l *Layer) unmatched(peer matching.Rank) rpi.Stage {
	if peer == matching.AnySource || peer == l.self || l.link.Connected(peer) {
		return rpi.Unmatched
	}
	return rpi.Connecting
}
