package mpi

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Request is an operation that has been started and may still be under way
// (MPI 4.1, section 3.7). It keeps its buffer reachable until it has completed
// and its outcome has been asked for.
//
// All methods may be called from several goroutines, and any number of times:
// every Wait and Test after completion returns the same. There is no
// MPI_REQUEST_FREE: a request without a Wait completes all the same.
// A nil Request is inactive, like MPI_REQUEST_NULL: it counts as complete with
// an empty Status.
type Request struct {
	comm *communicator
	op   string

	mu sync.Mutex // guards what follows
	// raw is from a pool. It goes back when the outcome is known and raw is not in use,
	// since a program starts many requests, and each should take little memory. users is
	// the number of goroutines that use raw without mu.
	raw     *rpi.Request
	users   int32
	settled bool
	status  Status
	err     error
	// returned: the outcome has been handed out, so that WaitAny and its like
	// pass the request over.
	returned atomic.Bool
}

// newRequest returns a request of which raw is to be filled in and started.
func (c *Comm) newRequest(op string) *Request {
	c.refs.Add(1)
	return &Request{comm: c.communicator, op: op, raw: newOperation()}
}

// Wait waits until the request has completed and returns its outcome
// (MPI_WAIT; section 3.7.3). When ctx ends first Wait returns ErrPending,
// which wraps the cause; the operation goes on all the same, and its buffer
// stays in use. To end it, Cancel it and Wait again.
func (r *Request) Wait(ctx context.Context) (Status, error) {
	if r.null() {
		return emptyStatus, nil
	}
	if status, done, err := r.outcome(); done {
		return status, err
	}
	w := rpi.NewWaiter()
	defer w.Release()
	var ended error
	return r.waitWith(ctx, w, &ended)
}

// Test reports whether the request has completed, and if so its outcome
// (MPI_TEST; section 3.7.3). It moves messages, so that a loop over it comes to an end
// even if the program does nothing else, and lets other goroutines run now and then.
func (r *Request) Test() (Status, bool, error) {
	if r.null() {
		return emptyStatus, true, nil
	}
	status, done, err := r.outcome()
	if !done {
		r.comm.process.transport.Advance()
		status, done, err = r.outcome()
	}
	return status, done, err
}

// Done returns a channel that is closed when the request has completed, for
// use in select. Wait and Test then give the outcome at once.
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

// Cancel asks that the operation be given up (MPI_CANCEL; section 3.8.4) and
// returns at once; the request completes in any case. If the cancellation was
// in time, its Status says Cancelled and nothing was transferred; otherwise
// the operation ends as if Cancel had not been called. A receive can be
// cancelled until it has matched; a send until it has matched at its receiver
// or, if short, until it has left. The only error is ErrRequest, for nil.
func (r *Request) Cancel() error {
	if r.null() {
		return invalid("mpi.Cancel", ErrRequest, "the request is nil")
	}
	if raw := r.use(); raw != nil {
		defer r.release()
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
	if r.raw != nil && r.settled && r.users == 0 {
		recycle(r.raw)
		r.raw = nil
	}
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
			return emptyStatus, false, nil
		}
		r.settled = true
		r.status = r.comm.status(r.raw)
		if r.raw.Err != nil {
			r.err = r.comm.failure(r.op, r.raw)
		}
		r.raw.Buf = nil
		r.comm.release()
		r.recycle()
	}
	r.returned.Store(true)
	return r.status, true, r.err
}

// pending is the error of waiting for r when that was given up.
func (r *Request) pending(raw *rpi.Request, cause error) *Error {
	return &Error{
		Class: ErrPending, Op: r.op, Err: cause,
		Detail: fmt.Sprintf("%s is still under way: %v", r.comm.describe(raw), cause),
	}
}
