package main

// #include "sctpmpi.h"
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

func mpiReduceScatter(c *comm, f core.Form, send, recv unsafe.Pointer, recvCounts array, datatype, op C.uintptr_t) (*core.Request, error) {
	counts, err := recvCounts.counts("receive", c.Size())
	if err != nil {
		return nil, err
	}
	total := 0
	for _, n := range counts {
		total += n
	}
	out, err := given("receive", memory{recv, C.int64_t(counts[c.Rank()]), datatype})
	if err != nil {
		return nil, err
	}
	in := core.Buffer{Addr: out.Addr, Count: total, Type: out.Type} // the result goes to its beginning
	if !inPlace(send) || c.Inter() {
		in, err = apart("send", memory{send, C.int64_t(total), datatype}, out)
	}
	if err != nil {
		return nil, err
	}
	o, err := opOn(op, out.Type, datatype)
	if err != nil {
		return nil, err
	}
	return c.ReduceScatter(f, in, out, counts, o)
}

func mpiReduceScatterBlock(c *comm, f core.Form, send unsafe.Pointer, recv memory, op C.uintptr_t) (*core.Request, error) {
	out, err := given("receive", recv)
	if err != nil {
		return nil, err
	}
	in, err := times("receive", recv, c.Size()) // the result goes to its beginning
	if err == nil && (!inPlace(send) || c.Inter()) {
		if in, err = times("send", recv.at(send), c.Size()); err == nil {
			err = aliased(in, out)
		}
	}
	if err != nil {
		return nil, err
	}
	o, err := opOn(op, out.Type, recv.datatype)
	if err != nil {
		return nil, err
	}
	return c.ReduceScatterBlock(f, in, out, o)
}
