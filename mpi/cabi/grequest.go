package main

// #include "sctpmpi.h"
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

func mpiGrequestStart(query, free, cancel function, extra unsafe.Pointer, request *C.uintptr_t) C.int {
	c, err := inside()
	if err != nil {
		return fail(nil, err)
	}
	var hooks core.Hooks
	if query.invoke != nil {
		hooks.Query = func() (core.Status, error) {
			s := C.sctpmpi_status{source: undefined, tag: undefined}
			err := query.query(extra, &s)
			return received(&s), err
		}
	}
	if free.invoke != nil {
		hooks.Free = func() { _ = free.free(extra) } // it is called when the outcome has been returned, and its error is lost
	}
	if cancel.invoke != nil {
		hooks.Cancel = func(completed bool) error { return cancel.cancel(extra, completed) }
	}
	return c.giveRequest(request, func() (*core.Request, error) {
		return c.Generalized("MPI_Grequest_start", hooks)
	})
}

func mpiGrequestComplete(r *core.Request) error { return r.Complete("MPI_Grequest_complete") }
