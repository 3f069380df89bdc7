package kernel

import (
	"context"
	"sync"
)

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

// announce wakes those who wait, if there are events.
func (e *endpoint) announce() {
	if !e.queue.empty() {
		e.waiters.wake()
	}
}

// Wait waits until Receive has something to return.
func (e *endpoint) Wait(ctx context.Context) error {
	e.mu.Lock()
	if e.closed || e.err != nil || !e.queue.empty() {
		defer e.mu.Unlock()
		return e.waited()
	}
	w := e.waiters.add()
	e.mu.Unlock()
	select {
	case e.wanted <- struct{}{}:
	default:
	}
	select {
	case <-w.woken:
		waiterPool.Put(w)
	case <-ctx.Done():
		e.mu.Lock()
		defer e.mu.Unlock()
		e.waiters.remove(w)
		return ctx.Err()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.waited()
}

// waited is what Wait returns when the wait is over: what is wrong with the socket
// beside being closed, Receive tells.
func (e *endpoint) waited() error {
	if e.closed {
		return e.state()
	}
	return nil
}

// watch reads the socket for those who wait.
func (e *endpoint) watch() {
	defer close(e.done)
	for {
		select {
		case <-e.wanted:
		case <-e.quit:
			return
		}
		for e.awaited() {
			if err := e.poller.wait(); err != nil {
				e.fail(err)
				return
			}
			if !e.awaited() {
				break
			}
			e.reading.Lock()
			e.read()
			e.reading.Unlock()
		}
	}
}

// awaited reports whether somebody waits.
func (e *endpoint) awaited() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.waiters.first != nil && !e.closed
}
