package progression

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Pending returns the open operations and messages. carried shows the frames that the transport has
// taken.
func (l *Layer) Pending(carried func(show func(*Frame))) rpi.Snapshot {
	s := rpi.Snapshot{Sent: l.sent, Received: l.received}
	l.match.Walk(func(rcv *matching.Receive) {
		s.Add(rcv.Owner.(*rpi.Request), l.unmatched(rcv.Source))
	}, func(m *matching.Message) {
		s.AddMessage(m)
		if sender := m.Owner.(*message).sender; sender != nil {
			s.Add(sender, rpi.Unmatched)
		}
	})
	l.undeliverable.Among(&s.Undeliverable, &s.MoreUndeliverable)
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
	queued := func(f *Frame) {
		switch r := f.Request; {
		case r == nil || r.Transport.ID != 0:
		case l.connected(f.Peer):
			s.Add(r, rpi.Moving)
		default:
			s.Add(r, rpi.Connecting)
		}
	}
	for i := range l.peers {
		for f := l.peers[i].queue.Head(); f != nil; f = f.Next {
			queued(f)
		}
	}
	carried(queued)
	return s
}

// unmatched is the stage of an operation that waits for its peer.
func (l *Layer) unmatched(peer matching.Rank) rpi.Stage {
	if peer == matching.AnySource || peer == l.self || l.connected(peer) {
		return rpi.Unmatched
	}
	return rpi.Connecting
}

// connected reports whether there is a connection with a peer, or has been, or never will be.
func (l *Layer) connected(peer matching.Rank) bool {
	return l.peers[peer].connected || l.peers[peer].failed != nil
}
