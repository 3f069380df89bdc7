package collective

import (
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
)

// AskAfter is how long a collective operation waits for another rank before it asks
// whether that rank is in the same call: see watch. Tests change it, before a process begins.
var AskAfter = time.Second

// watch makes collective operations ask their peers when they have been under way for long.
// Ranks that call different operations may wait for each other, and no message
// shows it. The timer of watch runs only while operations are under way.
type watch struct {
	running atomic.Bool // the timer
	timer   *time.Timer // made with the first Space; it holds the process in memory while it runs
	mu      sync.Mutex
	every   time.Duration // AskAfter, as it was when the first communicator was made
	spaces  map[*Space]bool
}

func (w *watch) add(s *Space) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.spaces == nil {
		w.spaces, w.every = make(map[*Space]bool), AskAfter
		w.timer = time.AfterFunc(math.MaxInt64, w.look)
		w.timer.Stop()
	}
	w.spaces[s] = true
}

func (w *watch) remove(s *Space) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.spaces, s)
}

// start makes sure that the timer runs.
func (w *watch) start() {
	if w.running.Load() || w.running.Swap(true) {
		return
	}
	w.timer.Reset(w.every)
}

// stop ends the looks, until an operation begins.
func (w *watch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil && w.timer.Stop() {
		w.running.Store(false)
	}
}

// Left tells that the process has left its job: no operation goes on. What the process has can be released at once.
func (p *Process) Left() { p.watch.stop() }

// look is called by the timer. It makes an operation ask when it has found it under way 1,
// 2, 4, 8, … times.
func (w *watch) look() {
	w.running.Store(false) // an operation that begins from now on, and may not be seen below, starts the timer itself
	w.mu.Lock()
	defer w.mu.Unlock()
	again := false
	for s := range w.spaces {
		again = s.look() || again
	}
	if again {
		w.start()
	}
}

// all are the Spaces of the process, but for those of one rank.
func (w *watch) all() []*Space {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Collect(maps.Keys(w.spaces))
}

func (w *watch) busy() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for s := range w.spaces {
		if s.Busy() {
			return true
		}
	}
	return false
}

// look looks at the operations that are under way and reports whether there are any.
func (s *Space) look() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.open {
		o.look()
	}
	return len(s.open) > 0
}

func (o *Operation) look() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.state == preparing {
		return
	}
	if o.looks++; o.looks&(o.looks-1) == 0 {
		o.asks = true
		o.wake()
	}
}

// Looks is how often the first operation under way has been found so.
func (s *Space) Looks() uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.open) == 0 {
		return 0
	}
	o := s.open[0]
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.looks
}

// askPeers asks the ranks for whose messages this operation waits in which operation they are: see inbox.go.
func (o *Operation) askPeers() {
	var asked matching.Rank = -1
	for _, s := range o.requests {
		if s != nil && s.Peer != asked {
			asked = s.Peer
			o.space.ring(Notices, s.Peer, o.tag, state|o.mark, question)
		}
	}
}
