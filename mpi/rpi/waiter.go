package rpi

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Waiter lets one goroutine wait for the first of several requests to complete. Get one from
// NewWaiter and give it back with Release. A signal may be spurious, so the goroutine checks its
// requests after each.
type Waiter struct {
	// C receives a value when a request that the waiter subscribed to has completed.
	C chan struct{}

	// Kind is the kind of wait for the request that the waiter subscribed to last.
	Kind WaitKind

	interrupt atomic.Pointer[func()]

	// since is the time at which the goroutine blocked, in nanoseconds after epoch; 0: it has not
	// blocked. limited: its context can end the wait. asked: Ask wants the call stack of the
	// goroutine. site is that call stack.
	since   atomic.Int64
	limited atomic.Bool
	asked   atomic.Bool
	site    atomic.Pointer[[]uintptr]
}

// WaitKind distinguishes waits because they usually take different times.
type WaitKind uint8

const (
	// ForArrival waits for a message from a peer. ForAnswer waits for a peer's answer to a message
	// that was sent to it.
	ForArrival WaitKind = iota
	ForAnswer
)

// Interrupt makes every Signal also call *f, until it is set to nil. It is for a goroutine that
// waits elsewhere than at C. Check C after setting it: a signal may have come before.
func (w *Waiter) Interrupt(f *func()) { w.interrupt.Store(f) }

var waiters = sync.Pool{New: func() any { return &Waiter{C: make(chan struct{}, 1)} }}

// NewWaiter returns a waiter without a pending signal.
func NewWaiter() *Waiter { return waiters.Get().(*Waiter) }

// Signalled takes the signal, and reports whether there was one.
func (w *Waiter) Signalled() bool {
	if len(w.C) == 0 { // costs a third of the other
		return false
	}
	select {
	case <-w.C:
		return true
	default:
		return false
	}
}

// Release gives the waiter back. It must not be subscribed anywhere.
func (w *Waiter) Release() {
	w.Signalled()
	waiters.Put(w)
}

// Signal wakes the goroutine that waits, or makes its next wait end at once.
func (w *Waiter) Signal() {
	select {
	case w.C <- struct{}{}:
	default:
	}
	if f := w.interrupt.Load(); f != nil {
		(*f)()
	}
}

// epoch is the time from which waits count.
var epoch = time.Now()

// Blocks notes that the goroutine is about to block until ctx ends. Only the first call in a wait
// counts. The clock is read here, and not when the wait begins, because most waits end before they
// block.
func (w *Waiter) Blocks(ctx context.Context) {
	if w.since.Load() == 0 {
		w.limited.Store(ctx.Done() != nil)
		w.since.Store(int64(time.Since(epoch)))
	}
}

// begin clears what the last wait has left. Subscribe calls it, before a Snapshot can see the waiter.
func (w *Waiter) begin() {
	if w.since.Load() != 0 {
		w.since.Store(0)
	}
	if w.site.Load() != nil {
		w.site.Store(nil)
	}
}

// blocked returns the time at which the goroutine blocked, zero if it has not.
func (w *Waiter) blocked() time.Time {
	since := time.Duration(w.since.Load())
	if since == 0 {
		return time.Time{}
	}
	return epoch.Add(since)
}

// Ask wakes the goroutine that waits and asks it for its call stack: see Answer. The next Snapshot
// has it, unless the wait has ended.
func (w *Waiter) Ask() {
	w.asked.Store(true)
	w.Signal()
}

// siteDepth is how many frames of a call stack are kept.
const siteDepth = 64

// Answer stores the caller's call stack if Ask has asked for it. The goroutine that waits calls it
// when it was woken and its requests have not completed.
func (w *Waiter) Answer() {
	if !w.asked.Load() {
		return
	}
	w.asked.Store(false)
	pcs := make([]uintptr, siteDepth)
	pcs = pcs[:runtime.Callers(2, pcs)]
	w.site.Store(&pcs)
}

// where returns the call stack that Answer has stored in this wait, nil if there is none.
func (w *Waiter) where() []uintptr {
	if pcs := w.site.Load(); pcs != nil {
		return *pcs
	}
	return nil
}
