package main

// #include "sctpmpi.h"
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/window"
)

func mpiPut(w *win, here core.Buffer, at window.Place, target core.Buffer) error {
	return w.PutData("MPI_Put", here, at, target)
}

func mpiRput(w *win, here core.Buffer, at window.Place, target core.Buffer) (*core.Request, error) {
	return w.RputData("MPI_Rput", here, at, target)
}

func mpiGet(w *win, here core.Buffer, at window.Place, target core.Buffer) error {
	return w.GetData("MPI_Get", here, at, target)
}

func mpiRget(w *win, here core.Buffer, at window.Place, target core.Buffer) (*core.Request, error) {
	return w.RgetData("MPI_Rget", here, at, target)
}

// windowOp is an operation of accumulates, which targets combine by themselves: a predefined one.
func windowOp(h C.uintptr_t) (core.Op, error) {
	r, ok := predefinedOps[h]
	if !ok && otherABI(handle.Op, uintptr(h)) != "" {
		return core.Op{}, noHandle(errOp, handle.Op, uintptr(h), "operation", "freed")
	}
	if !ok {
		return core.Op{}, faultf(errOp, "%#x is no predefined operation, as accumulates need", uintptr(h))
	}
	return core.Op{Combine: func(_, _ []byte) {}, Reduction: r}, nil
}

func mpiAccumulate(w *win, here core.Buffer, at window.Place, target core.Buffer, op C.uintptr_t) error {
	o, err := windowOp(op)
	switch {
	case err != nil:
		return err
	case o.Reduction == collective.NoOp:
		return faultf(errOp, "MPI_NO_OP is for MPI_Get_accumulate and MPI_Fetch_and_op")
	}
	return w.AccumulateData("MPI_Accumulate", here, o, at, target)
}

func mpiRaccumulate(w *win, here core.Buffer, at window.Place, target core.Buffer, op C.uintptr_t) (*core.Request, error) {
	o, err := windowOp(op)
	if err != nil {
		return nil, err
	}
	return w.RaccumulateData("MPI_Raccumulate", here, o, at, target)
}

// fetching is the operation of a call that combines and gets at once, and the data that it combines with, which MPI_NO_OP does not look at.
func fetching(data memory, op C.uintptr_t) (b core.Buffer, o core.Op, err error) {
	if o, err = windowOp(op); err == nil && o.Reduction != collective.NoOp {
		b, err = data.buffer()
	}
	return b, o, err
}

func mpiGetAccumulate(w *win, data memory, result core.Buffer, at window.Place, target core.Buffer, op C.uintptr_t) error {
	b, o, err := fetching(data, op)
	if err != nil {
		return err
	}
	return w.GetAccumulateData("MPI_Get_accumulate", b, result, o, at, target)
}

func mpiRgetAccumulate(w *win, data memory, result core.Buffer, at window.Place, target core.Buffer, op C.uintptr_t) (*core.Request, error) {
	b, o, err := fetching(data, op)
	if err != nil {
		return nil, err
	}
	return w.RgetAccumulateData("MPI_Rget_accumulate", b, result, o, at, target)
}

func mpiFetchAndOp(w *win, data, result unsafe.Pointer, datatype C.uintptr_t, at window.Place, op C.uintptr_t) error {
	to, target, err := one(result, datatype)
	if err != nil {
		return err
	}
	b, o, err := fetching(memory{data, 1, datatype}, op)
	if err != nil {
		return err
	}
	return w.GetAccumulateData("MPI_Fetch_and_op", b, to, o, at, target)
}

// one is the memory of an element here, and what counts of the target's: its layout.
func one(addr unsafe.Pointer, datatype C.uintptr_t) (here, target core.Buffer, err error) {
	if here, err = bufferOf(addr, 1, datatype); err == nil {
		target, err = bufferOf(nil, 1, datatype)
	}
	return here, target, err
}

func mpiCompareAndSwap(w *win, origin, compare, result unsafe.Pointer, datatype C.uintptr_t, at window.Place) error {
	to, _, err := one(result, datatype)
	if err == nil {
		err = canBeCompared(datatype)
	}
	if err != nil {
		return err
	}
	size := to.Len()
	if size > 0 && (uintptr(compare) < noMemory || uintptr(origin) < noMemory) {
		return faultf(errBuffer, "the elements are at the addresses %#x and %#x", uintptr(compare), uintptr(origin))
	}
	var both [4]uint64
	pair := unsafe.Slice((*byte)(unsafe.Pointer(&both)), 2*size)
	copy(pair, unsafe.Slice((*byte)(compare), size))
	copy(pair[size:], unsafe.Slice((*byte)(origin), size))
	data := core.Buffer{Addr: unsafe.Pointer(&both), Count: 2, Type: to.Type}
	return w.CompareAndSwap("MPI_Compare_and_swap", data, to, at)
}

// canBeCompared is the error of a datatype whose elements MPI_Compare_and_swap does not compare: only integers, logical values and bytes
// are (MPI 4.1, section 12.3.4).
func canBeCompared(h C.uintptr_t) error {
	t, err := datatypeOf(h)
	switch {
	case err != nil:
		return err
	case !t.predefined || t.Kind() >= datatype.Float16 && t.Kind() <= datatype.Complex256 || t.Kind() >= datatype.FloatInt:
		return faultf(errType, "elements of type %s cannot be compared: they must be integers, logical values or bytes, of a predefined type", t.Name())
	}
	return nil
}
