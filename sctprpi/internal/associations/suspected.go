package associations

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Suspected implements rpi.Watchful.
func (m *Manager) Suspected() (suspected []matching.Rank) {
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
		if s, err := m.socket.Status(p.assoc); err == nil && s.Silence >= rpi.SuspectAfter(m.cfg.PeerTimeout) {
			suspected = append(suspected, p.rank)
		}
	}
	return suspected
}
