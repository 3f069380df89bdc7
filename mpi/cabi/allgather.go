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

//export sctpmpi_Allgather
func sctpmpi_Allgather(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType, on C.uintptr_t) C.int {
	return allgather(core.Blocking, send, sendCount, sendType, recv, recvCount, recvType, on, nil)
}

//export sctpmpi_Iallgather
func sctpmpi_Iallgather(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType, on C.uintptr_t, request *C.uintptr_t) C.int {
	return allgather(core.Nonblocking, send, sendCount, sendType, recv, recvCount, recvType, on, request)
}

//export sctpmpi_Allgather_init
func sctpmpi_Allgather_init(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return allgather(core.Persistent, send, sendCount, sendType, recv, recvCount, recvType, on, request)
}

func allgather(f core.Form, send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType, on C.uintptr_t, request *C.uintptr_t) C.int {
	return collectively(collective.Allgather, f, on, request, func(c *comm) (*core.Request, error) {
		out, err := times("receive", recv, recvCount, recvType, c.peers())
		if err != nil {
			return nil, err
		}
		in := out
		if !c.Inter() {
			in = part(out, c.Rank()*int(recvCount), int(recvCount))
		}
		if !inPlace(send) || c.Inter() {
			in, err = apart("send", send, sendCount, sendType, in)
		}
		if err != nil {
			return nil, err
		}
		return c.Allgather(f, in, out)
	})
}

//export sctpmpi_Allgatherv
func sctpmpi_Allgatherv(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, displs unsafe.Pointer, wideDispls C.int, recvType, on C.uintptr_t) C.int {
	return allgatherv(core.Blocking, send, sendCount, sendType, recv, recvCounts, wideRecvCounts, displs, wideDispls, recvType, on, nil)
}

//export sctpmpi_Iallgatherv
func sctpmpi_Iallgatherv(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, displs unsafe.Pointer, wideDispls C.int, recvType, on C.uintptr_t, request *C.uintptr_t) C.int {
	return allgatherv(core.Nonblocking, send, sendCount, sendType, recv, recvCounts, wideRecvCounts, displs, wideDispls, recvType, on, request)
}

//export sctpmpi_Allgatherv_init
func sctpmpi_Allgatherv_init(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, displs unsafe.Pointer, wideDispls C.int, recvType, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return allgatherv(core.Persistent, send, sendCount, sendType, recv, recvCounts, wideRecvCounts, displs, wideDispls, recvType, on, request)
}

func allgatherv(f core.Form, send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, displs unsafe.Pointer, wideDispls C.int, recvType, on C.uintptr_t, request *C.uintptr_t) C.int {
	return collectively(collective.Allgatherv, f, on, request, func(c *comm) (*core.Request, error) {
		out, layout, err := laidOut("receive", recv, array{recvCounts, wideRecvCounts}, array{displs, wideDispls}, recvType, c.peers())
		if err != nil {
			return nil, err
		}
		in := out
		if !c.Inter() {
			in = c.own(out, layout)
		}
		if !inPlace(send) || c.Inter() {
			in, err = apart("send", send, sendCount, sendType, in)
		}
		if err != nil {
			return nil, err
		}
		return c.Allgatherv(f, in, out, layout)
	})
}
