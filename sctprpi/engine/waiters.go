package engine

import "sync"

// waiter is somebody who waits for events.
type waiter struct {
	woken chan struct{}
	next  *waiter
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
