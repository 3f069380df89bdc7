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

//export sctpmpi_Scatter
func sctpmpi_Scatter(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType C.uintptr_t, root C.int, on C.uintptr_t) C.int {
	return scatter(core.Blocking, send, sendCount, sendType, recv, recvCount, recvType, root, on, nil)
}

//export sctpmpi_Iscatter
func sctpmpi_Iscatter(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType C.uintptr_t, root C.int, on C.uintptr_t, request *C.uintptr_t) C.int {
	return scatter(core.Nonblocking, send, sendCount, sendType, recv, recvCount, recvType, root, on, request)
}

//export sctpmpi_Scatter_init
func sctpmpi_Scatter_init(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType C.uintptr_t, root C.int, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return scatter(core.Persistent, send, sendCount, sendType, recv, recvCount, recvType, root, on, request)
}

func scatter(f core.Form, send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType C.uintptr_t, root C.int, on C.uintptr_t, request *C.uintptr_t) C.int {
	return collectively(collective.Scatter, f, on, request, func(c *comm) (*core.Request, error) {
		root := rankOf(root)
		out, in, err := nothing, nothing, error(nil)
		if c.has(root) {
			out, err = times("send", send, sendCount, sendType, c.peers())
		}
		switch {
		case err != nil || c.Inter() && c.has(root) || c.outside(root):
		case inPlace(recv) && c.has(root):
			in = part(out, c.Rank()*int(sendCount), int(sendCount))
		case c.has(root):
			in, err = apart("receive", recv, recvCount, recvType, part(out, c.Rank()*int(sendCount), int(sendCount)))
		default:
			in, err = given("receive", recv, recvCount, recvType)
		}
		if err != nil {
			return nil, err
		}
		return c.Scatter(f, out, in, root)
	})
}

//export sctpmpi_Scatterv
func sctpmpi_Scatterv(send, sendCounts unsafe.Pointer, wideSendCounts C.int, displs unsafe.Pointer, wideDispls C.int, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType C.uintptr_t, root C.int, on C.uintptr_t) C.int {
	return scatterv(core.Blocking, send, sendCounts, wideSendCounts, displs, wideDispls, sendType, recv, recvCount, recvType, root, on, nil)
}

//export sctpmpi_Iscatterv
func sctpmpi_Iscatterv(send, sendCounts unsafe.Pointer, wideSendCounts C.int, displs unsafe.Pointer, wideDispls C.int, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType C.uintptr_t, root C.int, on C.uintptr_t, request *C.uintptr_t) C.int {
	return scatterv(core.Nonblocking, send, sendCounts, wideSendCounts, displs, wideDispls, sendType, recv, recvCount, recvType, root, on, request)
}

//export sctpmpi_Scatterv_init
func sctpmpi_Scatterv_init(send, sendCounts unsafe.Pointer, wideSendCounts C.int, displs unsafe.Pointer, wideDispls C.int, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType C.uintptr_t, root C.int, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return scatterv(core.Persistent, send, sendCounts, wideSendCounts, displs, wideDispls, sendType, recv, recvCount, recvType, root, on, request)
}

func scatterv(f core.Form, send, sendCounts unsafe.Pointer, wideSendCounts C.int, displs unsafe.Pointer, wideDispls C.int, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType C.uintptr_t, root C.int, on C.uintptr_t, request *C.uintptr_t) C.int {
	return collectively(collective.Scatterv, f, on, request, func(c *comm) (*core.Request, error) {
		root := rankOf(root)
		out, in, err := nothing, nothing, error(nil)
		var layout core.Layout
		if c.has(root) {
			out, layout, err = laidOut("send", send, array{sendCounts, wideSendCounts}, array{displs, wideDispls}, sendType, c.peers())
		}
		switch {
		case err != nil || c.Inter() && c.has(root) || c.outside(root):
		case inPlace(recv) && c.has(root):
			in = c.own(out, layout)
		case c.has(root):
			in, err = apart("receive", recv, recvCount, recvType, c.own(out, layout))
		default:
			in, err = given("receive", recv, recvCount, recvType)
		}
		if err != nil {
			return nil, err
		}
		return c.Scatterv(f, out, layout, in, root)
	})
}
