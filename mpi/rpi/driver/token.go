package driver

import "sync/atomic"

// token is what a goroutine must have to drive: there is one of a process. To take it and give it back costs two atomic operations, as long as
// no goroutine waits for it. Use newToken.
type token struct {
	taken   atomic.Bool
	waiting atomic.Int32
	// handed has the token when it is on its way to a goroutine that waits for it, or was when that one left. Any goroutine may take it then.
	handed chan struct{}
}

func newToken() token { return token{handed: make(chan struct{}, 1)} }

// try takes the token if it is free.
func (t *token) try() bool {
	if t.taken.CompareAndSwap(false, true) {
		return true
	}
	if len(t.handed) == 0 {
		return false
	}
	select {
	case <-t.handed:
		return true
	default:
		return false
	}
}

// free reports whether try would take the token now.
func (t *token) free() bool { return !t.taken.Load() || len(t.handed) > 0 }

// wait begins a wait for the token, and reports whether the caller has it already. Otherwise it comes by the channel, unless try is faster.
// done ends the wait.
func (t *token) wait() (handed <-chan struct{}, taken bool) {
	t.waiting.Add(1)
	if t.try() { // it may have been given back just before
		t.done()
		return nil, true
	}
	return t.handed, false
}

func (t *token) done() { t.waiting.Add(-1) }

// give gives the token back.
func (t *token) give() {
	t.taken.Store(false)
	if t.waiting.Load() > 0 && t.taken.CompareAndSwap(false, true) {
		t.handed <- struct{}{} // there is room, as this goroutine has the token
	}
}
