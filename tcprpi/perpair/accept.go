package perpair

import (
	"fmt"
	"net"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// server takes the connections that peers make.
func (t *Transport) server() *handshake.Server {
	return &handshake.Server{
		Self: t.self, Gate: handshake.NewGate(socket.Limit()), Listener: t.listener, Meter: &t.meter, Life: t.life,
		Refused: func(error) {}, Answer: t.answer,
	}
}

// answer is the acceptor's side of making a connection. If both sides make one at the same time, the one of the lower rank stays.
func (t *Transport) answer(nc *net.TCPConn, visit *handshake.Visit, pending *handshake.Pending) {
	if visit.Purpose == handshake.ForWitness {
		t.watch.Testify(nc, visit)
		return
	}
	c, v := t.decide(visit.Hello)
	if v != handshake.Accepted {
		_ = visit.Answer(nc, v)
		pending.Leave()
		if v == handshake.Yours {
			t.awaitOurs(c)
		}
		nc.Close()
		return
	}
	// The connection is put into use when the peer knows of the result, so that nothing can precede that.
	if err := visit.Accept(t.life.Context, nc, t.cfg.ConnectTimeout); err != nil {
		nc.Close()
		t.update(func() {
			c.welcomed = false
			t.abandon(c)
			t.life.Changed()
		})
		return
	}
	fd, err := socket.Detach(nc)
	t.update(func() {
		c.welcomed = false
		if err == nil {
			err = t.adopt(c, fd, visit.Cipher)
		}
		if err != nil {
			t.fail(c, fmt.Errorf("its connection to rank %d cannot be used: %w", t.cfg.Rank, err))
		}
		t.life.Changed()
	})
}

// awaitOurs waits until the connection that this process makes has been made or has failed. The peer keeps its own up meanwhile.
func (t *Transport) awaitOurs(c *conn) {
	t.update(func() {
		for c.phase == connecting && !t.life.Over {
			t.life.Wait()
		}
	})
}

// decide returns what becomes of a peer's connection.
func (t *Transport) decide(h handshake.Hello) (*conn, handshake.Result) {
	t.Lock.Lock()
	defer t.Lock.Unlock()
	c := t.conn(h.From)
	switch {
	case !h.Fits(progression.Share(t.cfg)):
		return c, handshake.Mismatch
	case t.life.Over || t.life.Closing && c.phase == idle:
		return c, handshake.ClosedDown
	case watched{t}.Dead(h.From):
		return c, handshake.GivenUp
	case c.phase == open || c.phase == connecting && t.cfg.Rank < int(h.From):
		return c, handshake.Yours
	}
	c.phase = connecting // no other goroutine has to dial
	c.welcomed = true
	return c, handshake.Accepted
}
