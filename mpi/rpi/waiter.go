package rpi

import (
	"sync"
	"sync/atomic"
)

// Waiter lets one goroutine wait for the first of any number of requests.
// Get one from NewWaiter and give it back with Release; a signal may be
// spurious, so the goroutine looks at its requests after each.
type Waiter struct {
	// C receives when a request that the waiter subscribed to has completed.
	C chan struct{}

	kind      WaitKind
	interrupt atomic.Pointer[func()]
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
