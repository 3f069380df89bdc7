package perpair

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/record"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// dial starts to make a connection.
func (t *Transport) dial(c *conn) {
	c.phase, c.dialing = connecting, true
	t.life.Go(func() {
		defer t.update(func() { c.dialing = false })
		ctx, cancel := t.cfg.Connecting(t.life.Context)
		defer cancel()
		peer, err := t.self.Find(ctx, c.peer)
		if err == nil {
			err = t.connect(ctx, c, peer)
		}
		for (errors.Is(err, handshake.ErrCut) || socket.Short(err)) && ctx.Err() == nil && t.wanted(c) {
			socket.Rest(ctx)
			err = t.connect(ctx, c, peer)
		}
		if err == nil {
			return
		}
		t.update(func() {
			if c.phase == connecting && !t.life.Over { // if the peer has not made one meanwhile
				t.fail(c, t.cfg.CannotConnect(t.networkAddress(), peer.Address, Name, err))
			}
		})
	})
}

// wanted reports whether there is no connection with the peer yet.
func (t *Transport) wanted(c *conn) bool {
	t.Lock.Lock()
	defer t.Lock.Unlock()
	return c.phase == connecting && !t.life.Over
}

// connect makes a connection to a peer, or waits for the one that
// the peer is making.
func (t *Transport) connect(ctx context.Context, c *conn, peer handshake.Peer) error {
	nc, err := socket.Dial(ctx, peer.Address, &t.meter)
	if err != nil {
		return err
	}
	defer socket.InterruptAtEnd(ctx, nc)()
	v, cipher, err := t.self.Initiate(socket.Metered{TCPConn: nc, Meter: &t.meter}, peer, hello(t.cfg, c.peer))
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
	fd, err := socket.Detach(nc)
	if err != nil {
		return err
	}
	t.update(func() { err = t.adopt(c, fd, cipher) })
	return err
}

// hello is the first message to a peer. Both must grant the same credit.
func hello(cfg rpi.Config, peer matching.Rank) handshake.Hello {
	return handshake.Hello{To: peer, Setting: progression.Share(cfg)}
}

// awaitPeer waits for the connection that the peer is making. The peer keeps ours open until its
// own is made or has failed, so that its death is noticed meanwhile.
func (t *Transport) awaitPeer(ctx context.Context, c *conn, ours net.Conn) error {
	_, err := ours.Read(make([]byte, 1)) // the peer sends nothing; it ends with the connection
	t.Lock.Lock()
	defer t.Lock.Unlock()
	for c.phase == connecting && c.welcomed {
		t.life.Wait()
	}
	if c.phase != connecting {
		return nil
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return fmt.Errorf("%w: it was connecting itself, but did not: %w", handshake.ErrCut, err)
}

// abandon forgets a connection of a peer of which the peer does not know that it was accepted: it will make another. If this
// process has something to say it makes one itself, should the peer have died meanwhile.
func (t *Transport) abandon(c *conn) {
	switch {
	case c.phase != connecting || c.dialing || t.life.Over:
	case c.send.Empty():
		c.phase = idle
	default:
		t.dial(c)
	}
}

// adopt puts a connection into use.
func (t *Transport) adopt(c *conn, fd int, cipher *record.Cipher) error {
	if c.phase == open || c.phase == gone || t.life.Over {
		socket.Close(fd)
		return nil
	}
	if err := t.watcher.Add(fd, uint64(c.peer)); err != nil {
		socket.Close(fd)
		return err
	}
	t.meter.Opened.Add(1)
	c.fd, c.stream, c.phase = fd, record.New(fd, cipher, &t.meter), open
	t.Layer.SetConnected(c.peer)
	t.Layer.SetReady(c.peer)
	t.life.Changed()
	return nil
}
