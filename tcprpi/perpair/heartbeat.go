package perpair

import (
	"context"
	"net"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/heartbeat"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// heartbeat is called at each beat of the transport's clock. It gives up peers
// that have been silent for too long, and says to the others that this process
// lives, on the connection that there is: see package heartbeat for why that
// does no harm when the connection is full.
func (t *Transport) heartbeat() {
	for peer := range t.conns {
		t.mu.Lock()
		if c := t.conns[peer]; c != nil && c.phase == open {
			t.judge(c)
			t.speak(c)
		}
		t.unlock()
	}
}

// judge gives a peer up that is dead. The lock is held, but not while writing.
func (t *Transport) judge(c *conn) {
	if t.layer.Failed(c.peer) != nil {
		return // it has finalized
	}
	switch c.beat.Judge(c.unread) {
	case heartbeat.Doubtful:
		t.background.Go(func() { t.ask(c) })
	case heartbeat.Dead:
		t.giveUp(c)
	}
}

// ask asks a peer whether it lives.
func (t *Transport) ask(c *conn) {
	ctx, cancel := context.WithTimeout(t.ctx, t.clock.AskTime())
	defer cancel()
	err := handshake.Witness(ctx, t.cfg, handshake.PerPair, c.peer, &t.meter)
	t.mu.Lock()
	defer t.mu.Unlock()
	c.beat.Answered(err == nil)
}

// testify answers a peer that asks whether this process lives.
func (t *Transport) testify(nc *net.TCPConn, peer matching.Rank) {
	t.mu.Lock()
	alive := t.conn(peer).phase != gone
	t.mu.Unlock()
	handshake.Testify(nc, &t.meter, alive)
}

// unread reports whether something has come from the peer that is not taken yet.
// The lock is held.
func (c *conn) unread() bool {
	return c.reading || socket.Readable(c.fd)
}

// speak has the peer hear something, unless it has heard something since the
// last beat. What has begun to leave comes first: in rpi.Inline it leaves here if
// the program makes no call. The lock is held, but not while writing.
func (t *Transport) speak(c *conn) {
	switch {
	case !c.beat.Quiet() || c.shut || c.phase != open:
	case !c.send.Empty():
		t.writable(c)
	case t.state == running:
		t.layer.Alive(c.peer)
	}
}

// giveUp ends the connection with a peer that has been silent for too long. The
// lock is held, but not while writing.
func (t *Transport) giveUp(c *conn) {
	silent := rpi.Silent(t.cfg.PeerTimeout)
	t.layer.Fail(c.peer, silent) // first, as the peer may hang up at once
	t.layer.GaveUp(c.peer, t.cfg.PeerTimeout)
	t.flush(c) // if the connection still takes it
	t.fail(c, silent)
}
