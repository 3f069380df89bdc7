package main

// #include "sctpmpi.h"
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

func mpiReduce(c *comm, f core.Form, send unsafe.Pointer, recv memory, op C.uintptr_t, root int) (*core.Request, error) {
	in, out, err := nothing, nothing, error(nil)
	used := &in
	if c.has(root) {
		used = &out
		out, err = given("receive", recv)
	}
	switch {
	case err != nil || c.Inter() && c.has(root) || c.outside(root):
	case inPlace(send) && c.has(root):
		in = out
	case c.has(root):
		in, err = apart("send", recv.at(send), out)
	default:
		in, err = given("send", recv.at(send))
	}
	if err != nil {
		return nil, err
	}
	if c.outside(root) {
		return c.Reduce(f, in, out, noOp, root)
	}
	o, err := opOn(op, used.Type, recv.datatype)
	if err != nil {
		return nil, err
	}
	return c.Reduce(f, in, out, o, root)
}

func mpiAllreduce(c *comm, f core.Form, send unsafe.Pointer, recv memory, op C.uintptr_t) (*core.Request, error) {
	return c.reduceForAll(f, (*comm).Allreduce, send, recv, op)
}

func mpiScan(c *comm, f core.Form, send unsafe.Pointer, recv memory, op C.uintptr_t) (*core.Request, error) {
	return c.reduceForAll(f, (*comm).Scan, send, recv, op)
}

func mpiExscan(c *comm, f core.Form, send unsafe.Pointer, recv memory, op C.uintptr_t) (*core.Request, error) {
	return c.reduceForAll(f, (*comm).Exscan, send, recv, op)
}

// reduceForAll makes the call of a reduction that gives all ranks a result.
func (c *comm) reduceForAll(f core.Form, reduce func(c *comm, f core.Form, in, out core.Buffer, o core.Op) (*core.Request, error),
	send unsafe.Pointer, recv memory, op C.uintptr_t) (*core.Request, error) {
	out, err := given("receive", recv)
	in := out
	if err == nil && (!inPlace(send) || c.Inter()) {
		in, err = apart("send", recv.at(send), out)
	}
	if err != nil {
		return nil, err
	}
	o, err := opOn(op, out.Type, recv.datatype)
	if err != nil {
		return nil, err
	}
	return reduce(c, f, in, out, o)
}

// noOp is the operation of a rank that has no part in a reduction: it combines nothing.
var noOp = core.Op{Combine: func([]byte, []byte) {}, Safe: true}
