package perpair

import (
	"fmt"
	"net"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// accept handles the connections that peers make.
func (t *Transport) accept(gate *handshake.Gate) {
	for {
		nc, err := t.listener.AcceptTCP()
		t.meter.Accepts.Add(1)
		if err != nil {
			if t.life.Context.Err() != nil {
				return
			}
			gate.Evict() // descriptors may be missing
			socket.Rest(t.life.Context)
			continue
		}
		pending := gate.Enter(t.life.Context, nc)
		if pending == nil {
			return
		}
		t.life.Go(func() {
			concurrent := t.answer(nc, pending)
			pending.Leave()
			if concurrent != nil {
				t.yield(concurrent, nc)
			}
		})
	}
}

// answer is the acceptor's side of making a connection. If both sides make one at the same time,
// the one of the lower rank stays. Then answer returns that one, and nc has to be given to yield.
func (t *Transport) answer(nc *net.TCPConn, pending *handshake.Pending) (concurrent *conn) {
	defer socket.InterruptAtEnd(t.life.Context, nc)()
	visit, err := t.self.Receive(t.life.Context, socket.Metered{TCPConn: nc, Meter: &t.meter})
	if err != nil || !pending.Admit() {
		t.meter.Strangers.Add(1)
		nc.Close() // no answer, since the peer has proven nothing
		return nil
	}
	if visit.Purpose == handshake.ForWitness {
		t.watch.Testify(nc, visit)
		return nil
	}
	c, v := t.decide(visit.Hello)
	if v != handshake.Accepted {
		_ = visit.Answer(nc, v)
		if v == handshake.Yours {
			return c
		}
		nc.Close()
		return nil
	}
	// The connection is put into use when the peer knows of the result, so that nothing can precede that.
	if err = visit.Accept(t.life.Context, nc, t.cfg.ConnectTimeout); err != nil {
		nc.Close()
		t.update(func() {
			c.welcomed = false
			t.abandon(c)
			t.life.Changed()
		})
		return nil
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
	return nil
}

// yield closes a peer's connection when the one that this process makes has been made or has
// failed.
func (t *Transport) yield(c *conn, nc net.Conn) {
	t.Lock.Lock()
	for c.phase == connecting && !t.life.Over() {
		t.life.Wait()
	}
	t.Lock.Unlock()
	nc.Close()
}

// decide returns what becomes of a peer's connection.
func (t *Transport) decide(h handshake.Hello) (*conn, handshake.Result) {
	t.Lock.Lock()
	defer t.Lock.Unlock()
	c := t.conn(h.From)
	switch {
	case !h.Fits(progression.Share(t.cfg)):
		return c, handshake.Mismatch
	case t.life.Over() || t.life.Closing() && c.phase == idle:
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
