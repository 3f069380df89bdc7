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

//export sctpmpi_Neighbor_allgather
func sctpmpi_Neighbor_allgather(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType, on C.uintptr_t) C.int {
	return neighborAllgather(core.Blocking, send, sendCount, sendType, recv, recvCount, recvType, on, nil)
}

//export sctpmpi_Ineighbor_allgather
func sctpmpi_Ineighbor_allgather(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType, on C.uintptr_t, request *C.uintptr_t) C.int {
	return neighborAllgather(core.Nonblocking, send, sendCount, sendType, recv, recvCount, recvType, on, request)
}

//export sctpmpi_Neighbor_allgather_init
func sctpmpi_Neighbor_allgather_init(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return neighborAllgather(core.Persistent, send, sendCount, sendType, recv, recvCount, recvType, on, request)
}

func neighborAllgather(f core.Form, send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType, on C.uintptr_t, request *C.uintptr_t) C.int {
	return collectively(collective.NeighborAllgather, f, on, request, func(c *comm) (*core.Request, error) {
		sources, _ := c.NeighborCounts()
		in, err := given("send", send, sendCount, sendType)
		if err != nil {
			return nil, err
		}
		out, err := times("receive", recv, recvCount, recvType, sources)
		if err != nil {
			return nil, err
		}
		return c.NeighborAllgather(f, in, out)
	})
}

//export sctpmpi_Neighbor_allgatherv
func sctpmpi_Neighbor_allgatherv(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, displs unsafe.Pointer, wideDispls C.int, recvType, on C.uintptr_t) C.int {
	return neighborAllgatherv(core.Blocking, send, sendCount, sendType, recv, recvCounts, wideRecvCounts, displs, wideDispls, recvType, on, nil)
}

//export sctpmpi_Ineighbor_allgatherv
func sctpmpi_Ineighbor_allgatherv(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, displs unsafe.Pointer, wideDispls C.int, recvType, on C.uintptr_t, request *C.uintptr_t) C.int {
	return neighborAllgatherv(core.Nonblocking, send, sendCount, sendType, recv, recvCounts, wideRecvCounts, displs, wideDispls, recvType, on, request)
}

//export sctpmpi_Neighbor_allgatherv_init
func sctpmpi_Neighbor_allgatherv_init(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, displs unsafe.Pointer, wideDispls C.int, recvType, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return neighborAllgatherv(core.Persistent, send, sendCount, sendType, recv, recvCounts, wideRecvCounts, displs, wideDispls, recvType, on, request)
}

func neighborAllgatherv(f core.Form, send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, displs unsafe.Pointer, wideDispls C.int, recvType, on C.uintptr_t, request *C.uintptr_t) C.int {
	return collectively(collective.NeighborAllgatherv, f, on, request, func(c *comm) (*core.Request, error) {
		sources, _ := c.NeighborCounts()
		in, err := given("send", send, sendCount, sendType)
		if err != nil {
			return nil, err
		}
		out, layout, err := laidOut("receive", recv, array{recvCounts, wideRecvCounts}, array{displs, wideDispls}, recvType, sources)
		if err != nil {
			return nil, err
		}
		return c.NeighborAllgatherv(f, in, out, layout)
	})
}

//export sctpmpi_Neighbor_alltoall
func sctpmpi_Neighbor_alltoall(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType, on C.uintptr_t) C.int {
	return neighborAlltoall(core.Blocking, send, sendCount, sendType, recv, recvCount, recvType, on, nil)
}

//export sctpmpi_Ineighbor_alltoall
func sctpmpi_Ineighbor_alltoall(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType, on C.uintptr_t, request *C.uintptr_t) C.int {
	return neighborAlltoall(core.Nonblocking, send, sendCount, sendType, recv, recvCount, recvType, on, request)
}

//export sctpmpi_Neighbor_alltoall_init
func sctpmpi_Neighbor_alltoall_init(send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return neighborAlltoall(core.Persistent, send, sendCount, sendType, recv, recvCount, recvType, on, request)
}

func neighborAlltoall(f core.Form, send unsafe.Pointer, sendCount C.int64_t, sendType C.uintptr_t, recv unsafe.Pointer, recvCount C.int64_t, recvType, on C.uintptr_t, request *C.uintptr_t) C.int {
	return collectively(collective.NeighborAlltoall, f, on, request, func(c *comm) (*core.Request, error) {
		sources, destinations := c.NeighborCounts()
		in, err := times("send", send, sendCount, sendType, destinations)
		if err != nil {
			return nil, err
		}
		out, err := times("receive", recv, recvCount, recvType, sources)
		if err != nil {
			return nil, err
		}
		return c.NeighborAlltoall(f, in, out)
	})
}

//export sctpmpi_Neighbor_alltoallv
func sctpmpi_Neighbor_alltoallv(send, sendCounts unsafe.Pointer, wideSendCounts C.int, sendDispls unsafe.Pointer, wideSendDispls C.int, sendType C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, recvDispls unsafe.Pointer, wideRecvDispls C.int, recvType, on C.uintptr_t) C.int {
	return neighborAlltoallv(core.Blocking, send, sendCounts, wideSendCounts, sendDispls, wideSendDispls, sendType, recv, recvCounts, wideRecvCounts, recvDispls, wideRecvDispls, recvType, on, nil)
}

