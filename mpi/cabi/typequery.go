package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

//export sctpmpi_Type_size
func sctpmpi_Type_size(h C.uintptr_t, size *C.int64_t) C.int {
	t, err := typeOf(h)
	if size == nil {
		err = errNoPlace
	}
	if err == nil {
		*size = C.int64_t(t.Size())
	}
	return fail(nil, err)
}

//export sctpmpi_Type_get_extent
func sctpmpi_Type_get_extent(h C.uintptr_t, low, extent *C.int64_t) C.int {
	t, err := typeOf(h)
	if low == nil || extent == nil {
		err = errNoPlace
	}
	if err == nil {
		*low, *extent = C.int64_t(t.LowerBound()), C.int64_t(t.Extent())
	}
	return fail(nil, err)
}

//export sctpmpi_Type_get_true_extent
func sctpmpi_Type_get_true_extent(h C.uintptr_t, low, extent *C.int64_t) C.int {
	t, err := typeOf(h)
	if low == nil || extent == nil {
		err = errNoPlace
	}
	if err == nil {
		*low, *extent = C.int64_t(t.TrueLowerBound()), C.int64_t(t.TrueExtent())
	}
	return fail(nil, err)
}

// combiners are the numbers of constructors in the standard ABI.
var combiners = map[datatype.Combiner]C.int{
	datatype.Named: 101, datatype.CombinerDup: 102, datatype.CombinerContiguous: 103, datatype.CombinerVector: 104,
	datatype.CombinerHvector: 105, datatype.CombinerIndexed: 106, datatype.CombinerHindexed: 107,
	datatype.CombinerIndexedBlock: 108, datatype.CombinerHindexedBlock: 109, datatype.CombinerStruct: 110,
	datatype.CombinerSubarray: 111, datatype.CombinerDarray: 112, datatype.CombinerF90Real: 113,
	datatype.CombinerF90Complex: 114, datatype.CombinerF90Integer: 115, datatype.CombinerResized: 116,
}

// contents is how a type was made, in the numbers of the standard ABI. If counts do not fit into ints they are apart, as in what
// MPI_Type_get_contents_c returns.
type contents struct {
	datatype.Contents
	large []int64
}

func contentsOf(t *datatypeObject) contents {
	c := contents{Contents: t.Contents()}
	c.Integers = append([]int64(nil), c.Integers...)
	n := len(c.Integers)
	switch c.Combiner {
	case datatype.CombinerSubarray:
		c.Integers[n-1] = orderNumber(c.Integers[n-1])
	case datatype.CombinerDarray:
		dims := int(c.Integers[2])
		for i := 3 + dims; i < 3+2*dims; i++ {
			c.Integers[i] = [...]int64{datatype.Block: distributeBlock, datatype.Cyclic: distributeCyclic, datatype.Whole: distributeNone}[c.Integers[i]]
			switch at := &c.Integers[i+dims]; *at {
			case datatype.DefaultBlock:
				*at = distributeDefault
			case distributeDefault: // only a program with MPICH's ABI can have said so
				*at = distributeBy19
			}
		}
		c.Integers[n-1] = orderNumber(c.Integers[n-1])
	case datatype.CombinerF90Real, datatype.CombinerF90Complex, datatype.CombinerF90Integer:
		for i, v := range c.Integers {
			if v < 0 {
				c.Integers[i] = undefined
			}
		}
	}
	for _, v := range c.Integers {
		if v != int64(int32(v)) {
			c.split()
			break
		}
	}
	return c
}

func orderNumber(order int64) int64 {
	if datatype.Order(order) == datatype.OrderFortran {
		return orderFortran
	}
	return orderC
}

// split moves counts out of the integers.
func (c *contents) split() {
	all := c.Integers
	switch c.Combiner {
	case datatype.CombinerSubarray:
		c.large = all[1 : len(all)-1]
		c.Integers = []int64{all[0], all[len(all)-1]}
	case datatype.CombinerDarray:
		dims := int(all[2])
		c.large = all[3 : 3+dims]
		c.Integers = append(append([]int64(nil), all[:3]...), all[3+dims:]...)
	default:
		c.large = append(all, c.Addresses...)
		c.Integers, c.Addresses = nil, nil
	}
}

// envelope is the contents of a datatype, as MPI_Type_get_envelope tells their numbers.
func envelope(h C.uintptr_t) (contents, error) {
	t, err := datatypeOf(h)
	if err != nil {
		return contents{}, err
	}
	return contentsOf(t), nil
}

//export sctpmpi_Type_get_envelope
func sctpmpi_Type_get_envelope(h C.uintptr_t, integers, addresses, datatypes, combiner *C.int) C.int {
	c, err := envelope(h)
	switch {
	case err != nil:
	case c.large != nil:
		err = faultf(errType, "the datatype was made with counts that do not fit into ints: use MPI_Type_get_envelope_c")
	default:
		*integers, *addresses, *datatypes, *combiner = C.int(len(c.Integers)), C.int(len(c.Addresses)), C.int(len(c.Types)), combiners[c.Combiner]
	}
	return fail(nil, err)
}

//export sctpmpi_Type_get_envelope_c
func sctpmpi_Type_get_envelope_c(h C.uintptr_t, integers, addresses, counts, datatypes *C.int64_t, combiner *C.int) C.int {
	c, err := envelope(h)
	if err == nil {
		*integers, *addresses = C.int64_t(len(c.Integers)), C.int64_t(len(c.Addresses))
		*counts, *datatypes, *combiner = C.int64_t(len(c.large)), C.int64_t(len(c.Types)), combiners[c.Combiner]
	}
	return fail(nil, err)
}

