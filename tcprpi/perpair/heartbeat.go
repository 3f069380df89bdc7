package perpair

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/heartbeat"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// heartbeat is called at each tick of the transport's clock. It gives up peers that have been
// silent for too long. To the others it sends a heartbeat, on the connection with them: package
// heartbeat explains why that does no harm when the connection is full.
func (t *Transport) heartbeat() {
	for peer := range t.conns {
		dead := false
		t.update(func() {
			if c := t.conns[peer]; c != nil && c.phase == open {
				if dead = t.check(c); !dead {
					t.speak(c)
				}
			}
		})
		if dead {
			t.takeForDead(matching.Rank(peer), rpi.Silent(t.cfg.PeerTimeout), t.cfg.PeerTimeout)
		}
	}
}

// takeForDead fails a peer, and tells it so, if the connection can take that at once. If not, the peer asks: see lost. silence is how long
// nothing was heard from it, 0 if that is not the reason.
func (t *Transport) takeForDead(peer matching.Rank, cause error, silence time.Duration) {
	t.update(func() {
		if c := t.conn(peer); c.phase == open && !t.life.Over() {
			t.Layer.Fail(peer, cause) // first, as the peer may close the connection at once
			t.Layer.GaveUp(peer, silence)
		}
	})
	t.update(func() {
		if !t.life.Over() {
			t.fail(t.conn(peer), cause)
		}
	})
}

// takenForDead reports whether a peer counts as dead, however it is reached. The lock is held.
func (t *Transport) takenForDead(peer matching.Rank) bool {
	err := t.Layer.Failed(peer)
	return err != nil && !errors.Is(err, rpi.ErrFinalized)
}

// check reports whether a peer is dead. The lock is held.
func (t *Transport) check(c *conn) (dead bool) {
	if t.Layer.Failed(c.peer) != nil {
		return false // it has finalized
	}
	switch c.beat.Check(c.unread) {
	case heartbeat.Doubtful:
		t.life.Go(func() { t.ask(c) })
	case heartbeat.Dead:
		return true
	}
	return false
}

// Suspected implements rpi.Watchful.
func (t *Transport) Suspected() (suspected []matching.Rank) {
	t.Lock.Lock()
	defer t.Lock.Unlock()
	for _, c := range t.conns {
		if c != nil && c.phase == open && t.Layer.Failed(c.peer) == nil && c.beat.Suspected(c.unread) {
			suspected = append(suspected, c.peer)
		}
	}
	return suspected
}

// ask asks a peer whether it lives.
func (t *Transport) ask(c *conn) {
	ctx, cancel := context.WithTimeout(t.life.Context, t.clock.AskTime())
	defer cancel()
	err := t.self.Witness(ctx, c.peer, &t.meter)
	t.update(func() {
		c.beat.Answered(err == nil)
		if errors.Is(err, rpi.ErrGivenUp) {
			t.fail(c, err)
		}
	})
}

// inquire fails a peer with which the connection has ended because of cause, after this process did not run for long. If the peer lives it
// has given this process up, and may not have been able to say so: it is asked.
func (t *Transport) inquire(c *conn, cause error) {
	t.ask(c)
	t.update(func() { t.fail(c, cause) })
}

// testify answers a peer that asks whether this process lives.
func (t *Transport) testify(nc *net.TCPConn, visit *handshake.Visit) {
	t.Lock.Lock()
	dead := t.takenForDead(visit.From)
	t.Lock.Unlock()
	visit.Testify(nc, &t.meter, dead)
}

// unread reports whether something has come from the peer that has not been read. The lock is held.
func (c *conn) unread() bool {
	return c.reading || socket.Readable(c.fd)
}

// speak sends a heartbeat, unless something has been sent since the last tick. A frame that has
// been sent in part goes first: in rpi.Inline it is sent here if the program makes no call. The
// lock is held.
func (t *Transport) speak(c *conn) {
	switch {
	case !c.beat.Quiet() || c.shut || c.phase != open:
	case !c.send.Empty():
		t.writable(c)
	case t.life.Running():
		t.Layer.Alive(c.peer)
	}
}