//export sctpmpi_Ineighbor_alltoallv
func sctpmpi_Ineighbor_alltoallv(send, sendCounts unsafe.Pointer, wideSendCounts C.int, sendDispls unsafe.Pointer, wideSendDispls C.int, sendType C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, recvDispls unsafe.Pointer, wideRecvDispls C.int, recvType, on C.uintptr_t, request *C.uintptr_t) C.int {
	return neighborAlltoallv(core.Nonblocking, send, sendCounts, wideSendCounts, sendDispls, wideSendDispls, sendType, recv, recvCounts, wideRecvCounts, recvDispls, wideRecvDispls, recvType, on, request)
}

//export sctpmpi_Neighbor_alltoallv_init
func sctpmpi_Neighbor_alltoallv_init(send, sendCounts unsafe.Pointer, wideSendCounts C.int, sendDispls unsafe.Pointer, wideSendDispls C.int, sendType C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, recvDispls unsafe.Pointer, wideRecvDispls C.int, recvType, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return neighborAlltoallv(core.Persistent, send, sendCounts, wideSendCounts, sendDispls, wideSendDispls, sendType, recv, recvCounts, wideRecvCounts, recvDispls, wideRecvDispls, recvType, on, request)
}

func neighborAlltoallv(f core.Form, send, sendCounts unsafe.Pointer, wideSendCounts C.int, sendDispls unsafe.Pointer, wideSendDispls C.int, sendType C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, recvDispls unsafe.Pointer, wideRecvDispls C.int, recvType, on C.uintptr_t, request *C.uintptr_t) C.int {
	return collectively(collective.NeighborAlltoallv, f, on, request, func(c *comm) (*core.Request, error) {
		sources, destinations := c.NeighborCounts()
		in, from, err := laidOut("send", send, array{sendCounts, wideSendCounts}, array{sendDispls, wideSendDispls}, sendType, destinations)
		if err != nil {
			return nil, err
		}
		out, to, err := laidOut("receive", recv, array{recvCounts, wideRecvCounts}, array{recvDispls, wideRecvDispls}, recvType, sources)
		if err != nil {
			return nil, err
		}
		return c.NeighborAlltoallv(f, in, from, out, to)
	})
}

//export sctpmpi_Neighbor_alltoallw
func sctpmpi_Neighbor_alltoallw(send, sendCounts unsafe.Pointer, wideSendCounts C.int, sendDispls unsafe.Pointer, wideSendDispls C.int, sendTypes *C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, recvDispls unsafe.Pointer, wideRecvDispls C.int, recvTypes *C.uintptr_t, on C.uintptr_t) C.int {
	return neighborAlltoallw(core.Blocking, send, sendCounts, wideSendCounts, sendDispls, wideSendDispls, sendTypes, recv, recvCounts, wideRecvCounts, recvDispls, wideRecvDispls, recvTypes, on, nil)
}

//export sctpmpi_Ineighbor_alltoallw
func sctpmpi_Ineighbor_alltoallw(send, sendCounts unsafe.Pointer, wideSendCounts C.int, sendDispls unsafe.Pointer, wideSendDispls C.int, sendTypes *C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, recvDispls unsafe.Pointer, wideRecvDispls C.int, recvTypes *C.uintptr_t, on C.uintptr_t, request *C.uintptr_t) C.int {
	return neighborAlltoallw(core.Nonblocking, send, sendCounts, wideSendCounts, sendDispls, wideSendDispls, sendTypes, recv, recvCounts, wideRecvCounts, recvDispls, wideRecvDispls, recvTypes, on, request)
}

//export sctpmpi_Neighbor_alltoallw_init
func sctpmpi_Neighbor_alltoallw_init(send, sendCounts unsafe.Pointer, wideSendCounts C.int, sendDispls unsafe.Pointer, wideSendDispls C.int, sendTypes *C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, recvDispls unsafe.Pointer, wideRecvDispls C.int, recvTypes *C.uintptr_t, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return neighborAlltoallw(core.Persistent, send, sendCounts, wideSendCounts, sendDispls, wideSendDispls, sendTypes, recv, recvCounts, wideRecvCounts, recvDispls, wideRecvDispls, recvTypes, on, request)
}

func neighborAlltoallw(f core.Form, send, sendCounts unsafe.Pointer, wideSendCounts C.int, sendDispls unsafe.Pointer, wideSendDispls C.int, sendTypes *C.uintptr_t, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, recvDispls unsafe.Pointer, wideRecvDispls C.int, recvTypes *C.uintptr_t, on C.uintptr_t, request *C.uintptr_t) C.int {
	return collectively(collective.NeighborAlltoallw, f, on, request, func(c *comm) (*core.Request, error) {
		sources, destinations := c.NeighborCounts()
		in, err := separate("send", send, array{sendCounts, wideSendCounts}, array{sendDispls, wideSendDispls}, sendTypes, destinations)
		if err != nil {
			return nil, err
		}
		out, err := separate("receive", recv, array{recvCounts, wideRecvCounts}, array{recvDispls, wideRecvDispls}, recvTypes, sources)
		if err != nil {
			return nil, err
		}
		return c.NeighborAlltoallw(f, in, out)
	})
}
