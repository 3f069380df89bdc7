// Package waiters keeps those who wait for events of a socket.
package waiters

import (
	"sync"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Waiter is somebody who waits.
type Waiter struct {
	// Woken receives when it is over; then the Waiter is to be given back by Done.
	Woken chan struct{}
	// Assoc and Stream are what is waited for, if it is not just anything.
	Assoc  socket.AssocID
	Stream socket.StreamID
	next   *Waiter
}

// pool keeps those who have been woken, whose channels are empty.
var pool = sync.Pool{New: func() any { return &Waiter{Woken: make(chan struct{}, 1)} }}

// Done gives back one who has been woken.
func (w *Waiter) Done() { pool.Put(w) }

// List is all who wait for something. It is not for concurrent use; its methods wait for
// nobody.
type List struct{ first *Waiter }

// Add makes one who waits.
func (l *List) Add() *Waiter {
	w := pool.Get().(*Waiter)
	w.next, l.first = l.first, w
	return w
}

// Empty reports whether nobody waits.
func (l *List) Empty() bool { return l.first == nil }

// Wake wakes all.
func (l *List) Wake() { l.WakeIf(func(*Waiter) bool { return true }) }

// WakeIf wakes those for whom something is true.
func (l *List) WakeIf(is func(*Waiter) bool) {
	for p := &l.first; *p != nil; {
		w := *p
		if !is(w) {
			p = &w.next
			continue
		}
		*p, w.next = w.next, nil
		w.Woken <- struct{}{}
	}
}

// Remove takes one out who has given up. If they were woken at the same time, they are
// not for reuse.
func (l *List) Remove(w *Waiter) {
	for p := &l.first; *p != nil; p = &(*p).next {
		if *p == w {
			*p, w.next = w.next, nil
			pool.Put(w)
			return
		}
	}
}
