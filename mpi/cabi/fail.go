package main

// #include "sctpmpi.h"
import "C"

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
)

// sctpmpi_fail is called by the libraries above when a function has returned a code that is not 0. It says what to do: 0 to
// return the code, 1 to call the program's function in *call before. If the error handler ends the job it does not return.
//
// The handler is that of the object that the error was noted with. If there is none it is that of the object of a kind and
// handle: what the function was called on. It is that one in any case if the kind has the bit named.
//
//export sctpmpi_fail
func sctpmpi_fail(kind C.int, object C.uintptr_t, code C.int, function *C.char, call *C.sctpmpi_handler) C.int {
	var of owner
	if kind&named != 0 {
		of = objectOf(handle.Kind(kind&^named), object)
	} else {
		of = blamed(handle.Kind(kind), object, int(code))
	}
	h := handlerOf(of)
	switch h {
	case errorsReturn:
		return 0
	case areFatal, errorsAbort:
		status, _ := errorClass(int(code)) // 0 becomes 1
		abort(int(status), fatalText(C.GoString(function), int(code)))
	}
	k, number := of.object()
	*call = C.sctpmpi_handler{invoke: h.invoke, fn: h.fn, kind: C.int(k), handle: C.uintptr_t(number)}
	return 1
}

// named is ON_THIS of shim/common.h: the error handler is the object's, wherever the code is from.
const named = 256

// fatalText is the line that says why the job ends.
func fatalText(function string, code int) string {
	text, err := errorString(code)
	if err != nil {
		text = fmt.Sprintf("error code %d", code)
	}
	return function + ": " + text
}

// blamed is the object whose error handler counts.
func blamed(kind handle.Kind, object C.uintptr_t, code int) owner {
	if n := noteOf(code); n != nil && n.owner != nil {
		return n.owner
	}
	return objectOf(kind, object)
}

// objectOf is the object of a kind with a handle. If there is none it is that for errors that are about none.
func objectOf(kind handle.Kind, object C.uintptr_t) owner {
	switch kind {
	case handle.Comm:
		if c, err := commOf(object); err == nil {
			return c
		}
	case handle.File:
		if f, err := handlingFile(object); err == nil {
			return f
		}
		return noFile
	case handle.Win:
		if w, err := winOf(object); err == nil {
			return w
		}
	case handle.Session:
		if s, err := sessionOf(object); err == nil {
			return s
		}
	}
	return general()
}

// general is the object for errors that are about none (MPI 4.1, section 9.3): MPI_COMM_SELF. If only MPI_COMM_WORLD has a
// handler, as in programs for older standards, it is that one.
func general() owner {
	alone, all := self.Load(), world.Load()
	switch {
	case alone != nil && alone.handler.Load() != nil:
		return alone
	case all != nil:
		return all
	}
	return noObject{}
}

// noObject has the error handler of calls outside of MPI_Init and MPI_Finalize.
type noObject struct{}

func (noObject) errors() *handling                    { return new(handling) }
func (noObject) object() (handle.Kind, handle.Handle) { return 0, 0 }
