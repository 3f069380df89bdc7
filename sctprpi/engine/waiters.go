package engine

import (
	"sync"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// waiter is somebody who waits for events.
type waiter struct {
	woken chan struct{}
	next  *waiter
	// assoc and stream are what is waited for by WaitStream.
	assoc  socket.AssocID
	stream socket.StreamID
}

// waiterPool keeps those who have been woken, whose channels are empty.
var waiterPool = sync.Pool{New: func() any { return &waiter{woken: make(chan struct{}, 1)} }}

// waiters are all who wait.
type waiters struct{ first *waiter }

func (l *waiters) add() *waiter {
	w := waiterPool.Get().(*waiter)
	w.next, l.first = l.first, w
	return w
}

// wake wakes all.
func (l *waiters) wake() {
	for w := l.first; w != nil; {
		next := w.next
		w.next = nil
		w.woken <- struct{}{}
		w = next
	}
	l.first = nil
}

// wakeIf wakes those for whom something is true.
func (l *waiters) wakeIf(is func(*waiter) bool) {
	for p := &l.first; *p != nil; {
		w := *p
		if !is(w) {
			p = &w.next
			continue
		}
		*p, w.next = w.next, nil
		w.woken <- struct{}{}
	}
}

// remove takes one out who has given up. If they were woken at the same time, they are
// not for reuse.
func (l *waiters) remove(w *waiter) {
	for p := &l.first; *p != nil; p = &(*p).next {
		if *p == w {
			*p, w.next = w.next, nil
			waiterPool.Put(w)
			return
		}
	}
}
