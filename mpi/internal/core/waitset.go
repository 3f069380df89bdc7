package core

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// RequestError is the error of one of several requests, within what errors.Join returns.
type RequestError struct {
	Index int
	Err   error
}

func (e *RequestError) Error() string { return fmt.Sprintf("request %d: %v", e.Index, e.Err) }

// Unwrap returns the error.
func (e *RequestError) Unwrap() error { return e.Err }

// WaitAll waits for all requests and appends their statuses to those given, in order. The error joins those of the
// requests that failed, each with its index. It allocates nothing if there is room for the statuses.
func WaitAll(ctx context.Context, reqs []*Request, statuses []Status) ([]Status, error) {
	w := rpi.NewWaiter()
	defer w.Release()
	var failed []error
	var ended error // the cause, once ctx has ended
	looked := false
	for i, r := range reqs {
		if r.null() {
			statuses = append(statuses, EmptyStatus)
			continue
		}
		if !looked {
			// A short send is complete before its message leaves, since others may
			// follow soon. None will follow now, so the message must leave.
			looked = true
			if r.completed() {
				r.comm.process.transport.Advance()
			}
		}
		status, err := r.waitWith(ctx, w, &ended)
		if err != nil {
			failed = append(failed, &RequestError{i, err})
		}
		statuses = append(statuses, status)
	}
	return statuses, errors.Join(failed...)
}

// waitWith is Wait with a waiter that is subscribed nowhere. If *ended is set, ctx has ended
// before, and it does not wait. When ctx ends it sets *ended to the cause.
func (r *Request) waitWith(ctx context.Context, w *rpi.Waiter, ended *error) (Status, error) {
	status, done, err := r.outcome()
	if done {
		return status, err
	}
	r.help(ctx)
	round, underWay := r.subscribe(w)
	for underWay && *ended == nil && r.Interrupted() == nil {
		cause := r.comm.process.move(orBackground(ctx), w)
		if underWay = r.underWay(round); underWay {
			*ended = cause
		}
	}
	r.unsubscribe(w)
	if status, done, err = r.outcomeOf(round); !done {
		return EmptyStatus, r.pending(*ended)
	}
	return status, err
}

// TestAll reports whether all requests have completed, and only then their
// outcome as WaitAll does.
func TestAll(reqs []*Request, statuses []Status) ([]Status, bool, error) {
	if !allCompleted(reqs) {
		return statuses, false, interrupted(reqs)
	}
	statuses, err := WaitAll(context.Background(), reqs, statuses)
	return statuses, true, err
}

// interrupted joins the errors of the requests that cannot be waited for now.
func interrupted(reqs []*Request) error {
	var errs []error
	for i, r := range reqs {
		if err := r.Interrupted(); err != nil {
			errs = append(errs, &RequestError{i, err})
		}
	}
	return errors.Join(errs...)
}

// StatusAll is TestAll that does not hand out the outcomes.
func StatusAll(reqs []*Request, statuses []Status) ([]Status, bool, error) {
	if !allCompleted(reqs) {
		return statuses, false, nil
	}
	var failed []error
	for i, r := range reqs {
		status, _, err := r.Status()
		if statuses = append(statuses, status); err != nil {
			failed = append(failed, &RequestError{i, err})
		}
	}
	return statuses, true, errors.Join(failed...)
}

// allCompleted reports whether all requests have completed. It moves messages.
func allCompleted(reqs []*Request) bool {
	open := func(r *Request) bool { return !r.null() && !r.completed() }
	i := slices.IndexFunc(reqs, open)
	if i < 0 {
		return true
	}
	reqs[i].comm.process.transport.Advance()
	return !slices.ContainsFunc(reqs[i:], open)
}

// advance moves messages for requests of which none has completed.
func advance(reqs []*Request) {
	if i := slices.IndexFunc(reqs, (*Request).Active); i >= 0 {
		reqs[i].comm.process.transport.Advance()
	}
}

// WaitAny waits until one of the requests has completed and returns its index
// and outcome. It passes over requests whose outcome has been returned; with none
// left the index is -1.
func WaitAny(ctx context.Context, op string, reqs []*Request) (int, Status, error) {
	s := waitset{op: op, reqs: reqs}
	defer s.close()
	for {
		i, status, found, err := takeAny(reqs, (*Request).claim)
		if found {
			return i, status, err
		}
		if err := s.await(ctx); err != nil {
			return -1, EmptyStatus, err
		}
	}
}

