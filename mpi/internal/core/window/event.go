package window

import (
	"context"
	"sync"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Event is what goroutines wait for: the end of one or more operations. Its request completes then.
type Event struct {
	rpi.Request
	window *Window
	left   int // operations under way, plus one until all have been started
	peer   *peer
	fault  *fault // the first
	// own: it returns the errors of its operations, which synchronizations then do not.
	own bool
}

var events = sync.Pool{New: func() any { return new(Event) }}

// event returns an event for operations that are going to be started.
func (w *Window) event() *Event {
	e := events.Get().(*Event)
	e.Op, e.Context = rpi.OpRecv, w.context
	e.window, e.left = w, 1
	return e
}

// Event returns an event of its own for the operations of a request: pass it to them, and call Started. It completes when
// they are complete here.
func (w *Window) Event() *Event {
	e := w.event()
	e.own = true
	return e
}

// Started notes that all operations of the event have been started.
func (e *Event) Started() {
	e.window.mu.Lock()
	e.window.pass(e)
	e.window.finish()
}

// Outcome is the first error of the operations, which have ended.
func (e *Event) Outcome(op string) error { return e.window.failure(op, e.peer, e.fault) }

// Free gives back an event that has completed.
func (e *Event) Free() {
	e.Reset()
	e.peer, e.fault, e.own, e.window = nil, nil, false, nil
	events.Put(e)
}

// fail notes an error of an operation with a peer.
func (e *Event) fail(p *peer, f *fault) {
	if f != nil && e.fault == nil {
		e.peer, e.fault = p, f
	}
}

// pass notes that something which an event waits for has come.
func (w *Window) pass(e *Event) {
	if e.left--; e.left == 0 {
		w.events = append(w.events, e)
	}
}

// join waits for an event whose operations have all been started, and frees it. If ctx ends first the operations go on
// without it, and join returns the cause.
func (w *Window) join(ctx context.Context, e *Event) error {
	e.Started()
	if err := w.block(ctx, &e.Request); err != nil {
		if w.detach(e) {
			return err
		}
		_ = w.block(context.Background(), &e.Request) // it is about to complete
	}
	e.Free()
	return nil
}

// detach takes an event from its operations. It reports false if the event has ended.
func (w *Window) detach(e *Event) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if e.left == 0 {
		return false
	}
	for i := range w.operations {
		if o := &w.operations[i]; o.event == e {
			o.event, o.undo = nil, o.lock
		}
	}
	return true
}
