package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
)

// errhandler is an error handler (MPI 4.1, section 9.3).
type errhandler struct {
	handle     handle.Handle
	kind       handle.Kind // of the objects that it is for, 0: all
	invoke, fn unsafe.Pointer
	uses       int // handles that the program has to free; handlersMu is held
}

// The predefined error handlers.
var (
	areFatal     = &errhandler{handle: 0x141}
	errorsAbort  = &errhandler{handle: 0x142}
	errorsReturn = &errhandler{handle: 0x143}
)

var (
	errhandlers = handle.NewTable[errhandler](handle.Errhandler)
	handlersMu  sync.Mutex
)

// handling is what an object with an error handler has: nil is the default one.
type handling struct{ handler atomic.Pointer[errhandler] }

func (h *handling) errors() *handling { return h }

// inherit takes the handler of the object that this one is made of.
func (h *handling) inherit(from *handling) { h.handler.Store(from.handler.Load()) }

// handlerOf is the handler of an object.
func handlerOf(of owner) *errhandler {
	if h := of.errors().handler.Load(); h != nil {
		return h
	}
	if kind, _ := of.object(); kind == handle.File {
		return errorsReturn
	}
	return areFatal
}

// errhandlerOf is the error handler with a handle, which must be for objects of a kind.
func errhandlerOf(h C.uintptr_t, kind handle.Kind) (*errhandler, error) {
	for _, p := range []*errhandler{areFatal, errorsAbort, errorsReturn} {
		if h == C.uintptr_t(p.handle) {
			return p, nil
		}
	}
	e := errhandlers.Get(handle.Handle(h))
	switch {
	case h == errhandlerNull:
		return nil, faultf(errErrhandler, "the error handler is MPI_ERRHANDLER_NULL")
	case e == nil:
		return nil, noHandle(errErrhandler, handle.Errhandler, uintptr(h), "error handler", "freed")
	case e.kind != kind:
		return nil, faultf(errErrhandler, "the error handler is for objects of another kind")
	}
	return e, nil
}

// createErrhandler makes an error handler for objects of a kind.
func createErrhandler(kind handle.Kind, invoke, fn unsafe.Pointer, to *C.uintptr_t) C.int {
	if invoke == nil {
		return fail(nil, faultf(errArg, "the function is a null pointer"))
	}
	e := &errhandler{kind: kind, invoke: invoke, fn: fn, uses: 1}
	if e.handle = errhandlers.Add(e); e.handle == 0 {
		return fail(nil, tooMany("error handlers"))
	}
	*to = C.uintptr_t(e.handle)
	return 0
}

// setErrhandler gives an object, which has been found unless err, an error handler.
func setErrhandler(of owner, err error, h C.uintptr_t) C.int {
	if err != nil {
		return fail(nil, err)
	}
	kind, _ := of.object()
	e, err := errhandlerOf(h, kind)
	if err != nil {
		return fail(of, err)
	}
	of.errors().handler.Store(e)
	return 0
}

// getErrhandler passes the error handler of an object to the program, which frees the handle.
func getErrhandler(of owner, err error, to *C.uintptr_t) C.int {
	if err != nil {
		return fail(nil, err)
	}
	e := handlerOf(of)
	if e.kind != 0 {
		handlersMu.Lock()
		defer handlersMu.Unlock()
		if e.uses++; e.uses == 1 { // the program has freed it, and the object has kept it
			if e.handle = errhandlers.Add(e); e.handle == 0 {
				e.uses = 0
				return fail(of, tooMany("error handlers"))
			}
		}
	}
	*to = C.uintptr_t(e.handle)
	return 0
}

// callErrhandler is the code with which the library above calls the error handler of an object: it says so to sctpmpi_fail.
func callErrhandler(of owner, err error, code C.int) C.int {
	if err != nil {
		return fail(nil, err)
	}
	if _, err := errorClass(int(code)); err != nil {
		return fail(of, err)
	}
	return code
}

//export sctpmpi_Errhandler_free
func sctpmpi_Errhandler_free(errhandler *C.uintptr_t) C.int {
	for _, p := range []*C.uintptr_t{errhandler} {
		if *p == C.uintptr_t(areFatal.handle) || *p == C.uintptr_t(errorsAbort.handle) || *p == C.uintptr_t(errorsReturn.handle) {
			*p = errhandlerNull // a handle that MPI_Comm_get_errhandler has returned may be freed
			return 0
		}
	}
	handlersMu.Lock()
	defer handlersMu.Unlock()
	e := errhandlers.Get(handle.Handle(*errhandler))
	if e == nil {
		return fail(nil, noHandle(errErrhandler, handle.Errhandler, uintptr(*errhandler), "error handler", "freed"))
	}
	if e.uses--; e.uses == 0 {
		errhandlers.Remove(e.handle)
	}
	*errhandler = errhandlerNull
	return 0
}

//export sctpmpi_Comm_create_errhandler
func sctpmpi_Comm_create_errhandler(invoke, fn unsafe.Pointer, errhandler *C.uintptr_t) C.int {
	return createErrhandler(handle.Comm, invoke, fn, errhandler)
}

//export sctpmpi_Comm_set_errhandler
func sctpmpi_Comm_set_errhandler(comm, errhandler C.uintptr_t) C.int {
	c, err := commOf(comm)
	return setErrhandler(c, err, errhandler)
}

//export sctpmpi_Comm_get_errhandler
func sctpmpi_Comm_get_errhandler(comm C.uintptr_t, errhandler *C.uintptr_t) C.int {
	c, err := commOf(comm)
	return getErrhandler(c, err, errhandler)
}

//export sctpmpi_Comm_call_errhandler
func sctpmpi_Comm_call_errhandler(comm C.uintptr_t, errorcode C.int) C.int {
	c, err := commOf(comm)
	return callErrhandler(c, err, errorcode)
}

//export sctpmpi_Win_create_errhandler
func sctpmpi_Win_create_errhandler(invoke, fn unsafe.Pointer, errhandler *C.uintptr_t) C.int {
	return createErrhandler(handle.Win, invoke, fn, errhandler)
}

//export sctpmpi_File_create_errhandler
func sctpmpi_File_create_errhandler(invoke, fn unsafe.Pointer, errhandler *C.uintptr_t) C.int {
	return createErrhandler(handle.File, invoke, fn, errhandler)
}

//export sctpmpi_Session_create_errhandler
func sctpmpi_Session_create_errhandler(invoke, fn unsafe.Pointer, errhandler *C.uintptr_t) C.int {
	return createErrhandler(handle.Session, invoke, fn, errhandler)
}
