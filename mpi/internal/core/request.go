package core

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Request is an operation that has been started and may still be under way. A
// nil Request is inactive. All methods may be called from several goroutines,
// and any number of times.
type Request struct {
	comm *Comm
	op   string

	mu sync.Mutex // guards what follows
	// raw is from a pool. It goes back when the outcome is known and raw is not in use,
	// since a program starts many requests, and each should take little memory. users is
	// the number of goroutines that use raw without mu.
	raw   *rpi.Request
	users int32
	// operation is that of a collective one, to which raw belongs.
	operation *collective.Operation
	settled   bool
	status    Status
	err       error
	// returned: the outcome has been handed out, so that WaitAny and its like
	// pass the request over.
	returned atomic.Bool
}

// newRequest returns a request of which raw is to be filled in and started.
func (c *View) newRequest(op string) *Request {
	c.refs.Add(1)
	return &Request{comm: c.Comm, op: op, raw: newOperation()}
}

// Wait waits until the request has completed and returns its outcome, or the error
// ErrPending when ctx ends first. A nil ctx never ends.
func (r *Request) Wait(ctx context.Context) (Status, error) {
	if r.null() {
		return EmptyStatus, nil
	}
	if status, done, err := r.outcome(); done {
		return status, err
	}
	w := rpi.NewWaiter()
	defer w.Release()
	var ended error
	return r.waitWith(ctx, w, &ended)
}

// Test reports whether the request has completed, and if so its outcome. It moves
// messages.
func (r *Request) Test() (Status, bool, error) {
	if r.null() {
		return EmptyStatus, true, nil
	}
	status, done, err := r.outcome()
	if !done {
		r.comm.process.transport.Advance()
		status, done, err = r.outcome()
	}
	return status, done, err
}

// Done returns a channel that is closed when the request has completed.
func (r *Request) Done() <-chan struct{} {
	if r.null() {
		return closedChannel
	}
	raw := r.use()
	if raw == nil {
		return closedChannel
	}
	defer r.release()
	return raw.Done()
}

// Cancel asks that the operation be given up, and returns at once.
func (r *Request) Cancel(op string) error {
	if r.null() {
		return mpierr.Invalid(op, rpi.ErrRequest, "the request is nil")
	}
	if raw := r.use(); raw != nil {
		defer r.release()
		if r.operation != nil {
			return mpierr.Invalid(op, rpi.ErrRequest, "a collective operation cannot be cancelled (MPI 4.1, section 6.12)")
		}
		if !raw.Completed() {
			r.comm.process.transport.Cancel(raw)
		}
	}
	return nil
}

var closedChannel = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

func (r *Request) null() bool { return r == nil || r.comm == nil }

// active reports whether a set of requests has to wait for r.
func (r *Request) active() bool { return !r.null() && !r.returned.Load() }

// ready reports whether r is active and has completed.
func (r *Request) ready() bool { return r.active() && r.completed() }

// claim reports whether r is ready. If so only this caller may return its outcome.
func (r *Request) claim() bool { return r.ready() && !r.returned.Swap(true) }

// use returns the transport's request, which is not given back before release. It is nil if
// it has been given back, as the outcome is known.
func (r *Request) use() *rpi.Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.raw != nil {
		r.users++
	}
	return r.raw
}

// release ends a use.
func (r *Request) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.users--
	r.recycle()
}

// unsubscribe ends a use for a waiter, if there is one.
func (r *Request) unsubscribe(w *rpi.Waiter) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.raw != nil {
		r.raw.Unsubscribe(w)
		r.users--
		r.recycle()
	}
}

// recycle gives the transport's request back to the pool if it is not needed any more. mu
// is held.
func (r *Request) recycle() {
	if r.raw == nil || !r.settled || r.users > 0 {
		return
	}
	if r.operation != nil {
		r.operation.Release()
	} else {
		recycle(r.raw)
	}
	r.raw, r.operation = nil, nil
}

// completed reports whether r, which is not null, has completed.
func (r *Request) completed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.settled || r.raw.Completed()
}

// outcome returns the outcome of the request, and lets go of what it held, if it has
// completed. Otherwise it reports false, and the Status is empty.
func (r *Request) outcome() (status Status, done bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.settled {
		if !r.raw.Completed() {
			return EmptyStatus, false, nil
		}
		r.settled = true
		switch {
		case r.operation != nil:
			r.status, r.err = EmptyStatus, r.raw.Err
		case r.raw.Err != nil:
			r.err = r.comm.failure(r.op, r.raw)
			fallthrough
		default:
			r.status = r.comm.status(r.raw)
		}
		r.raw.Buf = nil
		r.comm.release()
		r.recycle()
	}
	r.returned.Store(true)
	return r.status, true, r.err
}

// pending is the error of waiting for r when that was given up.
func (r *Request) pending(raw *rpi.Request, cause error) *mpierr.Error {
	what := "it"
	if raw.Context&collective.Messages == 0 {
		what = r.comm.describe(raw)
	}
	return mpierr.Because(cause, r.op, rpi.ErrPending, "%s is still under way: %v", what, cause)
}
