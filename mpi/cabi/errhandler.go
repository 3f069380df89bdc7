package main

import (
	"sync/atomic"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
)

// errhandler is an error handler (MPI 4.1, section 9.3).
type errhandler struct {
	handle     handle.Handle
	kind       handle.Kind // of the objects that it is for, 0: all
	invoke, fn unsafe.Pointer
	freed      atomic.Bool
	uses       atomic.Int32 // of the handle and of objects
}

// The predefined error handlers.
var (
	areFatal     = &errhandler{handle: 0x141}
	errorsAbort  = &errhandler{handle: 0x142}
	errorsReturn = &errhandler{handle: 0x143}
)

// handling is what an object with an error handler has.
type handling struct{ handler atomic.Pointer[errhandler] }

func (h *handling) errors() *handling { return h }

// inherit takes the handler of the object that this one is made of.
func (h *handling) inherit(from *handling) { h.handler.Store(from.handler.Load()) }
