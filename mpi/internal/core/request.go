package core

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Request is an operation that has been started and may still be under way, or a persistent one, which is
// inactive between its runs. A nil Request is inactive. All methods may be called from several goroutines, and
// any number of times.
type Request struct {
	comm *Comm
	op   string
	// work is a Work, a Starter or both; nil if the request is one message.
	work any

	mu sync.Mutex // guards what follows, and is held in calls of settle, take, interrupted, recycle and leave
	// raw completes with the operation. Goroutines wait for it. That of a message is from a pool, and goes back
	// when the outcome is known, since a program starts many requests, and each should take little memory.
	raw        *rpi.Request
	users      int16 // goroutines that use raw or work without mu
	message    bool  // raw is a message, there is no Work
	persistent bool  // work is a Starter
	settled    bool  // the outcome is known, or the request is inactive
	starting   bool
	freed      bool
	released   bool   // work and the communicator are not needed any more
	round      uint32 // how often it has been started
	// returned: the outcome has been handed out, so that WaitAny and its like pass the request over.
	returned atomic.Bool
	status   Status
	err      error
}

// Work is an operation that a request stands for, if it is more than one message. It moves on wherever it
// likes, by rpi.Continuations for instance, and completes the rpi.Request that was passed to NewRequest.
type Work interface {
	// Outcome returns the outcome of the operation, which has completed. It is called once for each run.
	Outcome() (Status, error)
	// Cancel asks that the operation be given up, and returns at once. op is the caller in errors.
	Cancel(op string) error
	// Release is called when the request does not need the operation any more: no other method is called then.
	Release()
}

// helpful is a Work that a goroutine that waits for it can carry out.
type helpful interface{ Help() }

// help carries the operation out where that is possible, unless ctx may end the wait.
func (r *Request) help(ctx context.Context) {
	w, ok := r.work.(helpful)
	if !ok || ctx != nil && ctx.Done() != nil {
		return
	}
	if raw, round := r.use(); raw != nil {
		w.Help()
		r.release(round)
	}
}

// NewRequest returns a request that stands for work. op names the operation in errors. whole has not been passed to a
// transport. It must complete, by whole.Complete, when the operation has, and belongs to the request until Work.Release.
func (c *Comm) NewRequest(op string, whole *rpi.Request, work Work) *Request {
	c.refs.Add(1)
	return &Request{comm: c, op: op, raw: whole, work: work}
}

// newRequest returns a request of which raw is to be filled in and started.
func (c *View) newRequest(op string) *Request {
	c.refs.Add(1)
	r := emptyRequest()
	r.comm, r.op, r.raw, r.message = c.Comm, op, newOperation(), true
	return r
}

// sent returns the request of a message that has left.
func (c *View) sent(op string) *Request {
	r := emptyRequest()
	r.comm, r.op, r.message, r.settled, r.released = c.Comm, op, true, true, true
	return r
}

// requests are those that Recycle has given back; recycled: there have been some. A face that gives none back is spared the pool.
var (
	requests sync.Pool
	recycled atomic.Bool
)

func emptyRequest() *Request {
	if recycled.Load() {
		if r := requests.Get(); r != nil {
			return r.(*Request)
		}
	}
	return new(Request)
}

// Recycle gives back a request whose outcome has been handed out, so that another operation takes no memory. The caller does
// not use it any more, nor does any other goroutine. It is for faces that know so.
func (r *Request) Recycle() {
	if r.null() {
		return
	}
	r.mu.Lock()
	again := r.message && !r.persistent && r.released && !r.freed
	if again {
		r.comm, r.op, r.message, r.settled, r.released = nil, "", false, false, false
		r.status, r.err = Status{}, nil
		r.returned.Store(false)
	}
	r.mu.Unlock()
	if again {
		requests.Put(r)
		if !recycled.Load() {
			recycled.Store(true)
		}
	}
}

// Persistent reports whether the request stays when its operation has completed.
func (r *Request) Persistent() bool { return !r.null() && r.persistent }

// Comm is the communicator of the operation.
func (r *Request) Comm() *Comm { return r.comm }

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
	if !done || errors.Is(err, rpi.ErrProcFailedPending) {
		r.comm.process.transport.Advance()
		status, done, err = r.outcome()
	}
	return status, done && !errors.Is(err, rpi.ErrProcFailedPending), err
}