// TestAny is WaitAny without waiting. If no request has completed, but some
// are active, it reports false.
func TestAny(reqs []*Request) (int, Status, bool, error) {
	i, status, found, err := takeAny(reqs, (*Request).claim)
	if !found {
		advance(reqs)
		return takeAny(reqs, (*Request).claim)
	}
	return i, status, found, err
}

// StatusAny is TestAny that does not hand out the outcome.
func StatusAny(reqs []*Request) (int, Status, bool, error) {
	if !slices.ContainsFunc(reqs, (*Request).ready) {
		advance(reqs)
	}
	return takeAny(reqs, (*Request).peek)
}

// look is how to look at requests of a set: claim or peek.
type look func(r *Request) (status Status, done bool, err error)

func takeAny(reqs []*Request, take look) (int, Status, bool, error) {
	idle := true
	for i, r := range reqs {
		if status, done, err := take(r); done {
			return i, status, true, err
		}
		idle = idle && !r.Active()
	}
	return -1, EmptyStatus, idle, nil
}

// WaitSome waits until at least one of the requests has completed. It appends the indices of all that have, and their
// statuses, to those given.
func WaitSome(ctx context.Context, op string, reqs []*Request, indices []int, statuses []Status) ([]int, []Status, error) {
	s := waitset{op: op, reqs: reqs}
	defer s.close()
	for {
		more, moreStatuses, err := takeSome(reqs, (*Request).claim, indices, statuses)
		if len(more) > len(indices) || !slices.ContainsFunc(reqs, (*Request).Active) {
			return more, moreStatuses, err
		}
		if err := s.await(ctx); err != nil {
			return indices, statuses, err
		}
	}
}

// TestSome is WaitSome without waiting.
func TestSome(reqs []*Request, indices []int, statuses []Status) ([]int, []Status, error) {
	more, moreStatuses, err := takeSome(reqs, (*Request).claim, indices, statuses)
	if len(more) == len(indices) {
		advance(reqs)
		return takeSome(reqs, (*Request).claim, indices, statuses)
	}
	return more, moreStatuses, err
}

// StatusSome is TestSome that does not hand out the outcomes.
func StatusSome(reqs []*Request, indices []int, statuses []Status) ([]int, []Status, error) {
	if !slices.ContainsFunc(reqs, (*Request).ready) {
		advance(reqs)
	}
	return takeSome(reqs, (*Request).peek, indices, statuses)
}

func takeSome(reqs []*Request, take look, indices []int, statuses []Status) ([]int, []Status, error) {
	var failed []error
	for i, r := range reqs {
		status, done, err := take(r)
		if !done {
			continue
		}
		indices, statuses = append(indices, i), append(statuses, status)
		if err != nil {
			failed = append(failed, &RequestError{i, err})
		}
	}
	return indices, statuses, errors.Join(failed...)
}

// waitset lets one goroutine wait for the first of several requests.
type waitset struct {
	op     string
	reqs   []*Request
	waiter *rpi.Waiter // nil until the first await
}

// await returns when a request may have completed since the last call, or ctx
// has ended while all active ones are under way.
func (s *waitset) await(ctx context.Context) error {
	var active *Request
	for _, r := range s.reqs {
		if r.Active() {
			active = r
			break
		}
	}
	if active == nil {
		return nil
	}
	s.subscribe()
	err := active.comm.process.move(orBackground(ctx), s.waiter)
	if err == nil || slices.ContainsFunc(s.reqs, (*Request).ready) {
		return nil
	}
	return mpierr.Because(err, s.op, rpi.ErrPending, "no request of %d has completed: %v", len(s.reqs), err)
}

// subscribe makes active requests signal the waiter when they complete, those too that were started again meanwhile.
func (s *waitset) subscribe() {
	if s.waiter == nil {
		s.waiter = rpi.NewWaiter()
	}
	subscribed := false
	for _, r := range s.reqs {
		if !r.Active() {
			continue
		}
		if _, underWay := r.subscribe(s.waiter); underWay && r.Interrupted() == nil {
			subscribed = true
		} else {
			s.waiter.Signal()
		}
	}
	if !subscribed {
		s.waiter.Signal() // other goroutines have waited for them meanwhile
	}
}

func (s *waitset) close() {
	if s.waiter == nil {
		return
	}
	for _, r := range s.reqs {
		if !r.null() {
			r.unsubscribe(s.waiter)
		}
	}
	s.waiter.Release()
}
