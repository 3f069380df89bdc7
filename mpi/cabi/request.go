package main

// #include "sctpmpi.h"
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

func mpiWait(r *core.Request, request *C.uintptr_t, status *C.sctpmpi_status) C.int {
	s, err := r.Wait(context.Background())
	give(status, s)
	code := failRequest(r, err)
	completed(request, r)
	return code
}

func mpiTest(r *core.Request, request *C.uintptr_t, flag *C.int, status *C.sctpmpi_status) C.int {
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

func mpiCancel(r *core.Request) error { return r.Cancel("MPI_Cancel") }

func mpiRequestGetStatus(r *core.Request, flag *C.int, status *C.sctpmpi_status) error {
	s, done, err := r.Status()
	*flag = truth(done)
	if done {
		give(status, s)
	}
	return err
}

func mpiRequestFree(r *core.Request, h *C.uintptr_t) error {
	if err := r.Free("MPI_Request_free"); err != nil {
		return err
	}
	requests.Remove(handle.Handle(*h))
	*h = requestNull
	return nil
}
