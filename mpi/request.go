package mpi

import (
	"context"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

// Request is an operation that has been started and may still be under way
// (MPI 4.1, section 3.7). It keeps its buffer reachable until it has completed
// and its outcome has been asked for.
//
// All methods may be called from several goroutines, and any number of times:
// every Wait and Test after completion returns the same. A request without a
// Wait completes all the same, and needs no Free. A nil Request is inactive,
// like MPI_REQUEST_NULL: it counts as complete with an empty Status. So does a
// persistent request, see SendInit, before it is started and from the first Wait or
// Test on that has returned the outcome.
type Request struct{ request core.Request }

// Wait waits until the request has completed and returns its outcome
// (MPI_WAIT; section 3.7.3). When ctx ends first Wait returns ErrPending,
// which wraps the cause; the operation goes on all the same, and its buffer
// stays in use. To end it, Cancel it and Wait again.
func (r *Request) Wait(ctx context.Context) (Status, error) { return outcome(r.core().Wait(ctx)) }

// Test reports whether the request has completed, and if so its outcome
// (MPI_TEST; section 3.7.3). It moves messages, so that a loop over it comes to an end
// even if the program does nothing else, and lets other goroutines run now and then.
func (r *Request) Test() (Status, bool, error) {
	status, done, err := r.core().Test()
	return Status(status), done, public(err)
}

// Status is Test that leaves the request as it is (MPI_REQUEST_GET_STATUS; section 3.7.6): a persistent one stays active,
// and WaitAny and its like do not pass it over.
func (r *Request) Status() (Status, bool, error) {
	status, done, err := r.core().Status()
	return Status(status), done, public(err)
}

// Done returns a channel that is closed when the request has completed, for
// use in select. Wait and Test then give the outcome at once.
func (r *Request) Done() <-chan struct{} { return r.core().Done() }

// Cancel asks that the operation be given up (MPI_CANCEL; section 3.8.4) and
// returns at once; the request completes in any case. If the cancellation was
// in time, its Status says Cancelled and nothing was transferred; otherwise
// the operation ends as if Cancel had not been called. A receive can be
// cancelled until it has matched; a send until it has matched at its receiver
// or, if short, until it has left. The only error is ErrRequest, for nil.
func (r *Request) Cancel() error { return public(r.core().Cancel("mpi.Cancel")) }
