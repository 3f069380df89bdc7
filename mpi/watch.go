package mpi

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// suspicious is how long a collective call waits before it asks the rank that
// it waits for whether that is in the same call: see watch.
var suspicious = time.Second

// watch has collective calls ask that wait for long. Ranks that call different
// operations may wait for each other without a message on the way that tells.
// It has a timer while there are calls that wait.
type watch struct {
	every   time.Duration // suspicious
	running atomic.Bool
	mu      sync.Mutex
	comms   map[*communicator]*stay
}

// stay is how long a communicator has been in one call.
type stay struct {
	call  uint32
	looks uint32
}

func (w *watch) add(c *communicator) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.comms == nil {
		w.comms = make(map[*communicator]*stay)
	}
	w.comms[c] = new(stay)
}

func (w *watch) remove(c *communicator) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.comms, c)
}

// start makes sure that the timer runs.
func (w *watch) start() {
	if !w.running.Load() && !w.running.Swap(true) {
		time.AfterFunc(w.every, w.look)
	}
}

// look has those calls ask that waited when it looked before, after 1, 2, 4, …
// looks.
func (w *watch) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	again := false
	for c, s := range w.comms {
		waiter, call := c.post.waiting.Load(), c.calls.Load()
		if waiter == nil || call != s.call {
			*s = stay{call: call}
		}
		if waiter == nil {
			continue
		}
		again = true
		if s.looks++; s.looks&(s.looks-1) == 0 {
			c.post.asks.Store(true)
			waiter.Signal()
		}
	}
	w.running.Store(again)
	if again {
		time.AfterFunc(w.every, w.look)
	}
}

// suspect asks the peers of what this call waits for, if it is time to.
func (k *call) suspect(waits ...*rpi.Request) {
	if !k.comm.post.asks.Load() || !k.comm.post.asks.Swap(false) {
		return
	}
	var asked matching.Rank = -1
	for _, r := range waits {
		if !r.Completed() && r.Peer != asked {
			asked = r.Peer
			k.comm.ring(notices, r.Peer, k.tag, state|k.mark, question)
		}
	}
}
