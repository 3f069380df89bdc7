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

//export sctpmpi_Reduce_scatter
func sctpmpi_Reduce_scatter(send, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, datatype, op, on C.uintptr_t) C.int {
	return reduceScatter(core.Blocking, send, recv, recvCounts, wideRecvCounts, datatype, op, on, nil)
}

//export sctpmpi_Ireduce_scatter
func sctpmpi_Ireduce_scatter(send, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, datatype, op, on C.uintptr_t, request *C.uintptr_t) C.int {
	return reduceScatter(core.Nonblocking, send, recv, recvCounts, wideRecvCounts, datatype, op, on, request)
}

//export sctpmpi_Reduce_scatter_init
func sctpmpi_Reduce_scatter_init(send, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, datatype, op, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return reduceScatter(core.Persistent, send, recv, recvCounts, wideRecvCounts, datatype, op, on, request)
}

func reduceScatter(f core.Form, send, recv, recvCounts unsafe.Pointer, wideRecvCounts C.int, datatype, op, on C.uintptr_t, request *C.uintptr_t) C.int {
	return collectively(collective.ReduceScatter, f, on, request, func(c *comm) (*core.Request, error) {
		counts, err := array{recvCounts, wideRecvCounts}.counts("receive", c.Size())
		if err != nil {
			return nil, err
		}
		total := 0
		for _, n := range counts {
			total += n
		}
		out, err := given("receive", recv, C.int64_t(counts[c.Rank()]), datatype)
		if err != nil {
			return nil, err
		}
		in := core.Buffer{Addr: out.Addr, Count: total, Type: out.Type} // the result goes to its beginning
		if !inPlace(send) || c.Inter() {
			in, err = apart("send", send, C.int64_t(total), datatype, out)
		}
		if err != nil {
			return nil, err
		}
		o, err := opOn(op, out.Type, datatype)
		if err != nil {
			return nil, err
		}
		return c.ReduceScatter(f, in, out, counts, o)
	})
}

//export sctpmpi_Reduce_scatter_block
func sctpmpi_Reduce_scatter_block(send, recv unsafe.Pointer, recvCount C.int64_t, datatype, op, on C.uintptr_t) C.int {
	return reduceScatterBlock(core.Blocking, send, recv, recvCount, datatype, op, on, nil)
}

//export sctpmpi_Ireduce_scatter_block
func sctpmpi_Ireduce_scatter_block(send, recv unsafe.Pointer, recvCount C.int64_t, datatype, op, on C.uintptr_t, request *C.uintptr_t) C.int {
	return reduceScatterBlock(core.Nonblocking, send, recv, recvCount, datatype, op, on, request)
}

//export sctpmpi_Reduce_scatter_block_init
func sctpmpi_Reduce_scatter_block_init(send, recv unsafe.Pointer, recvCount C.int64_t, datatype, op, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return reduceScatterBlock(core.Persistent, send, recv, recvCount, datatype, op, on, request)
}

func reduceScatterBlock(f core.Form, send, recv unsafe.Pointer, recvCount C.int64_t, datatype, op, on C.uintptr_t, request *C.uintptr_t) C.int {
	return collectively(collective.ReduceScatterBlock, f, on, request, func(c *comm) (*core.Request, error) {
		out, err := given("receive", recv, recvCount, datatype)
		if err != nil {
			return nil, err
		}
		in, err := times("receive", recv, recvCount, datatype, c.Size()) // the result goes to its beginning
		if err == nil && (!inPlace(send) || c.Inter()) {
			if in, err = times("send", send, recvCount, datatype, c.Size()); err == nil {
				err = aliased(in, out)
			}
		}
		if err != nil {
			return nil, err
		}
		o, err := opOn(op, out.Type, datatype)
		if err != nil {
			return nil, err
		}
		return c.ReduceScatterBlock(f, in, out, o)
	})
}
