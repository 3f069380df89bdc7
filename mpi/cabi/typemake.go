package main

/*
#include "sctpmpi.h"
*/
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

// makeType passes to the program what a constructor makes of another type.
func makeType(old C.uintptr_t, to *C.uintptr_t, construct func(old *core.Type) (*core.Type, error)) C.int {
	t, err := typeOf(old)
	if err != nil {
		return fail(nil, err)
	}
	made, err := construct(t)
	return giveType(to, made, err)
}

//export sctpmpi_Type_contiguous
func sctpmpi_Type_contiguous(count C.int64_t, old C.uintptr_t, to *C.uintptr_t) C.int {
	return makeType(old, to, func(t *core.Type) (*core.Type, error) { return datatype.Contiguous(int64(count), t) })
}

//export sctpmpi_Type_vector
func sctpmpi_Type_vector(count, length, stride C.int64_t, old C.uintptr_t, to *C.uintptr_t) C.int {
	return makeType(old, to, func(t *core.Type) (*core.Type, error) {
		return datatype.Vector(int64(count), int64(length), int64(stride), t)
	})
}

//export sctpmpi_Type_create_hvector
func sctpmpi_Type_create_hvector(count, length, stride C.int64_t, old C.uintptr_t, to *C.uintptr_t) C.int {
	return makeType(old, to, func(t *core.Type) (*core.Type, error) {
		return datatype.Hvector(int64(count), int64(length), int64(stride), t)
	})
}

// makeIndexed is makeType with block lengths and displacements.
func makeIndexed(count C.int64_t, lengths unsafe.Pointer, wide C.int, displacements unsafe.Pointer, wideDispls C.int, old C.uintptr_t, to *C.uintptr_t,
	construct func(lengths, displacements []int64, old *core.Type) (*core.Type, error)) C.int {
	return makeType(old, to, func(t *core.Type) (*core.Type, error) {
		l, err := countsAt(lengths, wide, int64(count))
		if err != nil {
			return nil, err
		}
		d, err := countsAt(displacements, wideDispls, int64(count))
		if err != nil {
			return nil, err
		}
		return construct(l, d, t)
	})
}

//export sctpmpi_Type_indexed
func sctpmpi_Type_indexed(count C.int64_t, lengths unsafe.Pointer, wide C.int, displacements unsafe.Pointer, wideDispls C.int, old C.uintptr_t, to *C.uintptr_t) C.int {
	return makeIndexed(count, lengths, wide, displacements, wideDispls, old, to, datatype.Indexed)
}

//export sctpmpi_Type_create_hindexed
func sctpmpi_Type_create_hindexed(count C.int64_t, lengths unsafe.Pointer, wide C.int, displacements unsafe.Pointer, wideDispls C.int, old C.uintptr_t, to *C.uintptr_t) C.int {
	return makeIndexed(count, lengths, wide, displacements, wideDispls, old, to, datatype.Hindexed)
}

// makeBlocks is makeType with displacements.
func makeBlocks(count, length C.int64_t, displacements unsafe.Pointer, wide C.int, old C.uintptr_t, to *C.uintptr_t,
	construct func(length int64, displacements []int64, old *core.Type) (*core.Type, error)) C.int {
	return makeType(old, to, func(t *core.Type) (*core.Type, error) {
		d, err := countsAt(displacements, wide, int64(count))
		if err != nil {
			return nil, err
		}
		return construct(int64(length), d, t)
	})
}

//export sctpmpi_Type_create_indexed_block
func sctpmpi_Type_create_indexed_block(count, length C.int64_t, displacements unsafe.Pointer, wide C.int, old C.uintptr_t, to *C.uintptr_t) C.int {
	return makeBlocks(count, length, displacements, wide, old, to, datatype.IndexedBlock)
}

//export sctpmpi_Type_create_hindexed_block
func sctpmpi_Type_create_hindexed_block(count, length C.int64_t, displacements unsafe.Pointer, wide C.int, old C.uintptr_t, to *C.uintptr_t) C.int {
	return makeBlocks(count, length, displacements, wide, old, to, datatype.HindexedBlock)
}

