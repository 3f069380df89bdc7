package associations

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// farewell is how long Close waits for the last packet of an association, SHUTDOWN COMPLETE. If
// that is lost the peer answers the next SHUTDOWN ACK, after RTO.Min. If its process has ended meanwhile
// its host may say so, which the engine takes for the last packet.
const farewell = 2 * time.Second

// Close implements rpi.Transport: it sends what is queued, shuts down all associations, and waits
// until all have ended, or until only the last packet is missing. A peer that connects meanwhile is
// told that this process has finalized.
func (m *Manager) Close(ctx context.Context) error {
	defer m.driver.Serve()()
	return m.life.Close(ctx, m.user.Closing, m.part, m.Kill)
}

// part shuts down the associations for which nothing is queued. It returns the peers whose associations have not ended, and whether that is all
// that Close waits for.
func (m *Manager) part() (missed []matching.Rank, done bool) {
	for idle := m.idle(); len(idle) > 0; idle = m.idle() {
		m.lock.Leave()
		for _, id := range idle {
			_ = m.socket.Shutdown(id) // fails if it has ended
		}
		m.lock.Enter()
	}
	done = m.parted() || m.impatient && m.delivered()
	if !done && m.farewell == nil && m.allLeaving() {
		m.farewell = time.AfterFunc(farewell, func() {
			m.lock.Lock()
			defer m.lock.Unlock()
			m.impatient = true
			m.life.Changed()
		})
	}
	return m.unparted(), done
}

// Flushed tells Close that the socket has all that was queued for a peer: see User.Busy.
func (m *Manager) Flushed() {
	if m.life.Closing {
		m.life.Changed()
	}
}

// unparted returns the peers whose associations have not ended.
func (m *Manager) unparted() (peers []matching.Rank) {
	for _, p := range m.peers {
		if p != nil && (p.phase != unused && p.phase != gone) {
			peers = append(peers, p.Rank)
		}
	}
	return peers
}

// idle returns the associations that can be shut down, because nothing is queued for them.
func (m *Manager) idle() (done []socket.AssocID) {
	for _, p := range m.peers {
		if p == nil || p.phase != open || p.leaving {
			continue
		}
		if queued, _ := m.user.Busy(p); !queued {
			p.leaving = true
			done = append(done, p.assoc.id)
		}
	}
	return done
}

// parted reports whether all associations with peers have ended.
func (m *Manager) parted() bool {
	if len(m.unparted()) > 0 {
		return false
	}
	for _, a := range m.assocs {
		if a.stage == parting {
			return false
		}
	}
	return true
}

// allLeaving reports whether all peers with associations shut them down too, and nothing is queued for
// them.
func (m *Manager) allLeaving() bool {
	for _, p := range m.peers {
		if p == nil || p.phase == unused || p.phase == gone {
			continue
		}
		if queued, lent := m.user.Busy(p); p.phase != open || !p.assoc.finished || queued || lent {
			return false
		}
	}
	return true
}

// delivered reports whether they have also acknowledged everything. It leaves the lock at times.
func (m *Manager) delivered() bool {
	if !m.allLeaving() {
		return false
	}
	for _, a := range slices.Collect(maps.Values(m.assocs)) {
		m.lock.Leave()
		status, err := m.socket.Status(a.id) // fails if it has ended
		m.lock.Enter()
		if err == nil && status.Queued+status.Outstanding > 0 {
			return false
		}
	}
	return true
}

// Kill implements rpi.Transport. Peers are told at once, if possible. The peers of a process that
// has really died notice it by the silence.
func (m *Manager) Kill() {
	m.user.Release() // buffered messages may be held back
	m.life.Kill(m.stop, m.drop)
}

// stop ends the event loop. The socket may be sending from a request's buffer, so it ends too.
func (m *Manager) stop() {
	m.driver.Close()
	_ = m.closeSocket()
	m.life.Join()
	m.user.Stop()
}

func (m *Manager) drop() {
	for _, a := range m.assocs {
		m.stopHandshakeTimer(a)
	}
	for _, p := range m.peers {
		if p == nil {
			continue
		}
		p.phase = gone
		p.connected()
	}
	if m.farewell != nil {
		m.farewell.Stop()
	}
	m.user.Killed()
}
