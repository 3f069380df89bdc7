package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

//export sctpmpi_Send_init
func sctpmpi_Send_init(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, dest, tag C.int, comm C.uintptr_t, request *C.uintptr_t) C.int {
	return sendInit("MPI_Send_init", rpi.Standard, buf, count, datatype, dest, tag, comm, request)
}

//export sctpmpi_Ssend_init
func sctpmpi_Ssend_init(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, dest, tag C.int, comm C.uintptr_t, request *C.uintptr_t) C.int {
	return sendInit("MPI_Ssend_init", rpi.Synchronous, buf, count, datatype, dest, tag, comm, request)
}

//export sctpmpi_Bsend_init
func sctpmpi_Bsend_init(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, dest, tag C.int, comm C.uintptr_t, request *C.uintptr_t) C.int {
	return sendInit("MPI_Bsend_init", rpi.Buffered, buf, count, datatype, dest, tag, comm, request)
}

//export sctpmpi_Rsend_init
func sctpmpi_Rsend_init(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, dest, tag C.int, comm C.uintptr_t, request *C.uintptr_t) C.int {
	return sendInit("MPI_Rsend_init", rpi.Ready, buf, count, datatype, dest, tag, comm, request)
}

func sendInit(op string, mode rpi.Mode, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, dest, tag C.int, comm C.uintptr_t, request *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	b, err := bufferOf(buf, count, datatype)
	if err != nil {
		return fail(c, err)
	}
	return c.giveRequest(request, func() (*core.Request, error) {
		return c.SendInit(op, mode, b, rankOf(dest), tagOf(tag))
	})
}

//export sctpmpi_Recv_init
func sctpmpi_Recv_init(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, source, tag C.int, comm C.uintptr_t, request *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	b, err := bufferOf(buf, count, datatype)
	if err != nil {
		return fail(c, err)
	}
	return c.giveRequest(request, func() (*core.Request, error) {
		return c.RecvInit("MPI_Recv_init", b, rankOf(source), tagOf(tag))
	})
}

//export sctpmpi_Start
func sctpmpi_Start(request *C.uintptr_t) C.int {
	r, err := requestOf(*request)
	if err != nil {
		return fail(nil, err)
	}
	return failRequest(r, r.Start("MPI_Start"))
}

//export sctpmpi_Startall
func sctpmpi_Startall(count C.int, requests *C.uintptr_t) C.int {
	s, err := requestsAt(requests, count)
	if err != nil {
		return fail(nil, err)
	}
	defer s.release()
	for _, r := range s.requests {
		if err := r.Start("MPI_Startall"); err != nil {
			return failRequest(r, err)
		}
	}
	return 0
}
