package main

// #include "sctpmpi.h"
import "C"

import (
	"context"
	"errors"
	"slices"
	"sync"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

// requestSet is an array of requests of the program, and room for what core says of them.
type requestSet struct {
	handles  []C.uintptr_t // the program's
	requests []*core.Request
	statuses []core.Status
	indices  []int
}

var requestSets = sync.Pool{New: func() any { return new(requestSet) }}

// requestsAt finds the requests of an array. release gives the set back.
func requestsAt(array *C.uintptr_t, n C.int) (*requestSet, error) {
	if n < 0 || n > 0 && array == nil {
		return nil, faultf(errArg, "an array of %d requests", int(n))
	}
	s := requestSets.Get().(*requestSet)
	s.handles = unsafe.Slice(array, n)
	for i, h := range s.handles {
		r, err := requestOf(h)
		if err != nil {
			s.release()
			return nil, faultf(errRequest, "request %d: %v", i, err)
		}
		s.requests = append(s.requests, r)
	}
	return s, nil
}

func (s *requestSet) release() {
	clear(s.requests)
	s.handles, s.requests, s.statuses, s.indices = nil, s.requests[:0], s.statuses[:0], s.indices[:0]
	requestSets.Put(s)
}

// active reports whether there is a request to wait for.
func (s *requestSet) active() bool {
	return slices.ContainsFunc(s.requests, (*core.Request).Active)
}

// all passes the outcomes of all requests to the program.
func (s *requestSet) all(to *C.sctpmpi_status, err error) C.int {
	for i := range s.statuses {
		give(at(to, i), s.statuses[i])
	}
	code := s.failed(to, len(s.statuses), err, func(i int) int { return i })
	for i, r := range s.requests {
		completed(&s.handles[i], r)
	}
	return code
}

// some passes the outcomes of the requests with the indices to the program.
func (s *requestSet) some(indices *C.int, to *C.sctpmpi_status, err error) C.int {
	code := s.look(indices, to, err)
	for _, i := range s.indices {
		completed(&s.handles[i], s.requests[i])
	}
	return code
}

// look is some that leaves the requests as they are.
func (s *requestSet) look(indices *C.int, to *C.sctpmpi_status, err error) C.int {
	for k, i := range s.indices {
		unsafe.Slice(indices, k+1)[k] = C.int(i)
		give(at(to, k), s.statuses[k])
	}
	return s.failed(to, len(s.indices), err, func(i int) int { return slices.Index(s.indices, i) })
}

// failed is the code of the errors of several requests, MPI_ERR_IN_STATUS, and has each in its status. place is where that of a
// request is.
func (s *requestSet) failed(to *C.sctpmpi_status, n int, err error, place func(i int) int) C.int {
	if err == nil {
		return 0
	}
	for k := range n {
		if status := at(to, k); status != nil {
			status.error = 0
		}
	}
	var of owner
	each, _ := err.(interface{ Unwrap() []error })
	for _, e := range each.Unwrap() {
		var one *core.RequestError
		if !errors.As(e, &one) {
			continue
		}
		if of == nil {
			of = ownerOf(s.requests[one.Index])
		}
		if status := at(to, place(one.Index)); status != nil {
			status.error = C.int(failed(ownerOf(s.requests[one.Index]), one.Err))
		}
	}
	_, text := classOf(err)
	return fail(of, faultf(errInStatus, "%s", text))
}

// at is an element of an array of statuses, nil if there is no array.
func at(array *C.sctpmpi_status, i int) *C.sctpmpi_status {
	if array == nil {
		return nil
	}
	return (*C.sctpmpi_status)(unsafe.Add(unsafe.Pointer(array), i*int(unsafe.Sizeof(*array))))
}

func mpiWaitall(s *requestSet, statuses *C.sctpmpi_status) C.int {
	var err error
	s.statuses, err = core.WaitAll(context.Background(), s.requests, s.statuses)
	return s.all(statuses, err)
}

func mpiTestall(s *requestSet, flag *C.int, statuses *C.sctpmpi_status) C.int {
	var done bool
	var err error
	s.statuses, done, err = core.TestAll(s.requests, s.statuses)
	if *flag = truth(done); !done {
		return 0
	}
	return s.all(statuses, err)
}

func mpiWaitany(s *requestSet, index *C.int, status *C.sctpmpi_status) C.int {
	i, of, err := core.WaitAny(context.Background(), "MPI_Waitany", s.requests)
	return s.one(i, of, err, index, status)
}

func mpiTestany(s *requestSet, index, flag *C.int, status *C.sctpmpi_status) C.int {
	i, of, done, err := core.TestAny(s.requests)
	if *flag = truth(done); !done {
		*index = undefined
		return 0
	}
	return s.one(i, of, err, index, status)
}

// one passes the outcome of a request to the program; with i below 0 that there is none to wait for.
func (s *requestSet) one(i int, of core.Status, err error, index *C.int, status *C.sctpmpi_status) C.int {
	give(status, of)
	if i < 0 {
		*index = undefined
		return fail(nil, err)
	}
	*index = C.int(i)
	code := failRequest(s.requests[i], err)
	completed(&s.handles[i], s.requests[i])
	return code
}

// someOf asks which of some requests have completed, and passes that to the program.
func someOf(count C.int, requests *C.uintptr_t, outcount, indices *C.int, statuses *C.sctpmpi_status,
	ask func(requests []*core.Request, indices []int, statuses []core.Status) ([]int, []core.Status, error),
	pass func(s *requestSet, indices *C.int, to *C.sctpmpi_status, err error) C.int) C.int {
	*outcount = 0 // after an error none is done
	s, err := requestsAt(requests, count)
	if err != nil {
		return fail(nil, err)
	}
	defer s.release()
	if indices == nil && count > 0 {
		return fail(nil, errNoPlace)
	}
	if !s.active() {
		*outcount = undefined
		return 0
	}
	s.indices, s.statuses, err = ask(s.requests, s.indices, s.statuses)
	*outcount = C.int(len(s.indices))
	return pass(s, indices, statuses, err)
}

func waitSome(requests []*core.Request, indices []int, statuses []core.Status) ([]int, []core.Status, error) {
	return core.WaitSome(context.Background(), "MPI_Waitsome", requests, indices, statuses)
}

//export sctpmpi_Waitsome
func sctpmpi_Waitsome(count C.int, requests *C.uintptr_t, outcount, indices *C.int, statuses *C.sctpmpi_status) C.int {
	return someOf(count, requests, outcount, indices, statuses, waitSome, (*requestSet).some)
}

//export sctpmpi_Testsome
func sctpmpi_Testsome(count C.int, requests *C.uintptr_t, outcount, indices *C.int, statuses *C.sctpmpi_status) C.int {
	return someOf(count, requests, outcount, indices, statuses, core.TestSome, (*requestSet).some)
}

// The following look at requests, and leave them as they are. An error is in the status, or what they return.

func mpiRequestGetStatusAll(s *requestSet, flag *C.int, statuses *C.sctpmpi_status) C.int {
	var done bool
	var err error
	s.statuses, done, err = core.StatusAll(s.requests, s.statuses)
	if *flag = truth(done); !done {
		return 0
	}
	for i := range s.statuses {
		give(at(statuses, i), s.statuses[i])
	}
	return s.failed(statuses, len(s.statuses), err, func(i int) int { return i })
}

func mpiRequestGetStatusAny(s *requestSet, index, flag *C.int, status *C.sctpmpi_status) C.int {
	i, of, done, err := core.StatusAny(s.requests)
	*index = undefined
	if *flag = truth(done); !done {
		return 0
	}
	give(status, of)
	if i < 0 {
		return fail(nil, err)
	}
	*index = C.int(i)
	return failRequest(s.requests[i], err)
}

//export sctpmpi_Request_get_status_some
func sctpmpi_Request_get_status_some(count C.int, requests *C.uintptr_t, outcount, indices *C.int, statuses *C.sctpmpi_status) C.int {
	return someOf(count, requests, outcount, indices, statuses, core.StatusSome, (*requestSet).look)
}
