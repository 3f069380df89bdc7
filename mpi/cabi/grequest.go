package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

//export sctpmpi_Grequest_start
func sctpmpi_Grequest_start(invokeQuery, queryFn, invokeFree, freeFn, invokeCancel, cancelFn, extra unsafe.Pointer, request *C.uintptr_t) C.int {
	c, err := inside()
	if err != nil {
		return fail(nil, err)
	}
	query, free, cancel := function{invokeQuery, queryFn}, function{invokeFree, freeFn}, function{invokeCancel, cancelFn}
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

//export sctpmpi_Grequest_complete
func sctpmpi_Grequest_complete(request C.uintptr_t) C.int {
	r, err := requestOf(request)
	if err != nil {
		return fail(nil, err)
	}
	return failRequest(r, r.Complete("MPI_Grequest_complete"))
}
