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

//export sctpmpi_Send
func sctpmpi_Send(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, dest, tag C.int, comm C.uintptr_t) C.int {
	return send("MPI_Send", rpi.Standard, buf, count, datatype, dest, tag, comm)
}

//export sctpmpi_Ssend
func sctpmpi_Ssend(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, dest, tag C.int, comm C.uintptr_t) C.int {
	return send("MPI_Ssend", rpi.Synchronous, buf, count, datatype, dest, tag, comm)
}

//export sctpmpi_Bsend
func sctpmpi_Bsend(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, dest, tag C.int, comm C.uintptr_t) C.int {
	return send("MPI_Bsend", rpi.Buffered, buf, count, datatype, dest, tag, comm)
}

//export sctpmpi_Rsend
func sctpmpi_Rsend(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, dest, tag C.int, comm C.uintptr_t) C.int {
	return send("MPI_Rsend", rpi.Ready, buf, count, datatype, dest, tag, comm)
}

func send(op string, mode rpi.Mode, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, dest, tag C.int, comm C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	b, err := bufferOf(buf, count, datatype)
	if err != nil {
		return fail(c, err)
	}
	return fail(c, c.Send(op, mode, b, rankOf(dest), tagOf(tag)))
}

//export sctpmpi_Isend
func sctpmpi_Isend(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, dest, tag C.int, comm C.uintptr_t, request *C.uintptr_t) C.int {
	return isend("MPI_Isend", rpi.Standard, buf, count, datatype, dest, tag, comm, request)
}

//export sctpmpi_Issend
func sctpmpi_Issend(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, dest, tag C.int, comm C.uintptr_t, request *C.uintptr_t) C.int {
	return isend("MPI_Issend", rpi.Synchronous, buf, count, datatype, dest, tag, comm, request)
}

//export sctpmpi_Ibsend
func sctpmpi_Ibsend(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, dest, tag C.int, comm C.uintptr_t, request *C.uintptr_t) C.int {
	return isend("MPI_Ibsend", rpi.Buffered, buf, count, datatype, dest, tag, comm, request)
}

//export sctpmpi_Irsend
func sctpmpi_Irsend(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, dest, tag C.int, comm C.uintptr_t, request *C.uintptr_t) C.int {
	return isend("MPI_Irsend", rpi.Ready, buf, count, datatype, dest, tag, comm, request)
}

func isend(op string, mode rpi.Mode, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, dest, tag C.int, comm C.uintptr_t, request *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	b, err := bufferOf(buf, count, datatype)
	if err != nil {
		return fail(c, err)
	}
	return c.giveRequest(request, func() (*core.Request, error) {
		return c.Isend(op, mode, b, rankOf(dest), tagOf(tag))
	})
}
