package sctprpi

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// farewell is how long Close waits for the last packet of an association, SHUTDOWN COMPLETE. If
// that is lost the peer answers the next SHUTDOWN ACK, after RTO.Min, unless its process has ended
// meanwhile.
const farewell = 2 * time.Second

// Close implements rpi.Transport: it sends what is queued, shuts down all associations, and waits
// until all have ended, or until only the last packet is missing. A peer that connects meanwhile is
// told that this process has finalized.
func (t *Transport) Close(ctx context.Context) error {
	patience, cancel := context.WithCancel(ctx)
	defer cancel()
	defer driver.WakeAtEnd(patience, t.changed)()
	var timer *time.Timer
	defer t.driver.Serve()()
	t.mu.Lock()
	if t.state != running {
		t.mu.Unlock()
		return nil
	}
	t.state = closing
	t.changed.Broadcast()
	t.Finish()
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
		if timer == nil && t.allSaidBye() {
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

// idle returns the associations that can be shut down, because nothing is queued for them. The lock
// is held.
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

// allSaidBye reports whether all peers with associations have sent Bye, and nothing is queued for them.
// The lock is held.
func (t *Transport) allSaidBye() bool {
	for _, p := range t.peers {
		if p != nil && (p.phase == connecting || p.phase == open && (!p.assoc.finished || p.queued() || len(p.inSocket) > 0)) {
			return false
		}
	}
	return true
}

// delivered reports whether those peers have also acknowledged everything. The caller holds the
// lock. It is released at times.
func (t *Transport) delivered() bool {
	if !t.allSaidBye() {
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

// Kill implements rpi.Transport. Peers are told at once, if possible. The peers of a process that
// has really died notice it by the silence.
func (t *Transport) Kill() {
	inside{t}.Release() // buffered messages may be held back
	t.mu.Lock()
	if t.state == closed {
		t.mu.Unlock()
		return
	}
	t.state = closed
	for _, a := range t.assocs {
		t.stopHandshakeTimer(a)
	}
	t.changed.Broadcast()
	t.mu.Unlock()

	// A goroutine that handles events may be filling a request's buffer, and the socket may be
	// sending from it. Both must have ended before any request is completed.
	t.cancel()
	t.driver.Close()
	_ = t.closeSocket()
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
