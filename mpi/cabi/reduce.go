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

//export sctpmpi_Reduce
func sctpmpi_Reduce(send, recv unsafe.Pointer, count C.int64_t, datatype, op C.uintptr_t, root C.int, on C.uintptr_t) C.int {
	return reduce(core.Blocking, send, recv, count, datatype, op, root, on, nil)
}

//export sctpmpi_Ireduce
func sctpmpi_Ireduce(send, recv unsafe.Pointer, count C.int64_t, datatype, op C.uintptr_t, root C.int, on C.uintptr_t, request *C.uintptr_t) C.int {
	return reduce(core.Nonblocking, send, recv, count, datatype, op, root, on, request)
}

//export sctpmpi_Reduce_init
func sctpmpi_Reduce_init(send, recv unsafe.Pointer, count C.int64_t, datatype, op C.uintptr_t, root C.int, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return reduce(core.Persistent, send, recv, count, datatype, op, root, on, request)
}

func reduce(f core.Form, send, recv unsafe.Pointer, count C.int64_t, datatype, op C.uintptr_t, root C.int, on C.uintptr_t, request *C.uintptr_t) C.int {
	return collectively(collective.Reduce, f, on, request, func(c *comm) (*core.Request, error) {
		root := rankOf(root)
		in, out, err := nothing, nothing, error(nil)
		used := &in
		if c.has(root) {
			used = &out
			out, err = given("receive", recv, count, datatype)
		}
		switch {
		case err != nil || c.Inter() && c.has(root) || c.outside(root):
		case inPlace(send) && c.has(root):
			in = out
		case c.has(root):
			in, err = apart("send", send, count, datatype, out)
		default:
			in, err = given("send", send, count, datatype)
		}
		if err != nil {
			return nil, err
		}
		if c.outside(root) {
			return c.Reduce(f, in, out, noOp, root)
		}
		o, err := opOn(op, used.Type, datatype)
		if err != nil {
			return nil, err
		}
		return c.Reduce(f, in, out, o, root)
	})
}

//export sctpmpi_Allreduce
func sctpmpi_Allreduce(send, recv unsafe.Pointer, count C.int64_t, datatype, op, on C.uintptr_t) C.int {
	return reduceForAll(collective.Allreduce, core.Blocking, (*comm).Allreduce, send, recv, count, datatype, op, on, nil)
}

//export sctpmpi_Iallreduce
func sctpmpi_Iallreduce(send, recv unsafe.Pointer, count C.int64_t, datatype, op, on C.uintptr_t, request *C.uintptr_t) C.int {
	return reduceForAll(collective.Allreduce, core.Nonblocking, (*comm).Allreduce, send, recv, count, datatype, op, on, request)
}

//export sctpmpi_Allreduce_init
func sctpmpi_Allreduce_init(send, recv unsafe.Pointer, count C.int64_t, datatype, op, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return reduceForAll(collective.Allreduce, core.Persistent, (*comm).Allreduce, send, recv, count, datatype, op, on, request)
}

//export sctpmpi_Scan
func sctpmpi_Scan(send, recv unsafe.Pointer, count C.int64_t, datatype, op, on C.uintptr_t) C.int {
	return reduceForAll(collective.Scan, core.Blocking, (*comm).Scan, send, recv, count, datatype, op, on, nil)
}

//export sctpmpi_Iscan
func sctpmpi_Iscan(send, recv unsafe.Pointer, count C.int64_t, datatype, op, on C.uintptr_t, request *C.uintptr_t) C.int {
	return reduceForAll(collective.Scan, core.Nonblocking, (*comm).Scan, send, recv, count, datatype, op, on, request)
}

//export sctpmpi_Scan_init
func sctpmpi_Scan_init(send, recv unsafe.Pointer, count C.int64_t, datatype, op, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return reduceForAll(collective.Scan, core.Persistent, (*comm).Scan, send, recv, count, datatype, op, on, request)
}

//export sctpmpi_Exscan
func sctpmpi_Exscan(send, recv unsafe.Pointer, count C.int64_t, datatype, op, on C.uintptr_t) C.int {
	return reduceForAll(collective.Exscan, core.Blocking, (*comm).Exscan, send, recv, count, datatype, op, on, nil)
}

//export sctpmpi_Iexscan
func sctpmpi_Iexscan(send, recv unsafe.Pointer, count C.int64_t, datatype, op, on C.uintptr_t, request *C.uintptr_t) C.int {
	return reduceForAll(collective.Exscan, core.Nonblocking, (*comm).Exscan, send, recv, count, datatype, op, on, request)
}

//export sctpmpi_Exscan_init
func sctpmpi_Exscan_init(send, recv unsafe.Pointer, count C.int64_t, datatype, op, on, info C.uintptr_t, request *C.uintptr_t) C.int {
	return reduceForAll(collective.Exscan, core.Persistent, (*comm).Exscan, send, recv, count, datatype, op, on, request)
}

// reduceForAll makes the call of a reduction that gives all ranks a result.
func reduceForAll(of collective.Routine, f core.Form, reduce func(c *comm, f core.Form, in, out core.Buffer, o core.Op) (*core.Request, error),
	send, recv unsafe.Pointer, count C.int64_t, datatype, op, on C.uintptr_t, request *C.uintptr_t) C.int {
	return collectively(of, f, on, request, func(c *comm) (*core.Request, error) {
		in, out, err := operands(c, send, recv, count, datatype)
		if err != nil {
			return nil, err
		}
		o, err := opOn(op, out.Type, datatype)
		if err != nil {
			return nil, err
		}
		return reduce(c, f, in, out, o)
	})
}

// operands are its buffers.
func operands(c *comm, send, recv unsafe.Pointer, count C.int64_t, datatype C.uintptr_t) (in, out core.Buffer, err error) {
	out, err = given("receive", recv, count, datatype)
	if in = out; err == nil && (!inPlace(send) || c.Inter()) {
		in, err = apart("send", send, count, datatype, out)
	}
	return in, out, err
}

// noOp is the operation of a rank that has no part in a reduction: it combines nothing.
var noOp = core.Op{Combine: func([]byte, []byte) {}, Safe: true}
