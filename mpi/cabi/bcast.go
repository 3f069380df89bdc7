package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
)

//export sctpmpi_Barrier
func sctpmpi_Barrier(on C.uintptr_t) C.int {
	return barrier(core.Blocking, on, nil)
}

//export sctpmpi_Ibarrier
func sctpmpi_Ibarrier(on C.uintptr_t, request *C.uintptr_t) C.int {
	return barrier(core.Nonblocking, on, request)
}

//export sctpmpi_Barrier_init
func sctpmpi_Barrier_init(on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return barrier(core.Persistent, on, request)
}

func barrier(f core.Form, on C.uintptr_t, request *C.uintptr_t) C.int {
	return collectively(collective.Barrier, f, on, request, func(c *comm) (*core.Request, error) {
		return c.Barrier(f)
	})
}

//export sctpmpi_Bcast
func sctpmpi_Bcast(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, root C.int, on C.uintptr_t) C.int {
	return bcast(core.Blocking, buf, count, datatype, root, on, nil)
}

//export sctpmpi_Ibcast
func sctpmpi_Ibcast(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, root C.int, on C.uintptr_t, request *C.uintptr_t) C.int {
	return bcast(core.Nonblocking, buf, count, datatype, root, on, request)
}

//export sctpmpi_Bcast_init
func sctpmpi_Bcast_init(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, root C.int, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return bcast(core.Persistent, buf, count, datatype, root, on, request)
}

func bcast(f core.Form, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, root C.int, on C.uintptr_t, request *C.uintptr_t) C.int {
	return collectively(collective.Bcast, f, on, request, func(c *comm) (*core.Request, error) {
		b, err := nothing, error(nil)
		if !c.outside(rankOf(root)) {
			b, err = given("message", buf, count, datatype)
		}
		if err != nil {
			return nil, err
		}
		return c.Bcast(f, b, rankOf(root))
	})
}
