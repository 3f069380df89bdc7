package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"context"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

// completed ends what the program has of a request whose outcome has been handed out: its handle, unless it is persistent. A request that
// still is active stays: it may have MPIX_ERR_PROC_FAILED_PENDING.
func completed(h *C.uintptr_t, r *core.Request) {
	if r.Persistent() || r.Active() {
		return
	}
	requests.Remove(handle.Handle(*h))
	*h = requestNull
	r.Recycle()
}

// ownerOf is the object whose error handler counts for a request, nil if there is none.
func ownerOf(r *core.Request) owner {
	if r == nil {
		return nil
	}
	if c := faceOf(r.Comm()); c != nil {
		return c
	}
	if w, ok := windowFaces.Load(r.Comm()); ok {
		return w.(*win)
	}
	if f, ok := fileFaces.Load(r.Comm()); ok {
		return f.(*fileObject)
	}
	return nil
}

// failRequest is the code of the error of a request.
func failRequest(r *core.Request, err error) C.int {
	if err == nil {
		return 0
	}
	return fail(ownerOf(r), err)
}

//export sctpmpi_Wait
func sctpmpi_Wait(request *C.uintptr_t, status *C.sctpmpi_status) C.int {
	r, err := requestOf(*request)
	if err != nil {
		return fail(nil, err)
	}
	s, err := r.Wait(context.Background())
	give(status, s)
	code := failRequest(r, err)
	completed(request, r)
	return code
}

//export sctpmpi_Test
func sctpmpi_Test(request *C.uintptr_t, flag *C.int, status *C.sctpmpi_status) C.int {
	r, err := requestOf(*request)
	if err != nil {
		return fail(nil, err)
	}
	s, done, err := r.Test()
	*flag = truth(done)
	if !done {
		return failRequest(r, err)
	}
	give(status, s)
	code := failRequest(r, err)
	completed(request, r)
	return code
}

//export sctpmpi_Cancel
func sctpmpi_Cancel(request *C.uintptr_t) C.int {
	r, err := requestOf(*request)
	if err != nil {
		return fail(nil, err)
	}
	return failRequest(r, r.Cancel("MPI_Cancel"))
}

//export sctpmpi_Request_get_status
func sctpmpi_Request_get_status(request C.uintptr_t, flag *C.int, status *C.sctpmpi_status) C.int {
	r, err := requestOf(request)
	if err != nil {
		return fail(nil, err)
	}
	s, done, err := r.Status()
	*flag = truth(done)
	if done {
		give(status, s)
	}
	return failRequest(r, err)
}

//export sctpmpi_Request_free
func sctpmpi_Request_free(request *C.uintptr_t) C.int {
	r, err := requestOf(*request)
	if err != nil {
		return fail(nil, err)
	}
	if err := r.Free("MPI_Request_free"); err != nil {
		return failRequest(r, err)
	}
	requests.Remove(handle.Handle(*request))
	*request = requestNull
	return 0
}
