package perpair

import (
	"context"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// Close implements links.Network: it sends what is queued and a Bye to every peer that there is a connection with, and waits for theirs. Then
// nothing is left of the transport.
func (t network) Close(ctx context.Context) error {
	defer t.driver.Serve()()
	return t.life.Close(ctx, t.sayBye, t.unparted, t.Kill)
}

func (t *Transport) sayBye() {
	for _, c := range t.conns {
		if c != nil && (c.phase == open || c.phase == connecting) {
			t.Layer.Bye(c.peer)
		}
	}
}

// unparted closes our side of every connection whose queue is empty, and
// returns the peers whose connections are not closed on both sides.
func (t *Transport) unparted() (peers []matching.Rank, done bool) {
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
	return peers, len(peers) == 0
}

// Kill implements rpi.Transport.
func (t *Transport) Kill() {
	t.Flush() // buffered messages may be held back
	t.life.Kill(t.stop, func() {
		for _, c := range t.conns {
			if c != nil {
				c.phase = gone
				t.drop(c)
				t.retire(c)
			}
		}
		t.Layer.Close()
	})
}

// stop ends the event loop, and then the use of shared memory.
func (t *Transport) stop() {
	t.driver.Close()
	socket.Release(t.listener, t.watcher)
	t.life.Join()
	t.Stop()
}
