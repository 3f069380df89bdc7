package perpair

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progress"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// dial begins to make a connection. The lock is held.
func (t *Transport) dial(c *conn) {
	c.phase = connecting
	t.background.Go(func() {
		ctx, cancel := t.cfg.Connecting(t.ctx)
		defer cancel()
		address, err := t.cfg.Lookup(ctx, int(c.peer))
		if err == nil {
			err = t.connect(ctx, c, address)
		}
		for errors.Is(err, handshake.ErrCut) && ctx.Err() == nil && t.wanted(c) {
			socket.Rest(ctx)
			err = t.connect(ctx, c, address)
		}
		if err == nil {
			return
		}
		t.mu.Lock()
		defer t.unlock()
		if c.phase == connecting && t.state != closed { // and not made by the peer meanwhile
			t.fail(c, fmt.Errorf("rank %d (%s) cannot connect to it at %q over %s: %w; check that the process runs and that no firewall is between",
				t.cfg.Rank, t.Address(), address, Name, err))
		}
	})
}

// wanted reports whether there is no connection with the peer yet.
func (t *Transport) wanted(c *conn) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return c.phase == connecting && t.state != closed
}

// connect makes a connection to a peer at address, or waits for the one that
// the peer is making.
func (t *Transport) connect(ctx context.Context, c *conn, address string) error {
	var d net.Dialer
	t.meter.Connects.Add(1)
	nc, err := d.DialContext(ctx, "tcp", address)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	defer socket.InterruptAtEnd(ctx, nc)()
	tc := nc.(*net.TCPConn)
	v, err := handshake.Greet(socket.Metered{TCPConn: tc, Meter: &t.meter}, t.cfg.Token, hello(t.cfg, c.peer))
	if err != nil {
		nc.Close()
		if ctx.Err() != nil {
			err = fmt.Errorf("%w (%v)", err, context.Cause(ctx))
		}
		return err
	}
	if v == handshake.Yours {
		defer nc.Close()
		return t.awaitPeer(ctx, c, nc)
	}
	fd, err := socket.Detach(tc)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.unlock()
	return t.adopt(c, fd)
}

// hello is the first message to a peer. Both must grant the same credit.
func hello(cfg rpi.Config, peer matching.Rank) handshake.Hello {
	return handshake.Hello{
		Protocol: handshake.PerPair, From: matching.Rank(cfg.Rank), To: peer, Setting: progression.Share(cfg),
	}
}

// awaitPeer waits until the connection that the peer is making is there. The
// peer keeps ours open until its own is made or has failed, so that its death
// meanwhile does not go unnoticed.
func (t *Transport) awaitPeer(ctx context.Context, c *conn, ours net.Conn) error {
	_, err := ours.Read(make([]byte, 1)) // nothing ever comes
	t.mu.Lock()
	defer t.mu.Unlock()
	for c.phase == connecting && c.welcomed {
		t.changed.Wait()
	}
	if c.phase != connecting {
		return nil
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return fmt.Errorf("it was connecting itself, but did not: %w", err)
}

// adopt puts a connection into use. The lock is held.
func (t *Transport) adopt(c *conn, fd int) error {
	if c.phase == open || c.phase == gone || t.state == closed {
		socket.Close(fd)
		return nil
	}
	if err := t.poller.Add(fd, uint64(c.peer)); err != nil {
		socket.Close(fd)
		return err
	}
	t.meter.Opened.Add(1)
	c.fd, c.phase = fd, open
	t.changed.Broadcast()
	t.flush(c)
	return nil
}

// accept takes the connections that peers make.
func (t *Transport) accept() {
	gate := handshake.NewGate(socket.Limit())
	for {
		nc, err := t.listener.AcceptTCP()
		t.meter.Accepts.Add(1)
		if err != nil {
			if t.ctx.Err() != nil {
				return
			}
			gate.Evict() // it may be descriptors that are missing
			socket.Rest(t.ctx)
			continue
		}
		guest := gate.Enter(t.ctx, nc)
		if guest == nil {
			return
		}
		t.background.Go(func() {
			concurrent := t.answer(nc, guest)
			guest.Leave()
			if concurrent != nil {
				t.yield(concurrent, nc)
			}
		})
	}
}

// answer is the acceptor's side of making a connection. If both sides are at
// it, the connection that the lower rank makes is the one that stays: then
// answer returns that, and leaves the other, nc, to yield.
func (t *Transport) answer(nc *net.TCPConn, guest *handshake.Guest) (concurrent *conn) {
	defer socket.InterruptAtEnd(t.ctx, nc)()
	h, err := handshake.Receive(t.ctx, socket.Metered{TCPConn: nc, Meter: &t.meter}, t.cfg, handshake.PerPair)
	if err != nil || !guest.Admit() {
		nc.Close() // a stranger: no word to it
		return nil
	}
	if h.Purpose == handshake.ForWitness {
		t.testify(nc, h.From)
		return nil
	}
	c, v := t.decide(h)
	// The verdict is written before the connection is put into use, so that
	// nothing can precede it.
	_, err = nc.Write([]byte{byte(v)})
	if v == handshake.Yours {
		return c
	}
	if v != handshake.Welcome {
		nc.Close()
		return nil
	}
	fd := -1
	if err == nil {
		fd, err = socket.Detach(nc)
	} else {
		nc.Close()
	}
	t.mu.Lock()
	defer t.unlock()
	c.welcomed = false
	if err == nil {
		err = t.adopt(c, fd)
	}
	if err != nil {
		t.fail(c, fmt.Errorf("its connection to rank %d cannot be used: %w", t.cfg.Rank, err))
	}
	t.changed.Broadcast()
	return nil
}

// yield closes a peer's connection once the one that this process makes with
// the peer is there, or will never be.
func (t *Transport) yield(c *conn, nc net.Conn) {
	t.mu.Lock()
	for c.phase == connecting && t.state != closed {
		t.changed.Wait()
	}
	t.mu.Unlock()
	nc.Close()
}

// decide says what becomes of a peer's connection.
func (t *Transport) decide(h handshake.Hello) (*conn, handshake.Verdict) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.conn(h.From)
	switch {
	case !h.Fits(progression.Share(t.cfg)):
		return c, handshake.Mismatch
	case c.phase == gone || t.state == closed || t.state == closing && c.phase == idle:
		return c, handshake.ClosedDown
	case c.phase == open || c.phase == connecting && t.cfg.Rank < int(h.From):
		return c, handshake.Yours
	}
	c.phase = connecting // nobody need dial any more
	c.welcomed = true
	return c, handshake.Welcome
}

// Connect implements rpi.Transport. Each rank dials those above it.
func (t *Transport) Connect(ctx context.Context) error {
	defer progress.WakeAtEnd(ctx, t.changed)()
	defer t.driver.Serve()()
	t.mu.Lock()
	defer t.unlock()
	for peer := t.cfg.Rank + 1; peer < t.cfg.Size; peer++ {
		if c := t.conn(matching.Rank(peer)); c.phase == idle {
			t.dial(c)
		}
	}
	for peer := range t.cfg.Size {
		if peer == t.cfg.Rank {
			continue
		}
		c := t.conn(matching.Rank(peer))
		for c.phase == idle || c.phase == connecting {
			if ctx.Err() != nil {
				return &rpi.PeerError{Peer: c.peer, Cause: fmt.Errorf("no connection: %w", context.Cause(ctx))}
			}
			if t.state != running {
				return rpi.ErrClosed
			}
			t.changed.Wait()
		}
		if err := t.layer.Failed(c.peer); err != nil {
			return err
		}
	}
	return nil
}
