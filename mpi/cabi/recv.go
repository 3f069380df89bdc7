package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

//export sctpmpi_Recv
func sctpmpi_Recv(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, source, tag C.int, comm C.uintptr_t, status *C.sctpmpi_status) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	b, err := bufferOf(buf, count, datatype)
	if err != nil {
		return fail(c, err)
	}
	s, err := c.Recv("MPI_Recv", b, rankOf(source), tagOf(tag))
	give(status, s)
	return fail(c, err)
}

//export sctpmpi_Irecv
func sctpmpi_Irecv(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, source, tag C.int, comm C.uintptr_t, request *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	b, err := bufferOf(buf, count, datatype)
	if err != nil {
		return fail(c, err)
	}
	return c.giveRequest(request, func() (*core.Request, error) {
		return c.Irecv("MPI_Irecv", b, rankOf(source), tagOf(tag))
	})
}
