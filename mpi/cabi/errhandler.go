package main

// #include "sctpmpi.h"
import "C"

import (
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
)

// errhandler is an error handler (MPI 4.1, section 9.3).
type errhandler struct {
	function
	handle handle.Handle
	kind   handle.Kind // of the objects that it is for, 0: all
	uses   int         // handles that the program has to free; handlersMu is held
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

// mpiCreateErrhandler makes an error handler for objects of a kind.
func mpiCreateErrhandler(kind handle.Kind, f function) (C.uintptr_t, error) {
	if f.invoke == nil {
		return 0, faultf(errArg, "the function is a null pointer")
	}
	e := &errhandler{kind: kind, function: f, uses: 1}
	if e.handle = errhandlers.Add(e); e.handle == 0 {
		return 0, tooMany("error handlers")
	}
	return C.uintptr_t(e.handle), nil
}

// mpiSetErrhandler gives an object an error handler.
func mpiSetErrhandler(of owner, h C.uintptr_t) error {
	kind, _ := of.object()
	e, err := errhandlerOf(h, kind)
	if err == nil {
		of.errors().handler.Store(e)
	}
	return err
}

// mpiGetErrhandler is the handle of an object's error handler, which the program frees.
func mpiGetErrhandler(of owner) (C.uintptr_t, error) {
	e := handlerOf(of)
	if e.kind != 0 {
		handlersMu.Lock()
		defer handlersMu.Unlock()
		if e.uses++; e.uses == 1 { // the program has freed it, and the object has kept it
			if e.handle = errhandlers.Add(e); e.handle == 0 {
				e.uses = 0
				return 0, tooMany("error handlers")
			}
		}
	}
	return C.uintptr_t(e.handle), nil
}

// mpiCallErrhandler is the code with which the library above calls the error handler of an object: it says so to sctpmpi_fail.
func mpiCallErrhandler(of owner, code C.int) C.int {
	if _, err := errorClass(int(code)); err != nil {
		return fail(of, err)
	}
	return code
}

func mpiErrhandlerFree(h *C.uintptr_t) error {
	switch handle.Handle(*h) {
	case areFatal.handle, errorsAbort.handle, errorsReturn.handle:
		*h = errhandlerNull // a handle that MPI_Comm_get_errhandler has returned may be freed
		return nil
	}
	handlersMu.Lock()
	defer handlersMu.Unlock()
	e := errhandlers.Get(handle.Handle(*h))
	if e == nil {
		return noHandle(errErrhandler, handle.Errhandler, uintptr(*h), "error handler", "freed")
	}
	if e.uses--; e.uses == 0 {
		errhandlers.Remove(e.handle)
	}
	*h = errhandlerNull
	return nil
}
