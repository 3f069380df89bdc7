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

//export sctpmpi_Gather
func sctpmpi_Gather(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType C.uintptr_t, root C.int, on C.uintptr_t) C.int {
	return gather(core.Blocking, send, sendCount, sendType, recv, recvCount, recvType, root, on, nil)
}

//export sctpmpi_Igather
func sctpmpi_Igather(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType C.uintptr_t, root C.int, on C.uintptr_t, request *C.uintptr_t) C.int {
	return gather(core.Nonblocking, send, sendCount, sendType, recv, recvCount, recvType, root, on, request)
}

//export sctpmpi_Gather_init
func sctpmpi_Gather_init(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType C.uintptr_t, root C.int, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return gather(core.Persistent, send, sendCount, sendType, recv, recvCount, recvType, root, on, request)
}

func gather(f core.Form, send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType C.uintptr_t, root C.int, on C.uintptr_t, request *C.uintptr_t) C.int {
	return collectively(collective.Gather, f, on, request, func(c *comm) (*core.Request, error) {
		root := rankOf(root)
		in, out, err := nothing, nothing, error(nil)
		if c.has(root) {
			out, err = times("receive", recv, recvCount, recvType, c.peers())
		}
		switch {
		case err != nil || c.Inter() && c.has(root) || c.outside(root):
		case inPlace(send) && c.has(root):
			in = part(out, c.Rank()*int(recvCount), int(recvCount))
		case c.has(root):
			in, err = apart("send", send, sendCount, sendType, part(out, c.Rank()*int(recvCount), int(recvCount)))
		default:
			in, err = given("send", send, sendCount, sendType)
		}
		if err != nil {
			return nil, err
		}
		return c.Gather(f, in, out, root)
	})
}

//export sctpmpi_Gatherv
func sctpmpi_Gatherv(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, displs unsafe.Pointer, wideDispls C.int, recvType C.uintptr_t, root C.int, on C.uintptr_t) C.int {
	return gatherv(core.Blocking, send, sendCount, sendType, recv, recvCounts, wideRecvCounts, displs, wideDispls, recvType, root, on, nil)
}

//export sctpmpi_Igatherv
func sctpmpi_Igatherv(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, displs unsafe.Pointer, wideDispls C.int, recvType C.uintptr_t, root C.int, on C.uintptr_t, request *C.uintptr_t) C.int {
	return gatherv(core.Nonblocking, send, sendCount, sendType, recv, recvCounts, wideRecvCounts, displs, wideDispls, recvType, root, on, request)
}

//export sctpmpi_Gatherv_init
func sctpmpi_Gatherv_init(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, displs unsafe.Pointer, wideDispls C.int, recvType C.uintptr_t, root C.int, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return gatherv(core.Persistent, send, sendCount, sendType, recv, recvCounts, wideRecvCounts, displs, wideDispls, recvType, root, on, request)
}

func gatherv(f core.Form, send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, displs unsafe.Pointer, wideDispls C.int, recvType C.uintptr_t, root C.int, on C.uintptr_t, request *C.uintptr_t) C.int {
	return collectively(collective.Gatherv, f, on, request, func(c *comm) (*core.Request, error) {
		root := rankOf(root)
		in, out, err := nothing, nothing, error(nil)
		var layout core.Layout
		if c.has(root) {
			out, layout, err = laidOut("receive", recv, array{recvCounts, wideRecvCounts}, array{displs, wideDispls}, recvType, c.peers())
		}
		switch {
		case err != nil || c.Inter() && c.has(root) || c.outside(root):
		case inPlace(send) && c.has(root):
			in = c.own(out, layout)
		case c.has(root):
			in, err = apart("send", send, sendCount, sendType, c.own(out, layout))
		default:
			in, err = given("send", send, sendCount, sendType)
		}
		if err != nil {
			return nil, err
		}
		return c.Gatherv(f, in, out, layout, root)
	})
}
