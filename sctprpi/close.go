package sctprpi

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progress"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// farewell is how long Close waits for an association to end of which only the last packet
// is missing, SHUTDOWN COMPLETE. If that is lost the peer answers the next SHUTDOWN ACK,
// after RTO.Min, unless its process has ended by then, and nobody is there to answer.
const farewell = 2 * time.Second

// Close implements rpi.Transport: it sends what is queued, shuts every association
// down, and waits until all have ended, or have but the last packet to wait for. A peer
// that comes late meanwhile is told that this process has finalized.
func (t *Transport) Close(ctx context.Context) error {
	patience, cancel := context.WithCancel(ctx)
	defer cancel()
	defer progress.WakeAtEnd(patience, t.changed)()
	var timer *time.Timer
	defer t.driver.Serve()()
	t.mu.Lock()
	if t.state != running {
		t.mu.Unlock()
		return nil
	}
	t.state = closing
	t.changed.Broadcast()
	t.unlock()
	t.mu.Lock()
	for ctx.Err() == nil && t.state != closed {
		if done := t.idle(); len(done) > 0 {
			t.mu.Unlock()
			for _, id := range done {
				_ = t.socket.Shutdown(id) // fails if it has ended
			}
			t.mu.Lock()
			continue
		}
		if t.parted() || patience.Err() != nil && t.delivered() {
			break
		}
		if timer == nil && t.heard() {
			timer = time.AfterFunc(farewell, cancel)
			defer timer.Stop()
		}
		t.changed.Wait()
	}
	missed := t.unparted()
	t.mu.Unlock()
	t.Kill()
	if err := ctx.Err(); err != nil && len(missed) > 0 {
		return &rpi.PartingError{Peers: missed, Cause: err}
	}
	return nil
}

// unparted returns the peers whose associations have not ended. The lock is held.
func (t *Transport) unparted() (peers []matching.Rank) {
	for _, p := range t.peers {
		if p != nil && (p.phase == open || p.phase == connecting) {
			peers = append(peers, p.rank)
		}
	}
	return peers
}

// idle returns the associations to be shut down: those that have nothing to send any
// more. The lock is held.
func (t *Transport) idle() (done []socket.AssocID) {
	for _, p := range t.peers {
		if p != nil && p.phase == open && !p.leaving && !p.queued() {
			p.leaving = true
			done = append(done, p.assoc.id)
		}
	}
	return done
}

// parted reports whether all associations with peers have ended. The lock is held.
func (t *Transport) parted() bool {
	if len(t.unparted()) > 0 {
		return false
	}
	for _, a := range t.assocs {
		if a.stage == parting {
			return false
		}
	}
	return true
}

// heard reports whether all peers with associations have said that they are done, and
// nothing is queued for them. The lock is held.
func (t *Transport) heard() bool {
	for _, p := range t.peers {
		if p != nil && (p.phase == connecting || p.phase == open && (!p.assoc.finished || p.queued() || len(p.lent) > 0)) {
			return false
		}
	}
	return true
}

// delivered reports whether in addition they have acknowledged everything. The lock is held,
// but not all the time.
func (t *Transport) delivered() bool {
	if !t.heard() {
		return false
	}
	for _, a := range slices.Collect(maps.Values(t.assocs)) {
		t.mu.Unlock()
		status, err := t.socket.Status(a.id) // fails if it has ended
		t.mu.Lock()
		if err == nil && status.Queued+status.Outstanding > 0 {
			return false
		}
	}
	return true
}

// Kill implements rpi.Transport. Peers are told at once, where there is somebody to
// tell them; those of a process that has really died find out after a while.
func (t *Transport) Kill() {
	inside{t}.Release() // sends have completed of which the message waits
	t.mu.Lock()
	if t.state == closed {
		t.mu.Unlock()
		return
	}
	t.state = closed
	for _, a := range t.assocs {
		t.known(a)
	}
	t.changed.Broadcast()
	t.mu.Unlock()

	// Whoever takes events must have done before any request is completed of which
	// they may be filling the buffer, and the socket before any that it may be sending.
	t.cancel()
	if t.socket != nil {
		_ = t.socket.Close()
	}
	t.background.Wait()
	t.progress.Lock()
	defer t.progress.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.dropped = true
	for _, p := range t.peers {
		if p == nil {
			continue
		}
		p.phase = gone
		p.connected()
		t.drop(p)
	}
	t.layer.Close()
}
