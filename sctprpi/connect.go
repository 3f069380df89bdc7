package sctprpi

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Pauses between attempts to connect. Each is twice the one before. A peer that rejects one may have
// too many unauthenticated associations.
const (
	firstPause   = 10 * time.Millisecond
	longestPause = time.Second
)

// begin starts to connect to a peer, or to wait for its connection, for a limited time. It does
// nothing if that has been started. The lock is held.
func (t *Transport) begin(p *peer) {
	p.phase, p.expected = connecting, false
	if p.overdue != nil {
		return
	}
	p.overdue = time.AfterFunc(t.cfg.ConnectTimeout, func() {
		t.decide(func() { t.overdue(p) })
	})
}

// overdue gives up a peer with which there is no connection yet. The lock is held.
func (t *Transport) overdue(p *peer) {
	if p.phase != connecting {
		return
	}
	if p.assoc != nil {
		t.abort(p.assoc, errHandshakeTime.Error())
	}
	err := rpi.Overdue(t.cfg.ConnectTimeout)
	if p.lastErr != nil {
		err = fmt.Errorf("%w, the last attempt failed with: %w", err, p.lastErr)
	}
	t.fail(p, t.unreachable(p, err))
}

// call makes an attempt to connect to a peer. The lock is held.
func (t *Transport) call(p *peer) {
	t.background.Go(func() {
		ctx, cancel := t.cfg.Connecting(t.ctx)
		defer cancel()
		address, err := t.cfg.Lookup(ctx, int(p.rank))
		var addrs []socket.Addr
		if err == nil {
			addrs, err = parseAddrs(address)
		}
		t.decide(func() {
			p.address = address
			if err == nil {
				err = t.connect(p, addrs)
			}
			switch {
			case err == nil || p.phase != connecting || p.assoc != nil || t.state == closed:
			case errors.Is(err, socket.ErrTooMany) || errors.Is(err, errParting):
				t.tryAgain(p, err)
			default:
				t.fail(p, t.unreachable(p, err))
			}
		})
	})
}

// tryAgain makes another attempt to connect to a peer, after one that has failed for a reason that
// may pass. The lock is held.
func (t *Transport) tryAgain(p *peer, why error) {
	p.assoc, p.lastErr = nil, why
	t.hangUp(p)
	p.pause = min(max(2*p.pause, firstPause), longestPause)
	p.retry = time.AfterFunc(p.pause, func() {
		t.decide(func() {
			if p.phase == connecting && p.assoc == nil && t.state != closed {
				t.redial(p)
			}
		})
	})
}

// temporary reports whether an association that was never used has ended for a reason that may pass:
// the peer has rejected it, but not because of the token.
func temporary(e *socket.Event) bool {
	var abort *socket.AbortError
	return errors.As(e.Err, &abort) && abort.Remote && abort.Reason != rejected
}

// errParting: an earlier association with the peer has not ended yet.
var errParting = errors.New("an earlier association is about to end")

// connect makes an association with a peer, unless the peer has made one meanwhile. The caller
// holds the lock. It is released while the socket is called. No events of the new association can
// be handled then.
func (t *Transport) connect(p *peer, addrs []socket.Addr) error {
	if p.phase != connecting || p.assoc != nil || t.state == closed {
		return nil
	}
	t.mu.Unlock()
	id, err := t.socket.Connect(addrs...)
	t.mu.Lock()
	if err != nil {
		return err
	}
	a := t.assocs[id]
	switch {
	case a == nil:
		a = &association{id: id, called: true}
		t.assocs[id] = a
	case a.stage == parting:
		return errParting
	case a.peer != nil:
		return fmt.Errorf("the address is that of rank %d", a.peer.rank)
	case a.theirs != nil && a.theirs.from != p.rank:
		return fmt.Errorf("the address is that of rank %d", a.theirs.from)
	case a.theirs == nil:
		t.startHandshakeTimer(a, t.cfg.ConnectTimeout/4) // an end that begins an association sends its hello at once
	}
	a.peer, p.assoc = p, a
	if a.ours == nil {
		t.sendHello(a, p.rank)
	}
	return nil
}

// Connect implements rpi.Transport. Each rank makes the associations with those above
// it.
func (t *Transport) Connect(ctx context.Context) error {
	defer driver.WakeAtEnd(ctx, t.changed)()
	defer t.driver.Serve()()
	t.mu.Lock()
	defer t.mu.Unlock()
	for rank := t.cfg.Rank + 1; rank < t.cfg.Size; rank++ {
		if p := t.peer(matching.Rank(rank)); p.phase == unused && t.state == running {
			t.dial(p)
		}
	}
	for rank := range t.cfg.Size {
		if rank == t.cfg.Rank {
			continue
		}
		p := t.peer(matching.Rank(rank))
		for p.phase == unused || p.phase == connecting {
			if ctx.Err() != nil {
				return &rpi.PeerError{Peer: p.rank, Cause: fmt.Errorf("no connection: %w", context.Cause(ctx))}
			}
			if t.state != running {
				return rpi.ErrClosed
			}
			t.changed.Wait()
		}
		if err := t.layer.Failed(p.rank); err != nil {
			return err
		}
	}
	return nil
}
