package perpair

import (
	"context"
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/links"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
)

// network is the connections as the engine sees them.
type network struct{ *Transport }

// Next implements links.Network.
func (t network) Next(peer matching.Rank) links.Batch {
	switch c := t.conn(peer); {
	case c.phase == idle && t.state == running:
		t.dial(c)
	case c.phase == gone || c.phase == idle:
		t.drop(c)
	case c.startWriting():
		return c
	default:
		t.doneWriting(c)
	}
	return nil
}

// Carried implements links.Network: frames stay in their queue until they have left.
func (t network) Carried(func(*progression.Frame)) {}

// Address implements links.Network.
func (t network) Address() string {
	if t.listener == nil {
		return "none"
	}
	return t.self.Publish(t.networkAddress())
}

// Usage implements links.Network.
func (t network) Usage() rpi.Usage {
	c := t.Counters()
	return rpi.Usage{Sockets: int(c.Open), SystemCalls: c.SystemCalls() + t.driver.SystemCalls(), Waited: t.driver.Waited()}
}

// GiveUp implements links.Network.
func (t network) GiveUp(peer matching.Rank, cause error) { t.takeForDead(peer, cause, 0) }

// Connect implements links.Network. Each rank dials those above it.
func (t network) Connect(ctx context.Context) error {
	defer monitor.WakeAtEnd(ctx, t.changed)()
	defer t.driver.Serve()()
	t.Lock.Lock()
	defer t.Lock.Unlock()
	for peer := t.cfg.Rank + 1; peer < t.cfg.Size; peer++ {
		if c := t.conn(matching.Rank(peer)); c.phase == idle && !t.Near(c.peer) {
			t.dial(c)
		}
	}
	for peer := range t.cfg.Size {
		if peer == t.cfg.Rank || t.Near(matching.Rank(peer)) {
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
		if err := t.Layer.Failed(c.peer); err != nil {
			return err
		}
	}
	return nil
}
