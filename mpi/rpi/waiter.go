package rpi

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Waiter lets one goroutine wait for the first of any number of requests.
// Get one from NewWaiter and give it back with Release; a signal may be
// spurious, so the goroutine looks at its requests after each.
type Waiter struct {
	// C receives when a request that the waiter subscribed to has completed.
	C chan struct{}

	kind      WaitKind
	interrupt atomic.Pointer[func()]

	// since is when the wait went to block, in nanoseconds after the epoch; 0: it has not.
	// limited: it may end by its context. asked: somebody wants to know where it was called.
	// site is the answer.
	since   atomic.Int64
	limited atomic.Bool
	asked   atomic.Bool
	site    atomic.Pointer[[]uintptr]
}

// WaitKind tells waits apart that take different times.
type WaitKind uint8

const (
	// ForArrival waits for what a peer sends, ForAnswer for what it says to what was
	// sent.
	ForArrival WaitKind = iota
	ForAnswer
)

// Kind returns what kind of request the waiter subscribed to last.
func (w *Waiter) Kind() WaitKind { return w.kind }

// Interrupt has every Signal call *f too, until it is nil again: for a goroutine that
// waits somewhere else than at C. A signal that came before is to be looked for in C.
func (w *Waiter) Interrupt(f *func()) { w.interrupt.Store(f) }

var waiters = sync.Pool{New: func() any { return &Waiter{C: make(chan struct{}, 1)} }}

// NewWaiter returns a waiter without a pending signal.
func NewWaiter() *Waiter { return waiters.Get().(*Waiter) }

// Release gives the waiter back. It must not be subscribed anywhere.
func (w *Waiter) Release() {
	select {
	case <-w.C:
	default:
	}
	w.begin()
	waiters.Put(w)
}

// Signal wakes the goroutine that waits, or the next that will.
func (w *Waiter) Signal() {
	select {
	case w.C <- struct{}{}:
	default:
	}
	if f := w.interrupt.Load(); f != nil {
		(*f)()
	}
}

// epoch is what waits count their time from.
var epoch = time.Now()

// Blocks notes that the goroutine is going to block until ctx ends, if it has not before in
// this wait. The time is looked at here, and not when the wait begins: most waits end before
// they block.
func (w *Waiter) Blocks(ctx context.Context) {
	if w.since.Load() == 0 {
		w.limited.Store(ctx.Done() != nil)
		w.since.Store(int64(time.Since(epoch)))
	}
}

// begin forgets the wait before.
func (w *Waiter) begin() {
	if w.since.Load() != 0 {
		w.since.Store(0)
	}
	if w.site.Load() != nil {
		w.site.Store(nil)
	}
}

// blocked is since when the wait has been blocked, zero if it has not.
func (w *Waiter) blocked() time.Time {
	since := time.Duration(w.since.Load())
	if since == 0 {
		return time.Time{}
	}
	return epoch.Add(since)
}

// Ask wakes the goroutine that waits and has it tell where it was called: see Answer. The
// next Snapshot has that, unless the wait has ended.
func (w *Waiter) Ask() {
	w.asked.Store(true)
	w.Signal()
}

// siteDepth is how many frames of a call stack are kept.
const siteDepth = 64

// Answer is to be called by the goroutine that waits when it was woken and its requests have
// not completed.
func (w *Waiter) Answer() {
	if !w.asked.Load() {
		return
	}
	w.asked.Store(false)
	pcs := make([]uintptr, siteDepth)
	pcs = pcs[:runtime.Callers(2, pcs)]
	w.site.Store(&pcs)
}

// where is what Answer has answered in this wait.
func (w *Waiter) where() []uintptr {
	if pcs := w.site.Load(); pcs != nil {
		return *pcs
	}
	return nil
}
