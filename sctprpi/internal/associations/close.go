package associations

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
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
	patience, cancel := context.WithCancel(ctx)
	defer cancel()
	defer monitor.WakeAtEnd(patience, m.changed)()
	var timer *time.Timer
	defer m.driver.Serve()()
	m.lock.Lock()
	if m.state != running {
		m.lock.Unlock()
		return nil
	}
	m.state = closing
	m.changed.Broadcast()
	m.user.Closing()
	for ctx.Err() == nil && m.state != closed {
		if done := m.idle(); len(done) > 0 {
			m.lock.Leave()
			for _, id := range done {
				_ = m.socket.Shutdown(id) // fails if it has ended
			}
			m.lock.Enter()
			continue
		}
		if m.parted() || patience.Err() != nil && m.delivered() {
			break
		}
		if timer == nil && m.allLeaving() {
			timer = time.AfterFunc(farewell, cancel)
			defer timer.Stop()
		}
		m.changed.Wait()
	}
	missed := m.unparted()
	m.lock.Unlock()
	m.Kill()
	if err := ctx.Err(); err != nil && len(missed) > 0 {
		return &rpi.PartingError{Peers: missed, Cause: err}
	}
	return nil
}

// Flushed tells Close that the socket has all that was queued for a peer: see User.Busy. The lock is
// held.
func (m *Manager) Flushed() {
	if m.state == closing {
		m.changed.Broadcast()
	}
}

// unparted returns the peers whose associations have not ended. The lock is held.
func (m *Manager) unparted() (peers []matching.Rank) {
	for _, p := range m.peers {
		if p != nil && (p.phase != unused && p.phase != gone) {
			peers = append(peers, p.Rank)
		}
	}
	return peers
}

// idle returns the associations that can be shut down, because nothing is queued for them. The lock
// is held.
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

// parted reports whether all associations with peers have ended. The lock is held.
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
// them. The lock is held.
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

// delivered reports whether they have also acknowledged everything. The caller holds the
// lock. It is released at times.
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
	m.lock.Lock()
	if m.state == closed {
		m.lock.Unlock()
		return
	}
	m.state = closed
	for _, a := range m.assocs {
		m.stopHandshakeTimer(a)
	}
	m.changed.Broadcast()
	m.lock.Leave()

	// A goroutine that handles events may be filling a request's buffer, and the socket may be
	// sending from it. Both must have ended before any request is completed.
	m.cancel()
	m.driver.Close()
	_ = m.closeSocket()
	m.background.Wait()
	m.user.Stop()
	m.progress.Lock()
	defer m.progress.Unlock()
	m.lock.Lock()
	defer m.lock.Leave()
	for _, p := range m.peers {
		if p == nil {
			continue
		}
		p.phase = gone
		p.connected()
	}
	m.user.Killed()
}
