package perpair

import (
	"context"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/links"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
)

// network is the connections as the engine sees them.
type network struct{ *Transport }

// Next implements links.Network.
func (t network) Next(peer matching.Rank) links.Batch {
	switch c := t.conn(peer); {
	case c.phase == idle && t.life.Running():
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
	return rpi.Usage{Sockets: int(c.Open), SystemCalls: c.SystemCalls() + t.driver.SystemCalls(), Waited: t.driver.Waited(), Blocked: t.driver.Blocked()}
}

// GiveUp implements links.Network.
func (t network) GiveUp(peer matching.Rank, cause error) { watched(t).TakeForDead(peer, cause, 0) }

// Connect implements links.Network. Each rank dials those above it.
func (t network) Connect(ctx context.Context) error {
	defer t.driver.Serve()()
	t.update(func() {
		for peer := t.cfg.Rank + 1; peer < t.cfg.Size; peer++ {
			if c := t.conn(matching.Rank(peer)); c.phase == idle && !t.Near(c.peer) {
				t.dial(c)
			}
		}
	})
	return t.life.Connect(ctx, t.cfg.Size, func(peer matching.Rank) (settled bool, err error) {
		if int(peer) == t.cfg.Rank || t.Near(peer) {
			return true, nil
		}
		c := t.conn(peer)
		return c.phase == open || c.phase == gone, t.Layer.Failed(peer)
	})
}
