package main

/*
#include "sctpmpi.h"

// Addresses are numbers: that of an element may lie before the memory that it is in.
static inline void call_op(void *invoke, void *fn, uintptr_t in, uintptr_t inout, int64_t count, uintptr_t datatype) {
	((void (*)(void *, void *, void *, int64_t, uintptr_t))invoke)(fn, (void *)in, (void *)inout, count, datatype);
}
*/
import "C"

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

var ops = handle.NewTable[operation](handle.Op)

// operation is an operation that the program has made.
type operation struct {
	function
	commutes bool
}

const opNull = 0x20

// predefinedOps are the predefined operations by their numbers in the standard ABI.
var predefinedOps = map[C.uintptr_t]collective.Reduction{
	0x21: collective.Sum, 0x22: collective.Min, 0x23: collective.Max, 0x24: collective.Prod,
	0x28: collective.BitAnd, 0x29: collective.BitOr, 0x2a: collective.BitXor,
	0x30: collective.LogicalAnd, 0x31: collective.LogicalOr, 0x32: collective.LogicalXor,
	0x38: collective.MinLoc, 0x39: collective.MaxLoc, 0x3c: collective.Replace, 0x3d: collective.NoOp,
}

func userOp(h C.uintptr_t) (*operation, error) {
	if o := ops.Get(handle.Handle(h)); o != nil {
		return o, nil
	}
	if h == opNull {
		return nil, faultf(errOp, "the operation is MPI_OP_NULL")
	}
	return nil, noHandle(errOp, handle.Op, uintptr(h), "operation", "freed")
}

// opOn is an operation on elements of a datatype.
func opOn(op C.uintptr_t, t *core.Type, datatype C.uintptr_t) (core.Op, error) {
	if r, ok := predefinedOps[op]; ok {
		o, err := core.PredefinedOp("MPI_Op", r, t)
		if err != nil {
			c, text := classOf(err)
			return o, &fault{c, text}
		}
		return o, nil
	}
	o, err := userOp(op)
	if err != nil {
		return core.Op{}, err
	}
	return core.Op{
		Combine: func(left, right []byte) {
			h := valid(datatype, t)
			o.combine(left, right, t, h)
			if h != datatype {
				types.Remove(handle.Handle(h))
			}
		},
		Op: schedule.Op{Commutes: o.commutes},
	}, nil
}

// valid is the handle of a type, or if the program has freed that, as it may before a nonblocking operation is complete, a new one.
// It is MPI_DATATYPE_NULL if there are too many.
func valid(h C.uintptr_t, t *core.Type) C.uintptr_t {
	if known, err := datatypeOf(h); err == nil && known.Type == t {
		return h
	}
	made, err := newHandle(&datatypeObject{Type: t})
	if err != nil {
		return typeNull
	}
	return C.uintptr_t(made)
}

// scratches are memory for operations that do not commute.
var scratches = sync.Pool{New: func() any { return new([]uint64) }}

// combine makes left the combination of left and right. The program's function leaves it in its second argument: of an operation
// that commutes that is left, and else a copy of right.
func (o *operation) combine(left, right []byte, t *core.Type, datatype C.uintptr_t) {
	if len(left) == 0 {
		return
	}
	if o.commutes {
		o.callSlots(right, left, t, datatype)
		return
	}
	scratch := scratches.Get().(*[]uint64)
	defer scratches.Put(scratch)
	if words := (len(right) + 7) / 8; cap(*scratch) < words {
		*scratch = make([]uint64, words)
	}
	result := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData((*scratch)[:1]))), len(right))
	copy(result, right)
	o.callSlots(left, result, t, datatype)
	copy(left, result)
}

// callSlots calls the function for elements in slots. If these are not as far from each other as in the program's memory it does so
// for one after the other.
func (o *operation) callSlots(in, inout []byte, t *core.Type, datatype C.uintptr_t) {
	size, address := core.Slot(t)
	a, b := uintptr(unsafe.Pointer(unsafe.SliceData(in)))+uintptr(address), uintptr(unsafe.Pointer(unsafe.SliceData(inout)))+uintptr(address)
	switch n := len(in) / max(size, 1); {
	case size == 0:
	case size == int(t.Extent()):
		o.call(a, b, n, datatype)
	default:
		for i := range n {
			o.call(a+uintptr(i*size), b+uintptr(i*size), 1, datatype)
		}
	}
	runtime.KeepAlive(in)
	runtime.KeepAlive(inout)
}

func (o *operation) call(in, inout uintptr, n int, datatype C.uintptr_t) {
	C.call_op(o.invoke, o.fn, C.uintptr_t(in), C.uintptr_t(inout), C.int64_t(n), datatype)
}

func mpiOpCreate(f function, commutes bool) (C.uintptr_t, error) {
	if f.invoke == nil {
		return 0, faultf(errArg, "the function is a null pointer")
	}
	h := ops.Add(&operation{f, commutes})
	if h == 0 {
		return 0, tooMany("operations")
	}
	return C.uintptr_t(h), nil
}

func mpiOpFree(h *C.uintptr_t) error {
	if r, ok := predefinedOps[*h]; ok {
		return faultf(errOp, "%v is predefined, and cannot be freed", r)
	}
	if _, err := userOp(*h); err != nil {
		return err
	}
	ops.Remove(handle.Handle(*h))
	*h = opNull
	return nil
}

func mpiOpCommutative(h C.uintptr_t) (commutes bool, err error) {
	if r, ok := predefinedOps[h]; ok {
		return r != collective.Replace && r != collective.NoOp, nil
	}
	o, err := userOp(h)
	if err != nil {
		return false, err
	}
	return o.commutes, nil
}

func mpiReduceLocal(in unsafe.Pointer, inout memory, op C.uintptr_t) error {
	const name = "MPI_Reduce_local"
	b, err := given("result", inout)
	if err != nil {
		return err
	}
	a, err := apart("input", inout.at(in), b)
	if err != nil {
		return err
	}
	if r, ok := predefinedOps[op]; ok {
		p, err := core.PredefinedOp(name, r, a.Type)
		if err == nil {
			err = core.ReduceLocal(name, a, b, p)
		}
		return err
	}
	o, err := userOp(op)
	if err == nil && inout.count > 0 {
		o.call(uintptr(in), uintptr(inout.addr), int(inout.count), inout.datatype)
	}
	return err
}
