package window

import (
	"context"
	"slices"
	"sync"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// wait is a goroutine that waits until something holds.
type wait struct {
	rpi.Request
	window *Window
	until  condition
	peer   *peer // nil: all
	// control is where another process may bring about what is waited for, nil if a message does. asleep: this has been said there.
	control *control
	asleep  bool
	block   func(*rpi.Request) error // a.sleep, and glance a.look
	glance  func()
}

// condition is what a goroutine waits for.
type condition uint8

const (
	room      condition = iota // one more operation may be begun
	roomLong                   // and it may be a long one
	departed                   // the peer is lost
	granted                    // this rank has the lock of the peer, by words
	together                   // all ranks have come to the meeting that this one has come to, or it is broken
	posted                     // the peer has called Post for this rank
	completed                  // the peer has called Complete, of which this rank is a target
	quiet                      // operations have ended here: their buffers may be used again
	received                   // no stir is on its way
	idle                       // the transport has nothing of the window
)

// holds reports whether a condition holds.
func (w *Window) holds(until condition, p *peer) bool {
	switch {
	case until == idle:
		return w.open == 0
	case until == received:
		return len(w.stirs) == 0
	case until == together:
		m := w.place.meeting()
		return m.number() != w.attended || m.broken() || w.someLost
	case p == nil:
		return !slices.ContainsFunc(w.peers, func(p *peer) bool { return p != nil && !w.holds(until, p) })
	case p.lost && until != quiet:
		return true
	case until == departed:
		return false
	case until == quiet:
		return p.local == 0 && p.awaited == 0
	case until == granted:
		return p.control.holds(w.rank).has()
	case until == posted:
		return w.posted(p) > 0
	case until == completed:
		return w.completed(p) > 0
	}
	return p.sending < maxSending && p.awaited < maxAwaited && (until == room || w.slots != 1<<maxSlots-1)
}

// settle ends the waits whose conditions hold, when mu is not held any more.
func (w *Window) settle() {
	if len(w.wishes) > 0 {
		w.answerWishes()
	}
	left := w.waits[:0]
	for _, a := range w.waits {
		if w.holds(a.until, a.peer) {
			w.settled = append(w.settled, a)
		} else {
			left = append(left, a)
		}
	}
	clear(w.waits[len(left):])
	w.waits = left
}

var waits = sync.Pool{New: func() any {
	a := new(wait)
	a.block, a.glance = a.sleep, a.look
	return a
}}

// where is the control in which another process may bring about a condition, nil if messages do.
func (w *Window) where(until condition, p *peer) *control {
	switch {
	case until == together:
		return w.place
	case until == granted, until == posted && p.byWords():
		return p.control
	case until == completed && w.uses(p):
		return w.own
	}
	return nil
}

// sleep says that a goroutine that waits is about to block.
func (a *wait) sleep(*rpi.Request) error {
	w := a.window
	w.mu.Lock()
	if !a.Completed() {
		a.asleep = true
		w.sleep(a.control)
	}
	w.finish()
	return nil
}

// look ends the wait if what it waits for has come.
func (a *wait) look() {
	if a.window.mu.TryLock() { // else another goroutine looks in finish
		a.window.finish()
	}
}

// await waits until a condition holds, or ctx ends and returns the cause.
func (w *Window) await(ctx context.Context, until condition, p *peer) error {
	w.mu.Lock()
	if w.holds(until, p) {
		w.mu.Unlock()
		return nil
	}
	a := waits.Get().(*wait)
	a.Context, a.window, a.until, a.peer, a.control = w.context, w, until, p, w.where(until, p)
	block := a.block
	if a.control == nil {
		block = nil
	} else {
		a.Op, a.Glance = rpi.OpRecv, a.glance
	}
	w.waits = append(w.waits, a)
	w.mu.Unlock()
	if err := w.process.Transport.AwaitRequest(ctx, &a.Request, block); err != nil {
		if w.withdraw(a) {
			return err
		}
		_ = w.block(context.Background(), &a.Request) // it is about to complete
	}
	a.Reset()
	a.window, a.peer, a.control, a.asleep, a.Glance = nil, nil, nil, false, nil
	waits.Put(a)
	return nil
}

// Pending adds what goroutines wait for to a snapshot: it is not among what the transport has.
func (w *Window) Pending(s *rpi.Snapshot) {
	w.mu.Lock()
	defer w.mu.Unlock()
	add := func(r *rpi.Request, p *peer) {
		n := len(s.Waits)
		s.Add(r, rpi.Unmatched)
		for i := range s.Waits[n:] {
			if s.Waits[n+i].Peer = matching.AnySource; p != nil {
				s.Waits[n+i].Peer = p.job
			}
		}
	}
	for _, a := range w.waits {
		if a.until == together {
			w.missing(add, a)
		} else {
			add(&a.Request, a.peer)
		}
	}
	for i := range w.operations {
		if o := &w.operations[i]; o.event != nil {
			add(&o.event.Request, o.peer)
		}
	}
}

// withdraw takes back a wait. It reports false if that has ended.
func (w *Window) withdraw(a *wait) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, other := range w.waits {
		if other == a {
			w.waits = append(w.waits[:i], w.waits[i+1:]...)
			return true
		}
	}
	return false
}

// block waits until r has completed, or ctx ends and returns the cause. Meanwhile it moves messages.
func (w *Window) block(ctx context.Context, r *rpi.Request) error {
	return w.process.Transport.AwaitRequest(ctx, r, nil)
}

// enter locks mu when there is room for an operation with a peer.
func (w *Window) enter(ctx context.Context, op string, p *peer, until condition) error {
	for {
		w.mu.Lock()
		switch {
		case p.dead != nil:
			cause := p.dead
			w.mu.Unlock()
			return w.comm.Gone(op, p.rank, cause)
		case w.holds(until, p):
			return nil
		}
		w.mu.Unlock()
		if err := w.await(ctx, until, p); err != nil {
			return givenUp(op, err)
		}
	}
}

// givenUp is the error of an operation whose caller would not wait any longer.
func givenUp(op string, cause error) error {
	return mpierr.Because(cause, op, rpi.ErrCancelled, "given up: %v", cause)
}

// outcome is the first error of operations with a peer since it was last asked for, nil if there is none.
func (w *Window) outcome(op string, p *peer) error {
	w.mu.Lock()
	f := p.err
	p.err = nil
	w.mu.Unlock()
	return w.failure(op, p, f)
}

// gone is the error of an operation whose peer cannot be reached.
var gone = &fault{class: rpi.ErrProcFailed}

// failure is the error of an operation with a peer that has failed, nil if f is.
func (w *Window) failure(op string, p *peer, f *fault) error {
	switch {
	case f == nil:
		return nil
	case f == gone:
		w.mu.Lock()
		cause := p.dead
		w.mu.Unlock()
		return w.comm.Gone(op, p.rank, cause)
	}
	return mpierr.Invalid(op, f.class, "at rank %d: %s", p.rank, f.text).About(p.rank)
}
