package main

// #include "sctpmpi.h"
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

func mpiTypeSize(t *core.Type) int64                    { return t.Size() }
func mpiTypeGetExtent(t *core.Type) (low, extent int64) { return t.LowerBound(), t.Extent() }
func mpiTypeGetTrueExtent(t *core.Type) (low, extent int64) {
	return t.TrueLowerBound(), t.TrueExtent()
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

func mpiTypeGetEnvelope(t *datatypeObject) (integers, addresses, datatypes int, combiner C.int, err error) {
	c := contentsOf(t)
	if c.large != nil {
		err = faultf(errType, "the datatype was made with counts that do not fit into ints: use MPI_Type_get_envelope_c")
	}
	return len(c.Integers), len(c.Addresses), len(c.Types), combiners[c.Combiner], err
}

func mpiTypeGetEnvelopeC(t *datatypeObject) (integers, addresses, counts, datatypes int, combiner C.int) {
	c := contentsOf(t)
	return len(c.Integers), len(c.Addresses), len(c.large), len(c.Types), combiners[c.Combiner]
}

func mpiTypeGetContents(t *datatypeObject, maxIntegers, maxAddresses, maxDatatypes int64, integers *C.int, addresses *C.int64_t,
	datatypes *C.uintptr_t) error {
	return t.getContents([4]int64{maxIntegers, maxAddresses, 0, maxDatatypes}, integers, addresses, nil, datatypes)
}

func mpiTypeGetContentsC(t *datatypeObject, maxIntegers, maxAddresses, maxCounts, maxDatatypes int64, integers *C.int,
	addresses, counts *C.int64_t, datatypes *C.uintptr_t) error {
	return t.getContents([4]int64{maxIntegers, maxAddresses, maxCounts, maxDatatypes}, integers, addresses, counts, datatypes)
}

// getContents tells how a datatype was made. room is how many integers, addresses, counts and datatypes the arrays hold.
func (t *datatypeObject) getContents(room [4]int64, integers *C.int, addresses, counts *C.int64_t, datatypes *C.uintptr_t) error {
	c := contentsOf(t)
	if c.Combiner == datatype.Named {
		return faultf(errType, "%s is predefined, and was not made of others", t.Name())
	}
	none := [...]bool{integers == nil, addresses == nil, counts == nil, datatypes == nil}
	for i, n := range [...]int{len(c.Integers), len(c.Addresses), len(c.large), len(c.Types)} {
		if n > 0 && room[i] > 0 && none[i] {
			return errNoPlace
		}
		if int64(n) > room[i] {
			return faultf(errArg, "the datatype was made of %d %s, and there is room for %d",
				n, [...]string{"integers", "addresses", "large counts", "datatypes"}[i], room[i])
		}
	}
	for i, v := range c.Integers {
		unsafe.Slice(integers, len(c.Integers))[i] = C.int(v)
	}
	copy(unsafe.Slice((*int64)(unsafe.Pointer(addresses)), len(c.Addresses)), c.Addresses)
	copy(unsafe.Slice((*int64)(unsafe.Pointer(counts)), len(c.large)), c.large)
	for i, part := range c.Types {
		if err := giveAgain(&unsafe.Slice(datatypes, len(c.Types))[i], part); err != nil {
			return err
		}
	}
	return nil
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

func mpiTypeMatchSize(class, size C.int) (C.uintptr_t, error) {
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
		return 0, faultf(errArg, "%d is no class of types", int(class))
	case !ok:
		return 0, faultf(errArg, "there is no type of this class with %d bytes", int(size))
	}
	return h, nil
}

func mpiTypeGetValueIndex(value, index *datatypeObject) C.uintptr_t {
	pairs := map[[2]uintptr]C.uintptr_t{
		{0x210, 0x209}: 0x228, {0x214, 0x209}: 0x229, {0x20a, 0x209}: 0x22a, {0x209, 0x209}: 0x22b, {0x208, 0x209}: 0x22c,
		{0x220, 0x209}: 0x22d, {0x21a, 0x21a}: 0x230, {0x21c, 0x21c}: 0x231, {0x219, 0x219}: 0x232,
	}
	if h, ok := pairs[[2]uintptr{value.handle, index.handle}]; ok {
		return h
	}
	return typeNull // there is none
}
