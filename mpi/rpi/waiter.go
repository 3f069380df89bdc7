package rpi

import "sync"

// Waiter lets one goroutine wait for the first of any number of requests.
// Get one from NewWaiter and give it back with Release; a signal may be
// spurious, so the goroutine looks at its requests after each.
type Waiter struct {
	// C receives when a request that the waiter subscribed to has completed.
	C chan struct{}
}

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
}