//export sctpmpi_Type_create_struct
func sctpmpi_Type_create_struct(count C.int64_t, lengths unsafe.Pointer, wide C.int, displacements unsafe.Pointer, wideDispls C.int, of *C.uintptr_t, to *C.uintptr_t) C.int {
	l, err := countsAt(lengths, wide, int64(count))
	if err != nil {
		return fail(nil, err)
	}
	d, err := countsAt(displacements, wideDispls, int64(count))
	if err != nil {
		return fail(nil, err)
	}
	if of == nil && count > 0 {
		return fail(nil, faultf(errArg, "the array of datatypes is a null pointer"))
	}
	parts := make([]*core.Type, len(l))
	for i, h := range unsafe.Slice(of, len(l)) {
		if parts[i], err = typeOf(h); err != nil {
			return fail(nil, err)
		}
	}
	made, err := datatype.Struct(l, d, parts)
	return giveType(to, made, err)
}

//export sctpmpi_Type_create_resized
func sctpmpi_Type_create_resized(old C.uintptr_t, low, extent C.int64_t, to *C.uintptr_t) C.int {
	return makeType(old, to, func(t *core.Type) (*core.Type, error) { return datatype.Resized(t, int64(low), int64(extent)) })
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

//export sctpmpi_Type_create_subarray
func sctpmpi_Type_create_subarray(ndims C.int, sizes unsafe.Pointer, wideSizes C.int, subsizes unsafe.Pointer, wideSubsizes C.int, starts unsafe.Pointer, wideStarts C.int, order C.int, old C.uintptr_t, to *C.uintptr_t) C.int {
	return makeType(old, to, func(t *core.Type) (*core.Type, error) {
		var lists [3][]int64
		for i, a := range [...]struct {
			at   unsafe.Pointer
			wide C.int
		}{{sizes, wideSizes}, {subsizes, wideSubsizes}, {starts, wideStarts}} {
			var err error
			if lists[i], err = countsAt(a.at, a.wide, int64(ndims)); err != nil {
				return nil, faultf(errArg, "%v", err)
			}
		}
		return datatype.Subarray(lists[0], lists[1], lists[2], orderOf(order), t)
	})
}

//export sctpmpi_Type_create_darray
func sctpmpi_Type_create_darray(size, rank, ndims C.int, sizes unsafe.Pointer, wide C.int, distributions, blocks, grid *C.int, order C.int, old C.uintptr_t, to *C.uintptr_t) C.int {
	return makeType(old, to, func(t *core.Type) (*core.Type, error) {
		n := int64(ndims)
		all, err := countsAt(sizes, wide, n)
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
	})
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

func giveByPrecision(what precision, to *C.uintptr_t, construct func() (*core.Type, error)) C.int {
	known := &byPrecision
	known.mu.Lock()
	defer known.mu.Unlock()
	t, ok := known.all[what]
	if !ok {
		for _, n := range [...]C.int{what.p, what.r} {
			if n < 0 && n != undefined {
				return fail(nil, faultf(errArg, "%d is no number of digits or exponents", int(n)))
			}
		}
		made, err := construct()
		if err != nil {
			return fail(nil, wrongType(err))
		}
		t = &datatypeObject{Type: made, predefined: true}
		if _, err := newHandle(t); err != nil {
			return fail(nil, err)
		}
		if known.all == nil {
			known.all = make(map[precision]*datatypeObject)
		}
		known.all[what] = t
	}
	*to = C.uintptr_t(t.handle)
	return 0
}

//export sctpmpi_Type_create_f90_real
func sctpmpi_Type_create_f90_real(p, r C.int, to *C.uintptr_t) C.int {
	return giveByPrecision(precision{datatype.CombinerF90Real, p, r}, to, func() (*core.Type, error) {
		return datatype.F90Real(notGiven(p), notGiven(r), loose)
	})
}

//export sctpmpi_Type_create_f90_complex
func sctpmpi_Type_create_f90_complex(p, r C.int, to *C.uintptr_t) C.int {
	return giveByPrecision(precision{datatype.CombinerF90Complex, p, r}, to, func() (*core.Type, error) {
		return datatype.F90Complex(notGiven(p), notGiven(r), loose)
	})
}

//export sctpmpi_Type_create_f90_integer
func sctpmpi_Type_create_f90_integer(r C.int, to *C.uintptr_t) C.int {
	return giveByPrecision(precision{datatype.CombinerF90Integer, 0, r}, to, func() (*core.Type, error) {
		return datatype.F90Integer(notGiven(r), loose)
	})
}
