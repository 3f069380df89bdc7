package perpair

import (
	"context"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// Close implements links.Network: it sends what is queued and a Bye to every peer that there is a connection with, and waits for theirs. Then
// nothing is left of the transport.
func (t network) Close(ctx context.Context) error {
	defer monitor.WakeAtEnd(ctx, t.changed)()
	defer t.driver.Serve()()
	t.Lock.Lock()
	if t.state != running {
		t.Lock.Unlock()
		return nil
	}
	t.state = closing
	for _, c := range t.conns {
		if c != nil && (c.phase == open || c.phase == connecting) {
			t.Layer.Bye(c.peer)
		}
	}
	var missed []matching.Rank
	for missed = t.unparted(); len(missed) > 0 && ctx.Err() == nil; missed = t.unparted() {
		t.changed.Wait()
	}
	t.Lock.Unlock()
	t.Kill()
	if len(missed) > 0 {
		return &rpi.PartingError{Peers: missed, Cause: ctx.Err()}
	}
	return nil
}

// unparted closes our side of every connection whose queue is empty, and
// returns the peers whose connections are not closed on both sides. The lock is held.
func (t *Transport) unparted() (peers []matching.Rank) {
	for _, c := range t.conns {
		switch {
		case c == nil || c.phase == idle || c.phase == gone:
			continue
		case c.phase == open && !c.shut && c.send.Empty() && !c.send.Sending():
			c.shut = true
			socket.Shutdown(c.fd)
		}
		if !c.shut || !c.ended {
			peers = append(peers, c.peer)
		}
	}
	return peers
}

// Kill implements rpi.Transport.
func (t *Transport) Kill() {
	inside{t}.Release() // buffered messages may be held back
	t.Lock.Lock()
	if t.state == closed {
		t.Lock.Unlock()
		return
	}
	t.state = closed
	t.changed.Broadcast()
	t.Lock.Leave()

	// A goroutine that reads may be filling a request's buffer. It must have ended before any
	// request is completed.
	t.cancel()
	t.driver.Close()
	socket.Release(t.listener, t.watcher)
	t.background.Wait()
	t.Stop()
	t.progress.Lock()
	defer t.progress.Unlock()
	t.Lock.Lock()
	defer t.Lock.Leave()
	for _, c := range t.conns {
		if c != nil {
			c.phase = gone
			t.drop(c)
			t.retire(c)
		}
	}
	t.Layer.Close()
}
