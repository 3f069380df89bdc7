package progression

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Pending returns the open operations and messages.
func (l *Layer) Pending() rpi.Snapshot {
	s := l.Snapshot(func(r *rpi.Request) bool { return r.Op != rpi.OpSend || r.Transport.Matched })
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
	if l.carried != nil {
		l.carried(queued)
	}
	return s
}

// connected reports whether there is a connection with a peer, or has been, or never will be.
func (l *Layer) connected(peer matching.Rank) bool {
	return l.peers[peer].connected || l.Failed(peer) != nil
}
