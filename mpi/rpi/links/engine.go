// Package links has the transport that stands on the message progression layer: one type, for all networks. It is for the transports
// over a network, not for programs.
//
// An Engine has the lock, the layer, the requests, and a link to each peer: shared memory with those of this host (package shm), and one
// Network for all others. Which it is the Engine decides, before the first frame to a peer, and for ever. A Network carries frames, and hands over
// bytes that have come. It knows nothing of tags, matching, or long messages.
package links

import (
	"context"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/shm"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
)

// Engine implements rpi.Transport, but for what only a network knows: its name, and Kill. Call New, then Use.
type Engine struct {
	driver.Requests
	Lock    *monitor.Lock
	Layer   *progression.Layer
	near    *shm.Link
	network Network
	driver  *driver.Driver
}

// New makes the engine of a process. cfg must have its defaults.
func New(cfg rpi.Config, order progression.Order) *Engine {
	e := new(Engine)
	e.Lock = monitor.New(e.work)
	e.Layer = progression.New(cfg, e.Lock, order, e.carried)
	e.near = shm.New(cfg, e.Layer, e.Lock)
	return e
}

// Config is the configuration for the network: its Lookup returns the addresses of peers there.
func (e *Engine) Config() rpi.Config { return e.near.Network() }

// Around puts the memory that is shared before the network, as the driver is to see them.
func (e *Engine) Around(n driver.Network) driver.Network { return e.near.Around(n) }

// Use begins to use a network. The driver is that of what Around has returned.
func (e *Engine) Use(n Network, d *driver.Driver) {
	e.network, e.driver = n, d
	e.Requests = driver.NewRequests(e.Layer, d, e.Lock)
	e.near.Start(d)
}

// Stop ends the use of shared memory, at once. It is called when no goroutine waits in the driver any more. The lock is not held.
func (e *Engine) Stop() { e.near.Kill() }

// Near reports whether a peer is not reached by the network, as far as is known. The lock is held.
func (e *Engine) Near(peer matching.Rank) bool { return e.near.Has(peer) }

// SharesMemory implements rpi.MemorySharer.
func (e *Engine) SharesMemory(peer matching.Rank) bool { return e.near.Shares(peer) }

// OneProcess implements rpi.MemorySharer.
func (e *Engine) OneProcess() bool { return e.near.OneProcess() }

// HasMemory implements rpi.MemorySharer.
func (e *Engine) HasMemory(peer matching.Rank) bool { return e.near.HasMemory(peer) }

// Lost implements rpi.MemorySharer.
func (e *Engine) Lost() int { return e.near.Lost() }

// Watch implements rpi.MemorySharer.
func (e *Engine) Watch(w rpi.Watched) { e.near.Watch(w) }

// Unwatch implements rpi.MemorySharer.
func (e *Engine) Unwatch(w rpi.Watched) { e.near.Unwatch(w) }

// Rouse implements rpi.MemorySharer.
func (e *Engine) Rouse(peers []matching.Rank) { e.near.Rouse(peers) }

// Look implements rpi.MemorySharer.
func (e *Engine) Look(ctx context.Context, q rpi.Quarry) (looked time.Duration) {
	if e.driver.TryDrive() {
		looked = e.driver.Look(ctx, q)
		e.driver.StopDriving()
	}
	return looked
}

// Flush sends what waits for other messages: see driver.Network.
func (e *Engine) Flush() {
	e.Lock.Lock()
	defer e.Lock.Unlock()
	e.Layer.Flush()
}

// Address implements rpi.Transport.
func (e *Engine) Address() string { return e.near.Address(e.network.Address()) }

// Connect implements rpi.Transport: what shared memory does not take the network has to.
func (e *Engine) Connect(ctx context.Context) error {
	if err := e.near.Connect(ctx); err != nil {
		return err
	}
	return e.network.Connect(ctx)
}

// GiveUp implements rpi.Transport.
func (e *Engine) GiveUp(peer matching.Rank, cause error) {
	if !e.near.GiveUp(peer, cause) {
		e.network.GiveUp(peer, cause)
	}
}

// Close implements rpi.Transport.
func (e *Engine) Close(ctx context.Context) error {
	return rpi.JoinParting(e.near.Close(ctx), e.network.Close(ctx))
}

// Usage implements rpi.Metered.
func (e *Engine) Usage() rpi.Usage {
	u := e.network.Usage()
	e.Lock.Lock()
	defer e.Lock.Unlock()
	u.Held += e.Layer.Unread()
	e.near.Usage(&u)
	return u
}

func (e *Engine) carried(show func(*progression.Frame)) {
	e.near.Carried(show)
	e.network.Carried(show)
}

// work hands over what is queued. The lock is held, but not while the network is called.
func (e *Engine) work() {
	for b := e.next(); b != nil; b = e.next() {
		e.handOver(b)
	}
	e.near.Ring()
}

// handOver hands a batch to the network, nil for none, and what follows it to the same peer. Memory that has been written to is told of first,
// as the network's calls take long.
func (e *Engine) handOver(b Batch) {
	for b != nil {
		e.near.Ring()
		e.Lock.Leave()
		b.Send()
		e.Lock.Enter()
		b = b.Sent()
	}
}

// next takes what is to be handed to the network next off the queues, nil if that is nothing.
func (e *Engine) next() Batch {
	for peer, ok := e.Layer.Ready(); ok; peer, ok = e.Layer.Ready() {
		if e.near.Takes(peer) {
			continue
		}
		if b := e.network.Next(peer); b != nil {
			return b
		}
	}
	return nil
}