// Status is Test that does not hand out the outcome: a persistent request stays active, and WaitAny and its like do not pass
// the request over.
func (r *Request) Status() (Status, bool, error) {
	if r.null() {
		return EmptyStatus, true, nil
	}
	if !r.completed() {
		r.comm.process.transport.Advance()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.settle(); !r.settled {
		return EmptyStatus, false, nil
	}
	return r.status, true, r.err
}

// Done returns a channel that is closed when the request has completed.
func (r *Request) Done() <-chan struct{} {
	if r.null() {
		return closedChannel
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.settled {
		return closedChannel
	}
	return r.raw.Done()
}

// Cancel asks that the operation be given up, and returns at once.
func (r *Request) Cancel(op string) error {
	if r.null() {
		return mpierr.Invalid(op, rpi.ErrRequest, "the request is nil")
	}
	raw, round := r.use()
	if raw == nil {
		return nil
	}
	defer r.release(round)
	if !r.message {
		return r.work.(Work).Cancel(op)
	}
	if !raw.Completed() {
		r.comm.process.transport.Cancel(raw)
	}
	return nil
}

var closedChannel = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

func (r *Request) null() bool { return r == nil || r.comm == nil }

// Active reports whether a set of requests has to wait for r: its outcome has not been handed out.
func (r *Request) Active() bool { return !r.null() && !r.returned.Load() }

// ready reports whether r is active and has completed.
func (r *Request) ready() bool { return r.Active() && r.completed() }

// use returns raw, if the operation is under way. Then raw and work are not given back before the release of that run.
func (r *Request) use() (raw *rpi.Request, round uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.settled || r.starting {
		return nil, 0
	}
	r.users++
	return r.raw, r.round
}

// release ends a use. If the request has been started again since, what was used has been left to it.
func (r *Request) release(round uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.round == round {
		r.users--
		r.recycle()
	}
}

// recycle gives back what is not needed any more.
func (r *Request) recycle() {
	if !r.settled || r.users > 0 {
		return
	}
	if r.message && r.raw != nil {
		recycle(r.raw)
		r.raw = nil
	}
	if r.released || r.persistent && !r.freed {
		return
	}
	r.released = true
	if !r.message {
		r.work.(Work).Release()
		r.raw = nil
	}
	r.comm.release()
}

// subscribe has w signalled when the request completes, which it has not if under way is true. round is to tell
// this run from later ones.
func (r *Request) subscribe(w *rpi.Waiter) (round uint32, underWay bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.round, !r.settled && r.raw.Subscribe(w)
}

// unsubscribe withdraws w, if it is there.
func (r *Request) unsubscribe(w *rpi.Waiter) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.raw != nil {
		r.raw.Unsubscribe(w)
	}
}

// completed reports whether r, which is not null, has completed.
func (r *Request) completed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.settled || r.raw.Completed()
}

// underWay reports whether a run has not completed.
func (r *Request) underWay(round uint32) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.round == round && !r.settled && !r.raw.Completed()
}

// outcome hands out the outcome of the request, if it has completed. Otherwise it reports false, and the Status is
// empty.
func (r *Request) outcome() (status Status, done bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.take()
}

// outcomeOf is outcome for a goroutine that has waited for a run. If another one has started the request again since
// it has had the outcome.
func (r *Request) outcomeOf(round uint32) (status Status, done bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.round != round {
		return EmptyStatus, true, nil
	}
	return r.take()
}

// claim is outcome of an active request. If it reports true no other goroutine has had the outcome.
func (r *Request) claim() (status Status, claimed bool, err error) {
	if !r.Active() {
		return EmptyStatus, false, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.returned.Load() {
		return EmptyStatus, false, nil
	}
	return r.take()
}

// peek is claim that leaves the request as it is.
func (r *Request) peek() (status Status, done bool, err error) {
	if !r.Active() {
		return EmptyStatus, false, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.settle(); !r.settled {
		err = r.interrupted()
		return EmptyStatus, err != nil, err
	}
	return r.status, true, r.err
}

// take is outcome, for those that hold mu.
func (r *Request) take() (status Status, done bool, err error) {
	if r.settle(); !r.settled {
		err = r.interrupted()
		return EmptyStatus, err != nil, err
	}
	r.returned.Store(true)
	status, err = r.status, r.err
	if r.persistent { // it is inactive
		r.status, r.err = EmptyStatus, nil
	}
	return status, true, err
}

// interrupted is ErrProcFailedPending if the request, which is under way, must not be waited for: see failure.State.Interrupted.
func (r *Request) interrupted() error {
	if !r.message || r.starting {
		return nil
	}
	if cause := r.comm.failures.Interrupted(r.raw); cause != nil {
		return r.comm.undecided(r.op, r.raw, cause)
	}
	return nil
}

// Interrupted is the error of a request that cannot be waited for now, nil if it can, or has completed.
func (r *Request) Interrupted() error {
	if r.null() {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.settle(); r.settled {
		return nil
	}
	return r.interrupted()
}

// settle finds out the outcome if the operation has completed, and lets go of what it needed. settled says whether the
// outcome is known then.
func (r *Request) settle() {
	if !r.settled && r.raw.Completed() {
		r.end()
	}
}

// end is settle of an operation that has completed.
func (r *Request) end() {
	r.settled = true
	if r.message {
		unpack(r.raw)
		if t := r.comm.process.trace; t != nil {
			t.received(r.raw)
		}
		if r.status = r.comm.status(r.raw); r.raw.Err != nil {
			r.err = r.comm.failure(r.op, r.raw)
		}
	} else {
		r.status, r.err = r.work.(Work).Outcome()
	}
	r.recycle()
}

// pending is the error of waiting for r when that was given up.
func (r *Request) pending(cause error) *mpierr.Error {
	r.mu.Lock()
	defer r.mu.Unlock()
	what := "it"
	if r.message && r.raw != nil {
		what = r.comm.describe(r.raw)
	}
	return mpierr.Because(cause, r.op, rpi.ErrPending, "%s is still under way: %v", what, cause)
}
