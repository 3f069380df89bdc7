package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

//export sctpmpi_Sendrecv
func sctpmpi_Sendrecv(sendbuf unsafe.Pointer, sendcount C.int64_t, sendtype C.uintptr_t, dest, sendtag C.int, recvbuf unsafe.Pointer,
	recvcount C.int64_t, recvtype C.uintptr_t, source, recvtag C.int, comm C.uintptr_t, status *C.sctpmpi_status) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	out, err := bufferOf(sendbuf, sendcount, sendtype)
	if err != nil {
		return fail(c, err)
	}
	in, err := bufferOf(recvbuf, recvcount, recvtype)
	if err != nil {
		return fail(c, err)
	}
	s, err := c.Sendrecv("MPI_Sendrecv", out, rankOf(dest), tagOf(sendtag), in, rankOf(source), tagOf(recvtag))
	give(status, s)
	return fail(c, err)
}

//export sctpmpi_Sendrecv_replace
func sctpmpi_Sendrecv_replace(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, dest, sendtag, source, recvtag C.int,
	comm C.uintptr_t, status *C.sctpmpi_status) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	b, err := bufferOf(buf, count, datatype)
	if err != nil {
		return fail(c, err)
	}
	s, err := c.SendrecvReplace("MPI_Sendrecv_replace", b, rankOf(dest), tagOf(sendtag), rankOf(source), tagOf(recvtag))
	give(status, s)
	return fail(c, err)
}

//export sctpmpi_Isendrecv
func sctpmpi_Isendrecv(sendbuf unsafe.Pointer, sendcount C.int64_t, sendtype C.uintptr_t, dest, sendtag C.int, recvbuf unsafe.Pointer,
	recvcount C.int64_t, recvtype C.uintptr_t, source, recvtag C.int, comm C.uintptr_t, request *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	out, err := bufferOf(sendbuf, sendcount, sendtype)
	if err != nil {
		return fail(c, err)
	}
	in, err := bufferOf(recvbuf, recvcount, recvtype)
	if err != nil {
		return fail(c, err)
	}
	return c.giveRequest(request, func() (*core.Request, error) {
		return c.Isendrecv("MPI_Isendrecv", out, rankOf(dest), tagOf(sendtag), in, rankOf(source), tagOf(recvtag))
	})
}

//export sctpmpi_Isendrecv_replace
func sctpmpi_Isendrecv_replace(buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, dest, sendtag, source, recvtag C.int,
	comm C.uintptr_t, request *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	b, err := bufferOf(buf, count, datatype)
	if err != nil {
		return fail(c, err)
	}
	return c.giveRequest(request, func() (*core.Request, error) {
		return c.IsendrecvReplace("MPI_Isendrecv_replace", b, rankOf(dest), tagOf(sendtag), rankOf(source), tagOf(recvtag))
	})
}
