package associations

import (
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// lookups are those of peers with which this process has had nothing to do. In a flood the socket refuses packets of unknown
// sources, and its guard those of unknown IDs, those of such peers among them; and the guard cannot say where such a peer is whose
// datagrams come from several addresses. So they get to know what these have published.
type lookups struct {
	// underWay: a goroutine looks peers up, or pauses, or there is none left. What follows is that goroutine's.
	underWay atomic.Bool
	left     []matching.Rank
	pause    time.Duration // the last one
}

// lookUpInFloods has peers looked up when the socket refuses packets, or its guard asks for it, if one ever does.
func (m *Manager) lookUpInFloods() {
	gate, ok := m.socket.(socket.Gatekeeper)
	switch {
	case m.sealing.guard != nil:
		m.sealing.guard.OnRefusal(m.refusing)
	case ok:
		gate.OnRefusal(m.refusing)
	default:
		return
	}
	for rank := range m.cfg.Size {
		if rank != m.cfg.Rank {
			m.lookups.left = append(m.lookups.left, matching.Rank(rank))
		}
	}
}

// refusing is called while the socket refuses packets, or its guard: see socket.Gatekeeper.
func (m *Manager) refusing() {
	if m.lookups.underWay.CompareAndSwap(false, true) {
		m.life.Go(m.lookUpPeers)
	}
}

// lookUpPeers looks up the peers that are left, one question to the launcher at a time. A peer that cannot be looked up, because
// it has not published its address yet, goes behind the others. Then, after a pause, the next refusal calls lookUpPeers again.
func (m *Manager) lookUpPeers() {
	l := &m.lookups
	for len(l.left) > 0 && m.life.Context.Err() == nil {
		rank := l.left[0]
		l.left = l.left[1:]
		if m.isKnown(rank) || m.lookUp(rank) == nil {
			l.pause = 0
			continue
		}
		l.left = append(l.left, rank)
		l.pause = min(max(2*l.pause, firstPause), longestPause)
		select {
		case <-time.After(l.pause):
			l.underWay.Store(false)
		case <-m.life.Context.Done():
		}
		return
	}
}

// lookUp has the socket expect a peer, or its guard know it.
func (m *Manager) lookUp(rank matching.Rank) error {
	found, err := m.find(rank)
	if err == nil && m.sealing.guard == nil {
		m.socket.(socket.Gatekeeper).Expect(found.addrs...)
	}
	return err
}

// isKnown reports whether the socket knows the addresses of a peer, or need not know them.
func (m *Manager) isKnown(rank matching.Rank) bool {
	m.lock.Lock()
	defer m.lock.Unlock()
	p := m.peers[rank]
	return p != nil && (p.assoc != nil || p.phase == gone) || m.isElsewhere(rank)
}
