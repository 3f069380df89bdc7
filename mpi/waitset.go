package mpi

import (
	"context"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

// WaitAll waits for all requests and returns their statuses in order
// (MPI_WAITALL; MPI 4.1, section 3.7.5); nil ones have an empty Status. The
// error joins those of the requests that failed, each with its index. When ctx
// ends, the requests that are not complete fail with ErrPending and go on.
func WaitAll(ctx context.Context, reqs ...*Request) ([]Status, error) {
	return WaitAllInto(ctx, make([]Status, 0, len(reqs)), reqs...)
}

// WaitAllInto is WaitAll that appends to statuses, so that it allocates nothing if there is room:
//
//	statuses, err = mpi.WaitAllInto(ctx, statuses[:0], requests...)
func WaitAllInto(ctx context.Context, statuses []Status, reqs ...*Request) ([]Status, error) {
	s, err := core.WaitAll(ctx, coreRequests(reqs), coreStatuses(statuses))
	return newStatuses(s), err
}

// TestAll reports whether all requests have completed, and only then their
// outcome as WaitAll does (MPI_TESTALL; section 3.7.5).
func TestAll(reqs ...*Request) ([]Status, bool, error) {
	statuses, done, err := core.TestAll(coreRequests(reqs), nil)
	return newStatuses(statuses), done, err
}

// WaitAny waits until one of the requests has completed and returns its index
// and outcome (MPI_WAITANY; section 3.7.5). Requests that are nil, and those
// whose outcome WaitAny or any other call has returned before, are passed
// over, so that calling WaitAny again with the same requests gives the next
// one. With none left the index is -1 (MPI_UNDEFINED) and the Status empty.
// When ctx ends first the index is -1 and the error ErrPending; the requests
// go on.
func WaitAny(ctx context.Context, reqs ...*Request) (int, Status, error) {
	i, status, err := core.WaitAny(ctx, "mpi.WaitAny", coreRequests(reqs))
	return i, Status(status), public(err)
}

// TestAny returns the outcome of one request that has completed, as WaitAny
// does, without waiting (MPI_TESTANY; section 3.7.5). If none has, but some
// are active, it reports false.
func TestAny(reqs ...*Request) (int, Status, bool, error) {
	i, status, found, err := core.TestAny(coreRequests(reqs))
	return i, Status(status), found, public(err)
}

// WaitSome waits until at least one of the requests has completed and returns
// the indices of all that have, and their statuses (MPI_WAITSOME; section
// 3.7.5). It passes over the same requests as WaitAny; with none left, all
// results are nil. The error joins those of the requests that failed.
func WaitSome(ctx context.Context, reqs ...*Request) ([]int, []Status, error) {
	return WaitSomeInto(ctx, nil, nil, reqs...)
}

// WaitSomeInto is WaitSome that appends to indices and statuses, so that it allocates nothing if there is room.
func WaitSomeInto(ctx context.Context, indices []int, statuses []Status, reqs ...*Request) ([]int, []Status, error) {
	indices, s, err := core.WaitSome(ctx, "mpi.WaitSome", coreRequests(reqs), indices, coreStatuses(statuses))
	return indices, newStatuses(s), public(err)
}

// TestSome is WaitSome without waiting (MPI_TESTSOME; section 3.7.5).
func TestSome(reqs ...*Request) ([]int, []Status, error) {
	indices, statuses, err := core.TestSome(coreRequests(reqs), nil, nil)
	return indices, newStatuses(statuses), err
}

// StatusAll is TestAll that leaves the requests as they are: see Request.Status (MPI_REQUEST_GET_STATUS_ALL; section
// 3.7.6).
func StatusAll(reqs ...*Request) ([]Status, bool, error) {
	statuses, done, err := core.StatusAll(coreRequests(reqs), nil)
	return newStatuses(statuses), done, err
}

// StatusAny is TestAny that leaves the requests as they are, so that it may return the same one again
// (MPI_REQUEST_GET_STATUS_ANY; section 3.7.6).
func StatusAny(reqs ...*Request) (int, Status, bool, error) {
	i, status, found, err := core.StatusAny(coreRequests(reqs))
	return i, Status(status), found, public(err)
}

// StatusSome is TestSome that leaves the requests as they are (MPI_REQUEST_GET_STATUS_SOME; section 3.7.6).
func StatusSome(reqs ...*Request) ([]int, []Status, error) {
	indices, statuses, err := core.StatusSome(coreRequests(reqs), nil, nil)
	return indices, newStatuses(statuses), err
}
