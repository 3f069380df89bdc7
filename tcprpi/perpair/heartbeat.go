package perpair

import (
	"errors"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/heartbeat"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// watched is the transport as its heartbeat.Watch sees it. A heartbeat goes on the connection with the peer: package heartbeat explains why that
// does no harm when it is full.
type watched struct{ *Transport }

// Beat implements heartbeat.Transport.
func (t watched) Beat(peer matching.Rank) *heartbeat.Peer {
	if c := t.conns[peer]; c != nil && c.phase == open {
		return &c.beat
	}
	return nil
}

// Unread implements heartbeat.Transport.
func (t watched) Unread(peer matching.Rank) bool { return t.conns[peer].unread() }

func (c *conn) unread() bool { return c.reading || socket.Readable(c.fd) }

// Speak implements heartbeat.Transport. A frame that has been sent in part goes first: in rpi.Inline it is sent here if the program makes no
// call.
func (t watched) Speak(peer matching.Rank) {
	switch c := t.conns[peer]; {
	case !c.beat.Quiet() || c.shut:
	case !c.send.Empty():
		t.writable(c)
	case t.life.Running():
		t.Layer.Alive(peer)
	}
}

// Failed implements heartbeat.Transport.
func (t watched) Failed(peer matching.Rank) error { return t.Layer.Failed(peer) }

// Dead implements heartbeat.Transport, however the peer is reached.
func (t watched) Dead(peer matching.Rank) bool {
	err := t.Layer.Failed(peer)
	return err != nil && !errors.Is(err, rpi.ErrFinalized)
}

// Fail implements heartbeat.Transport.
func (t watched) Fail(peer matching.Rank, cause error) { t.fail(t.conn(peer), cause) }

// TakeForDead implements heartbeat.Transport. A peer that could not be told asks: see lost.
func (t watched) TakeForDead(peer matching.Rank, cause error, silence time.Duration) {
	t.update(func() {
		if c := t.conn(peer); c.phase == open && !t.life.Over {
			t.Layer.Fail(peer, cause) // first, as the peer may close the connection at once
			t.Layer.GaveUp(peer, silence)
		}
	})
	t.update(func() {
		if !t.life.Over {
			t.fail(t.conn(peer), cause)
		}
	})
}

// Suspected implements rpi.Watchful.
func (t *Transport) Suspected() []matching.Rank { return t.watch.Suspected() }

// inquire fails a peer with which the connection has ended because of cause, after this process did not run for long. If the peer lives it
// has given this process up, and may not have been able to say so: it is asked.
func (t *Transport) inquire(c *conn, cause error) {
	t.watch.Ask(c.peer)
	t.update(func() { t.fail(c, cause) })
}
