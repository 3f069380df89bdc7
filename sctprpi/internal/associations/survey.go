package associations

import (
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Suspected implements rpi.Watchful.
func (m *Manager) Suspected() (suspected []matching.Rank) {
	m.survey(func(peer matching.Rank, s *socket.Status) {
		if s.Silence >= rpi.SuspectAfter(m.cfg.PeerTimeout) {
			suspected = append(suspected, peer)
		}
	})
	return suspected
}

// Paths implements rpi.Surveyed.
func (m *Manager) Paths() (paths []rpi.Path) {
	m.survey(func(peer matching.Rank, s *socket.Status) {
		paths = append(paths, rpi.Path{Peer: peer, RoundTrip: roundTrip(s.Paths), Resent: s.Retransmissions})
	})
	return paths
}

// survey shows the state of the associations that are open, the lowest peer first.
func (m *Manager) survey(show func(peer matching.Rank, s *socket.Status)) {
	type open struct {
		rank  matching.Rank
		assoc socket.AssocID
	}
	var all []open
	m.lock.Lock()
	for _, p := range m.peers {
		if p != nil && p.Open() {
			all = append(all, open{p.Rank, p.Assoc()})
		}
	}
	m.lock.Unlock()
	for _, p := range all {
		if s, err := m.socket.Status(p.assoc); err == nil {
			show(p.rank, &s)
		}
	}
}

// roundTrip is that of the primary path, or of the first one that is up if the primary is not.
func roundTrip(paths []socket.PathStatus) time.Duration {
	for _, primary := range []bool{true, false} {
		for _, p := range paths {
			if p.Up && p.Primary == primary {
				return p.SRTT
			}
		}
	}
	return 0
}
