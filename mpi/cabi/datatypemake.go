package main

// #include "sctpmpi.h"
import "C"

import (
	"sync"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// countsAt is a copy of an array of n counts or displacements, of wide bytes each.
func countsAt(array unsafe.Pointer, wide C.int, n int64) ([]int64, error) {
	if n < 0 || n > 1<<44 { // so many cannot be in memory
		return nil, faultf(errCount, "the count is %d", n)
	}
	if n == 0 {
		return nil, nil
	}
	if array == nil {
		return nil, faultf(errArg, "an array of %d elements is a null pointer", n)
	}
	list := make([]int64, n)
	if wide == 8 {
		copy(list, unsafe.Slice((*int64)(array), n))
		return list, nil
	}
	for i, v := range unsafe.Slice((*int32)(array), n) {
		list[i] = int64(v)
	}
	return list, nil
}

// typesAt are the types of an array of datatypes.
func typesAt(array *C.uintptr_t, n C.int64_t) ([]*core.Type, error) {
	if array == nil && n > 0 {
		return nil, faultf(errArg, "the array of datatypes is a null pointer")
	}
	list := make([]*core.Type, n)
	for i, h := range unsafe.Slice(array, n) {
		var err error
		if list[i], err = typeOf(h); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func mpiTypeContiguous(count int64, t *core.Type) (*core.Type, error) {
	return datatype.Contiguous(count, t)
}

func mpiTypeVector(count, length, stride int64, t *core.Type) (*core.Type, error) {
	return datatype.Vector(count, length, stride, t)
}

func mpiTypeCreateHvector(count, length, stride int64, t *core.Type) (*core.Type, error) {
	return datatype.Hvector(count, length, stride, t)
}

func mpiTypeIndexed(lengths, displacements []int64, t *core.Type) (*core.Type, error) {
	return datatype.Indexed(lengths, displacements, t)
}

func mpiTypeCreateHindexed(lengths, displacements []int64, t *core.Type) (*core.Type, error) {
	return datatype.Hindexed(lengths, displacements, t)
}

func mpiTypeCreateIndexedBlock(length int64, displacements []int64, t *core.Type) (*core.Type, error) {
	return datatype.IndexedBlock(length, displacements, t)
}

func mpiTypeCreateHindexedBlock(length int64, displacements []int64, t *core.Type) (*core.Type, error) {
	return datatype.HindexedBlock(length, displacements, t)
}

func mpiTypeCreateStruct(lengths, displacements []int64, parts []*core.Type) (*core.Type, error) {
	return datatype.Struct(lengths, displacements, parts)
}

func mpiTypeCreateResized(t *core.Type, low, extent int64) (*core.Type, error) {
	return datatype.Resized(t, low, extent)
}

// The numbers of arguments in the standard ABI.
const (
	orderC            = 12
	orderFortran      = 15
	distributeNone    = 16
	distributeBlock   = 17
	distributeCyclic  = 18
	distributeDefault = 19       // MPI_DISTRIBUTE_DFLT_DARG
	distributeBy19    = -1 << 30 // a block length of 19 in MPICH's ABI, whose shim passes it so
)

// orderOf is the order of an array. An unknown one is not Fortran's or C's in core either.
func orderOf(order C.int) datatype.Order {
	switch order {
	case orderC:
		return datatype.OrderC
	case orderFortran:
		return datatype.OrderFortran
	}
	return -1
}

func mpiTypeCreateSubarray(ndims C.int, sizes, subsizes, starts array, order C.int, t *core.Type) (*core.Type, error) {
	var lists [3][]int64
	for i, a := range [...]array{sizes, subsizes, starts} {
		var err error
		if lists[i], err = countsAt(a.at, a.wide, int64(ndims)); err != nil {
			return nil, faultf(errArg, "%v", err)
		}
	}
	return datatype.Subarray(lists[0], lists[1], lists[2], orderOf(order), t)
}

func mpiTypeCreateDarray(size, rank, ndims C.int, sizes array, distributions, blocks, grid *C.int, order C.int, t *core.Type) (*core.Type, error) {
	n := int64(ndims)
	all, err := countsAt(sizes.at, sizes.wide, n)
	var kinds, lengths, processes []int64
	for _, a := range [...]struct {
		to *[]int64
		at *C.int
	}{{&kinds, distributions}, {&lengths, blocks}, {&processes, grid}} {
		if err == nil {
			*a.to, err = countsAt(unsafe.Pointer(a.at), 4, n)
		}
	}
	if err != nil {
		return nil, faultf(errArg, "%v", err)
	}
	distribution := make([]datatype.Distribution, n)
	for i, k := range kinds {
		switch k {
		case distributeBlock:
			distribution[i] = datatype.Block
		case distributeCyclic:
			distribution[i] = datatype.Cyclic
		case distributeNone:
			distribution[i] = datatype.Whole
		default:
			return nil, faultf(errArg, "the distribution of dimension %d is %d, which is none", i, k)
		}
		switch lengths[i] {
		case distributeDefault:
			lengths[i] = datatype.DefaultBlock
		case distributeBy19:
			lengths[i] = 19
		case datatype.DefaultBlock:
			lengths[i] = 0 // as wrong as the program's
		}
	}
	return datatype.Darray(int64(size), int64(rank), all, distribution, lengths, processes, orderOf(order), t)
}

// byPrecision are the datatypes of Fortran's numbers that programs have asked for: there is one for each precision.
var byPrecision struct {
	mu  sync.Mutex
	all map[precision]*datatypeObject
}

type precision struct {
	of   datatype.Combiner
	p, r C.int
}

// notGiven is a precision as core has it: MPI_UNDEFINED says nothing.
func notGiven(n C.int) int64 {
	if n == undefined {
		return -1
	}
	return int64(n)
}

func typeByPrecision(what precision, construct func() (*core.Type, error)) (C.uintptr_t, error) {
	known := &byPrecision
	known.mu.Lock()
	defer known.mu.Unlock()
	if t, ok := known.all[what]; ok {
		return C.uintptr_t(t.handle), nil
	}
	for _, n := range [...]C.int{what.p, what.r} {
		if n < 0 && n != undefined {
			return 0, faultf(errArg, "%d is no number of digits or exponents", int(n))
		}
	}
	made, err := construct()
	if err != nil {
		return 0, wrongType(err)
	}
	t := &datatypeObject{Type: made, predefined: true}
	if _, err := newHandle(t); err != nil {
		return 0, err
	}
	if known.all == nil {
		known.all = make(map[precision]*datatypeObject)
	}
	known.all[what] = t
	return C.uintptr_t(t.handle), nil
}

func mpiTypeCreateF90Real(p, r C.int) (C.uintptr_t, error) {
	return typeByPrecision(precision{datatype.CombinerF90Real, p, r}, func() (*core.Type, error) {
		return datatype.F90Real(notGiven(p), notGiven(r), loose)
	})
}

func mpiTypeCreateF90Complex(p, r C.int) (C.uintptr_t, error) {
	return typeByPrecision(precision{datatype.CombinerF90Complex, p, r}, func() (*core.Type, error) {
		return datatype.F90Complex(notGiven(p), notGiven(r), loose)
	})
}

func mpiTypeCreateF90Integer(r C.int) (C.uintptr_t, error) {
	return typeByPrecision(precision{datatype.CombinerF90Integer, 0, r}, func() (*core.Type, error) {
		return datatype.F90Integer(notGiven(r), loose)
	})
}
