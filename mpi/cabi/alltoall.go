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

//export sctpmpi_Alltoall
func sctpmpi_Alltoall(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType, on C.uintptr_t) C.int {
	return alltoall(core.Blocking, send, sendCount, sendType, recv, recvCount, recvType, on, nil)
}

//export sctpmpi_Ialltoall
func sctpmpi_Ialltoall(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType, on C.uintptr_t, request *C.uintptr_t) C.int {
	return alltoall(core.Nonblocking, send, sendCount, sendType, recv, recvCount, recvType, on, request)
}

//export sctpmpi_Alltoall_init
func sctpmpi_Alltoall_init(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return alltoall(core.Persistent, send, sendCount, sendType, recv, recvCount, recvType, on, request)
}

func alltoall(f core.Form, send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType, on C.uintptr_t, request *C.uintptr_t) C.int {
	return collectively(collective.Alltoall, f, on, request, func(c *comm) (*core.Request, error) {
		in, err := times("receive", recv, recvCount, recvType, c.peers())
		if err != nil {
			return nil, err
		}
		out := in
		if !inPlace(send) || c.Inter() {
			if out, err = times("send", send, sendCount, sendType, c.peers()); err == nil {
				err = aliased(out, in)
			}
		}
		if err != nil {
			return nil, err
		}
		return c.Alltoall(f, out, in)
	})
}

//export sctpmpi_Alltoallv
func sctpmpi_Alltoallv(send, sendCounts unsafe.Pointer, wideSendCounts C.int, sendDispls unsafe.Pointer, wideSendDispls C.int, sendType C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, recvDispls unsafe.Pointer, wideRecvDispls C.int, recvType, on C.uintptr_t) C.int {
	return alltoallv(core.Blocking, send, sendCounts, wideSendCounts, sendDispls, wideSendDispls, sendType, recv, recvCounts, wideRecvCounts, recvDispls, wideRecvDispls, recvType, on, nil)
}

//export sctpmpi_Ialltoallv
func sctpmpi_Ialltoallv(send, sendCounts unsafe.Pointer, wideSendCounts C.int, sendDispls unsafe.Pointer, wideSendDispls C.int, sendType C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, recvDispls unsafe.Pointer, wideRecvDispls C.int, recvType, on C.uintptr_t, request *C.uintptr_t) C.int {
	return alltoallv(core.Nonblocking, send, sendCounts, wideSendCounts, sendDispls, wideSendDispls, sendType, recv, recvCounts, wideRecvCounts, recvDispls, wideRecvDispls, recvType, on, request)
}

//export sctpmpi_Alltoallv_init
func sctpmpi_Alltoallv_init(send, sendCounts unsafe.Pointer, wideSendCounts C.int, sendDispls unsafe.Pointer, wideSendDispls C.int, sendType C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, recvDispls unsafe.Pointer, wideRecvDispls C.int, recvType, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return alltoallv(core.Persistent, send, sendCounts, wideSendCounts, sendDispls, wideSendDispls, sendType, recv, recvCounts, wideRecvCounts, recvDispls, wideRecvDispls, recvType, on, request)
}

func alltoallv(f core.Form, send, sendCounts unsafe.Pointer, wideSendCounts C.int, sendDispls unsafe.Pointer, wideSendDispls C.int, sendType C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, recvDispls unsafe.Pointer, wideRecvDispls C.int, recvType, on C.uintptr_t, request *C.uintptr_t) C.int {
	return collectively(collective.Alltoallv, f, on, request, func(c *comm) (*core.Request, error) {
		in, layout, err := laidOut("receive", recv, array{recvCounts, wideRecvCounts}, array{recvDispls, wideRecvDispls}, recvType, c.peers())
		if err != nil {
			return nil, err
		}
		out, from := in, layout
		if !inPlace(send) || c.Inter() {
			out, from, err = laidOut("send", send, array{sendCounts, wideSendCounts}, array{sendDispls, wideSendDispls}, sendType, c.peers())
			if err == nil {
				err = aliased(out, in)
			}
		}
		if err != nil {
			return nil, err
		}
		return c.Alltoallv(f, out, from, in, layout)
	})
}

//export sctpmpi_Alltoallw
func sctpmpi_Alltoallw(send, sendCounts unsafe.Pointer, wideSendCounts C.int, sendDispls unsafe.Pointer, wideSendDispls C.int, sendTypes *C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, recvDispls unsafe.Pointer, wideRecvDispls C.int, recvTypes *C.uintptr_t, on C.uintptr_t) C.int {
	return alltoallw(core.Blocking, send, sendCounts, wideSendCounts, sendDispls, wideSendDispls, sendTypes, recv, recvCounts, wideRecvCounts, recvDispls, wideRecvDispls, recvTypes, on, nil)
}

//export sctpmpi_Ialltoallw
func sctpmpi_Ialltoallw(send, sendCounts unsafe.Pointer, wideSendCounts C.int, sendDispls unsafe.Pointer, wideSendDispls C.int, sendTypes *C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, recvDispls unsafe.Pointer, wideRecvDispls C.int, recvTypes *C.uintptr_t, on C.uintptr_t, request *C.uintptr_t) C.int {
	return alltoallw(core.Nonblocking, send, sendCounts, wideSendCounts, sendDispls, wideSendDispls, sendTypes, recv, recvCounts, wideRecvCounts, recvDispls, wideRecvDispls, recvTypes, on, request)
}

//export sctpmpi_Alltoallw_init
func sctpmpi_Alltoallw_init(send, sendCounts unsafe.Pointer, wideSendCounts C.int, sendDispls unsafe.Pointer, wideSendDispls C.int, sendTypes *C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, recvDispls unsafe.Pointer, wideRecvDispls C.int, recvTypes *C.uintptr_t, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return alltoallw(core.Persistent, send, sendCounts, wideSendCounts, sendDispls, wideSendDispls, sendTypes, recv, recvCounts, wideRecvCounts, recvDispls, wideRecvDispls, recvTypes, on, request)
}

func alltoallw(f core.Form, send, sendCounts unsafe.Pointer, wideSendCounts C.int, sendDispls unsafe.Pointer, wideSendDispls C.int, sendTypes *C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, recvDispls unsafe.Pointer, wideRecvDispls C.int, recvTypes *C.uintptr_t, on C.uintptr_t, request *C.uintptr_t) C.int {
	return collectively(collective.Alltoallw, f, on, request, func(c *comm) (*core.Request, error) {
		in, err := separate("receive", recv, array{recvCounts, wideRecvCounts}, array{recvDispls, wideRecvDispls}, recvTypes, c.peers())
		if err != nil {
			return nil, err
		}
		var out []core.Buffer // none: what is received replaces what is sent
		if !inPlace(send) || c.Inter() {
			if send == recv && recv != nil && c.Size() > 0 && in[0].Count > 0 {
				return nil, faultf(errBuffer, "the send and the receive buffer are the same memory: that needs MPI_IN_PLACE")
			}
			out, err = separate("send", send, array{sendCounts, wideSendCounts}, array{sendDispls, wideSendDispls}, sendTypes, c.peers())
		}
		if err != nil {
			return nil, err
		}
		return c.Alltoallw(f, out, in)
	})
}
