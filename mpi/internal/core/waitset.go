package core

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// WaitAll waits for all requests and returns their statuses in order. The error
// joins those of the requests that failed, each with its index.
func WaitAll(ctx context.Context, reqs []*Request) ([]Status, error) {
	statuses := make([]Status, len(reqs))
	w := rpi.NewWaiter()
	defer w.Release()
	var failed []error
	var ended error // the cause, once ctx has ended
	looked := false
	for i, r := range reqs {
		if r.null() {
			statuses[i] = EmptyStatus
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
		var err error
		if statuses[i], err = r.waitWith(ctx, w, &ended); err != nil {
			failed = append(failed, fmt.Errorf("request %d: %w", i, err))
		}
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
	raw := r.use()
	if raw == nil { // another goroutine has been faster
		status, _, err = r.outcome()
		return status, err
	}
	defer r.release()
	if *ended == nil {
		*ended = r.comm.process.awaitWith(orBackground(ctx), raw, w)
	}
	if status, done, err = r.outcome(); !done {
		return EmptyStatus, r.pending(raw, *ended)
	}
	return status, err
}

// TestAll reports whether all requests have completed, and only then their
// outcome as WaitAll does.
func TestAll(reqs []*Request) ([]Status, bool, error) {
	open := func(r *Request) bool { return !r.null() && !r.completed() }
	if i := slices.IndexFunc(reqs, open); i >= 0 {
		reqs[i].comm.process.transport.Advance()
		if slices.ContainsFunc(reqs[i:], open) {
			return nil, false, nil
		}
	}
	statuses, err := WaitAll(context.Background(), reqs)
	return statuses, true, err
}

// advance moves messages for requests of which none has completed.
func advance(reqs []*Request) {
	if i := slices.IndexFunc(reqs, (*Request).active); i >= 0 {
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
		i, status, found, err := takeAny(reqs)
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
	i, status, found, err := takeAny(reqs)
	if !found {
		advance(reqs)
		return takeAny(reqs)
	}
	return i, status, found, err
}

func takeAny(reqs []*Request) (int, Status, bool, error) {
	idle := true
	for i, r := range reqs {
		if r.claim() {
			status, _, err := r.outcome()
			return i, status, true, err
		}
		idle = idle && !r.active()
	}
	return -1, EmptyStatus, idle, nil
}

// WaitSome waits until at least one of the requests has completed and returns
// the indices of all that have, and their statuses.
func WaitSome(ctx context.Context, op string, reqs []*Request) ([]int, []Status, error) {
	s := waitset{op: op, reqs: reqs}
	defer s.close()
	for {
		indices, statuses, err := takeSome(reqs)
		if indices != nil || !slices.ContainsFunc(reqs, (*Request).active) {
			return indices, statuses, err
		}
		if err := s.await(ctx); err != nil {
			return nil, nil, err
		}
	}
}

// TestSome is WaitSome without waiting.
func TestSome(reqs []*Request) ([]int, []Status, error) {
	indices, statuses, err := takeSome(reqs)
	if indices == nil {
		advance(reqs)
		return takeSome(reqs)
	}
	return indices, statuses, err
}

func takeSome(reqs []*Request) ([]int, []Status, error) {
	var (
		indices  []int
		statuses []Status
		failed   []error
	)
	for i, r := range reqs {
		if !r.claim() {
			continue
		}
		status, _, err := r.outcome()
		indices, statuses = append(indices, i), append(statuses, status)
		if err != nil {
			failed = append(failed, fmt.Errorf("request %d: %w", i, err))
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
		if r.active() {
			active = r
			break
		}
	}
	if active == nil {
		return nil
	}
	if s.waiter == nil {
		s.subscribe()
	}
	err := active.comm.process.move(orBackground(ctx), s.waiter)
	if err == nil || slices.ContainsFunc(s.reqs, (*Request).ready) {
		return nil
	}
	return mpierr.Because(err, s.op, rpi.ErrPending, "no request of %d has completed: %v", len(s.reqs), err)
}

// subscribe makes active requests signal the waiter when they complete. It uses all requests
// that have not been given back, so that close finds the same ones.
func (s *waitset) subscribe() {
	s.waiter = rpi.NewWaiter()
	subscribed := false
	for _, r := range s.reqs {
		if r.null() {
			continue
		}
		active, raw := r.active(), r.use()
		switch {
		case !active || raw == nil:
		case raw.Subscribe(s.waiter):
			subscribed = true
		default:
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