//export sctpmpi_Type_get_contents
func sctpmpi_Type_get_contents(h C.uintptr_t, maxIntegers, maxAddresses, maxDatatypes C.int, integers *C.int, addresses *C.int64_t, datatypes *C.uintptr_t) C.int {
	return getContents(h, [4]int64{int64(maxIntegers), int64(maxAddresses), 0, int64(maxDatatypes)}, integers, addresses, nil, datatypes)
}

//export sctpmpi_Type_get_contents_c
func sctpmpi_Type_get_contents_c(h C.uintptr_t, maxIntegers, maxAddresses, maxCounts, maxDatatypes C.int64_t, integers *C.int, addresses, counts *C.int64_t, datatypes *C.uintptr_t) C.int {
	return getContents(h, [4]int64{int64(maxIntegers), int64(maxAddresses), int64(maxCounts), int64(maxDatatypes)}, integers, addresses, counts, datatypes)
}

// getContents tells how a datatype was made. room is how many integers, addresses, counts and datatypes the arrays hold.
func getContents(h C.uintptr_t, room [4]int64, integers *C.int, addresses, counts *C.int64_t, datatypes *C.uintptr_t) C.int {
	t, err := datatypeOf(h)
	if err != nil {
		return fail(nil, err)
	}
	c := contentsOf(t)
	if c.Combiner == datatype.Named {
		return fail(nil, faultf(errType, "%s is predefined, and was not made of others", t.Name()))
	}
	none := [...]bool{integers == nil, addresses == nil, counts == nil, datatypes == nil}
	for i, n := range [...]int{len(c.Integers), len(c.Addresses), len(c.large), len(c.Types)} {
		if n > 0 && room[i] > 0 && none[i] {
			return fail(nil, errNoPlace)
		}
		if int64(n) > room[i] {
			return fail(nil, faultf(errArg, "the datatype was made of %d %s, and there is room for %d",
				n, [...]string{"integers", "addresses", "large counts", "datatypes"}[i], room[i]))
		}
	}
	for i, v := range c.Integers {
		unsafe.Slice(integers, len(c.Integers))[i] = C.int(v)
	}
	copy(unsafe.Slice((*int64)(unsafe.Pointer(addresses)), len(c.Addresses)), c.Addresses)
	copy(unsafe.Slice((*int64)(unsafe.Pointer(counts)), len(c.large)), c.large)
	for i, part := range c.Types {
		if err := giveAgain(&unsafe.Slice(datatypes, len(c.Types))[i], part); err != nil {
			return fail(nil, err)
		}
	}
	return 0
}

// giveAgain passes a datatype that the program knows already to it: predefined ones have their own handles, others get a new one.
func giveAgain(to *C.uintptr_t, t *core.Type) error {
	number, predefined := predefinedHandles[t]
	switch {
	case predefined:
		*to = C.uintptr_t(number)
	case t.Contents().Combiner >= datatype.CombinerF90Real:
		*to = precisionHandle(t)
	default:
		made, err := newHandle(&datatypeObject{Type: t})
		if err != nil {
			return err
		}
		*to = C.uintptr_t(made)
	}
	return nil
}

// precisionHandle is the handle of one of Fortran's types by precision.
func precisionHandle(t any) C.uintptr_t {
	byPrecision.mu.Lock()
	defer byPrecision.mu.Unlock()
	for _, known := range byPrecision.all {
		if known.Type == t {
			return C.uintptr_t(known.handle)
		}
	}
	return typeNull
}

// Classes of types for MPI_Type_match_size.
const (
	classLogical = 191 + iota
	classInteger
	classReal
	classComplex
)

//export sctpmpi_Type_match_size
func sctpmpi_Type_match_size(class, size C.int, to *C.uintptr_t) C.int {
	sized := map[C.int]map[C.int]C.uintptr_t{
		classLogical: {1: 0x2c0, 2: 0x2c8, 4: 0x2d0, 8: 0x2d8, 16: 0x2e0},
		classInteger: {1: 0x2c1, 2: 0x2c9, 4: 0x2d1, 8: 0x2d9, 16: 0x2e1},
		classReal:    {2: 0x2ca, 4: 0x2d2, 8: 0x2da, 16: 0x2e2},
		classComplex: {4: 0x2d3, 8: 0x2db, 16: 0x2e3, 32: 0x2eb},
	}
	of, known := sized[class]
	h, ok := of[size]
	switch {
	case !known:
		return fail(nil, faultf(errArg, "%d is no class of types", int(class)))
	case !ok:
		return fail(nil, faultf(errArg, "there is no type of this class with %d bytes", int(size)))
	}
	*to = h
	return 0
}

//export sctpmpi_Type_get_value_index
func sctpmpi_Type_get_value_index(value, index C.uintptr_t, to *C.uintptr_t) C.int {
	v, err := datatypeOf(value)
	if err != nil {
		return fail(nil, err)
	}
	i, err := datatypeOf(index)
	if err != nil {
		return fail(nil, err)
	}
	pairs := map[[2]uintptr]C.uintptr_t{
		{0x210, 0x209}: 0x228, {0x214, 0x209}: 0x229, {0x20a, 0x209}: 0x22a, {0x209, 0x209}: 0x22b, {0x208, 0x209}: 0x22c,
		{0x220, 0x209}: 0x22d, {0x21a, 0x21a}: 0x230, {0x21c, 0x21c}: 0x231, {0x219, 0x219}: 0x232,
	}
	*to = typeNull // there is none
	if h, ok := pairs[[2]uintptr{v.handle, i.handle}]; ok {
		*to = h
	}
	return 0
}
