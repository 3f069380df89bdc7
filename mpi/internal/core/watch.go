package core

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// AskAfter is how long a collective call waits for another rank before it asks
// whether that rank is in the same call: see watch.
var AskAfter = time.Second

// watch makes collective calls ask their peers when they have waited for long.
// Ranks that call different operations may wait for each other, and no message
// shows it. The timer of watch runs only while calls wait.
type watch struct {
	every   time.Duration // AskAfter, as it was when the process began
	running atomic.Bool
	mu      sync.Mutex
	comms   map[*Comm]*stay
}

// stay is how long a communicator has been in one call.
type stay struct {
	call  uint32
	looks uint32
}

func (w *watch) add(c *Comm) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.comms == nil {
		w.comms = make(map[*Comm]*stay)
	}
	w.comms[c] = new(stay)
}

func (w *watch) remove(c *Comm) {
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

// look is called by the timer. It makes a call ask when it has found it waiting 1,
// 2, 4, 8, … times.
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

// askPeers asks the peers of the requests that this call waits for, if watch says so, in which
// collective they are: see post.go.
func (k *call) askPeers(waits ...*rpi.Request) {
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
