package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/window"
)

// reach is what all one-sided operations name: a window, memory here, and memory of a target.
type reach struct {
	win          *win
	here, target core.Buffer
	at           window.Place
}

func reachOf(origin unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, rank C.int, disp, targetCount C.int64_t, targetType, h C.uintptr_t) (r reach, err error) {
	if r.win, err = winOf(h); err != nil {
		return r, err
	}
	if r.here, err = bufferOf(origin, count, datatype); err != nil {
		return r, err
	}
	// Of the target's memory only the layout counts.
	if r.target, err = bufferOf(nil, targetCount, targetType); err != nil {
		return r, err
	}
	r.at = window.Place{Rank: rankOf(rank), Disp: int(disp)}
	return r, nil
}

// owner is the object whose error handler counts.
func (r *reach) owner() owner {
	if r.win == nil {
		return nil
	}
	return r.win
}

// giveRequest passes the request of an operation, which begin begins, to the program.
func (r *reach) giveRequest(to *C.uintptr_t, begin func() (*core.Request, error)) C.int {
	return giveRequest(r.owner(), to, begin)
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

//export sctpmpi_Put
func sctpmpi_Put(origin unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, rank C.int, disp, targetCount C.int64_t, targetType, h C.uintptr_t) C.int {
	r, err := reachOf(origin, count, datatype, rank, disp, targetCount, targetType, h)
	if err == nil {
		err = r.win.PutData("MPI_Put", r.here, r.at, r.target)
	}
	return fail(r.owner(), err)
}

//export sctpmpi_Rput
func sctpmpi_Rput(origin unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, rank C.int, disp, targetCount C.int64_t, targetType, h C.uintptr_t, request *C.uintptr_t) C.int {
	r, err := reachOf(origin, count, datatype, rank, disp, targetCount, targetType, h)
	if err != nil {
		return fail(r.owner(), err)
	}
	return r.giveRequest(request, func() (*core.Request, error) {
		return r.win.RputData("MPI_Rput", r.here, r.at, r.target)
	})
}

//export sctpmpi_Get
func sctpmpi_Get(origin unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, rank C.int, disp, targetCount C.int64_t, targetType, h C.uintptr_t) C.int {
	r, err := reachOf(origin, count, datatype, rank, disp, targetCount, targetType, h)
	if err == nil {
		err = r.win.GetData("MPI_Get", r.here, r.at, r.target)
	}
	return fail(r.owner(), err)
}

//export sctpmpi_Rget
func sctpmpi_Rget(origin unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, rank C.int, disp, targetCount C.int64_t, targetType, h C.uintptr_t, request *C.uintptr_t) C.int {
	r, err := reachOf(origin, count, datatype, rank, disp, targetCount, targetType, h)
	if err != nil {
		return fail(r.owner(), err)
	}
	return r.giveRequest(request, func() (*core.Request, error) {
		return r.win.RgetData("MPI_Rget", r.here, r.at, r.target)
	})
}

//export sctpmpi_Accumulate
func sctpmpi_Accumulate(origin unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, rank C.int, disp, targetCount C.int64_t, targetType, op, h C.uintptr_t) C.int {
	r, err := reachOf(origin, count, datatype, rank, disp, targetCount, targetType, h)
	if err != nil {
		return fail(r.owner(), err)
	}
	o, err := windowOp(op)
	switch {
	case err != nil:
	case o.Reduction == collective.NoOp:
		err = faultf(errOp, "MPI_NO_OP is for MPI_Get_accumulate and MPI_Fetch_and_op")
	default:
		err = r.win.AccumulateData("MPI_Accumulate", r.here, o, r.at, r.target)
	}
	return fail(r.owner(), err)
}

//export sctpmpi_Raccumulate
func sctpmpi_Raccumulate(origin unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, rank C.int, disp, targetCount C.int64_t, targetType, op, h C.uintptr_t, request *C.uintptr_t) C.int {
	r, err := reachOf(origin, count, datatype, rank, disp, targetCount, targetType, h)
	if err != nil {
		return fail(r.owner(), err)
	}
	o, err := windowOp(op)
	if err != nil {
		return fail(r.owner(), err)
	}
	return r.giveRequest(request, func() (*core.Request, error) {
		return r.win.RaccumulateData("MPI_Raccumulate", r.here, o, r.at, r.target)
	})
}

// fetching is what operations name that combine and get at once.
type fetching struct {
	reach
	data core.Buffer
	op   core.Op
}

func fetchingOf(origin unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, result unsafe.Pointer, resultCount C.int64_t, resultType C.uintptr_t, rank C.int, disp, targetCount C.int64_t, targetType, op, h C.uintptr_t) (f fetching, err error) {
	if f.reach, err = reachOf(result, resultCount, resultType, rank, disp, targetCount, targetType, h); err != nil {
		return f, err
	}
	if f.op, err = windowOp(op); err != nil || f.op.Reduction == collective.NoOp {
		return f, err // its origin buffer is not looked at
	}
	f.data, err = bufferOf(origin, count, datatype)
	return f, err
}

//export sctpmpi_Get_accumulate
func sctpmpi_Get_accumulate(origin unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, result unsafe.Pointer, resultCount C.int64_t, resultType C.uintptr_t, rank C.int, disp, targetCount C.int64_t, targetType, op, h C.uintptr_t) C.int {
	f, err := fetchingOf(origin, count, datatype, result, resultCount, resultType, rank, disp, targetCount, targetType, op, h)
	if err == nil {
		err = f.win.GetAccumulateData("MPI_Get_accumulate", f.data, f.here, f.op, f.at, f.target)
	}
	return fail(f.owner(), err)
}

//export sctpmpi_Rget_accumulate
func sctpmpi_Rget_accumulate(origin unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, result unsafe.Pointer, resultCount C.int64_t, resultType C.uintptr_t, rank C.int, disp, targetCount C.int64_t, targetType, op, h C.uintptr_t, request *C.uintptr_t) C.int {
	f, err := fetchingOf(origin, count, datatype, result, resultCount, resultType, rank, disp, targetCount, targetType, op, h)
	if err != nil {
		return fail(f.owner(), err)
	}
	return f.giveRequest(request, func() (*core.Request, error) {
		return f.win.RgetAccumulateData("MPI_Rget_accumulate", f.data, f.here, f.op, f.at, f.target)
	})
}

//export sctpmpi_Fetch_and_op
func sctpmpi_Fetch_and_op(origin, result unsafe.Pointer, datatype C.uintptr_t, rank C.int, disp C.int64_t, op, h C.uintptr_t) C.int {
	f, err := fetchingOf(origin, 1, datatype, result, 1, datatype, rank, disp, 1, datatype, op, h)
	if err == nil {
		err = f.win.GetAccumulateData("MPI_Fetch_and_op", f.data, f.here, f.op, f.at, f.target)
	}
	return fail(f.owner(), err)
}

//export sctpmpi_Compare_and_swap
func sctpmpi_Compare_and_swap(origin, compare, result unsafe.Pointer, datatype C.uintptr_t, rank C.int, disp C.int64_t, h C.uintptr_t) C.int {
	r, err := reachOf(result, 1, datatype, rank, disp, 1, datatype, h)
	if err != nil {
		return fail(r.owner(), err)
	}
	if err := canBeCompared(datatype); err != nil {
		return fail(r.win, err)
	}
	size := r.here.Len()
	if size > 0 && (uintptr(compare) < noMemory || uintptr(origin) < noMemory) {
		return fail(r.win, faultf(errBuffer, "the elements are at the addresses %#x and %#x", uintptr(compare), uintptr(origin)))
	}
	var both [4]uint64
	pair := unsafe.Slice((*byte)(unsafe.Pointer(&both)), 2*size)
	copy(pair, unsafe.Slice((*byte)(compare), size))
	copy(pair[size:], unsafe.Slice((*byte)(origin), size))
	data := core.Buffer{Addr: unsafe.Pointer(&both), Count: 2, Type: r.here.Type}
	return fail(r.win, r.win.CompareAndSwap("MPI_Compare_and_swap", data, r.here, r.at))
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
