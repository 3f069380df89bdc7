package datatype

import "fmt"

// Combiner says by which constructor a type was made (section 5.1.13).
type Combiner uint8

const (
	Named Combiner = iota
	CombinerDup
	CombinerContiguous
	CombinerVector
	CombinerHvector
	CombinerIndexed
	CombinerHindexed
	CombinerIndexedBlock
	CombinerHindexedBlock
	CombinerStruct
	CombinerSubarray
	CombinerDarray
	CombinerResized
	CombinerF90Real
	CombinerF90Complex
	CombinerF90Integer
	CombinerParsed // by Parse: the constructors of another process are not known
)

var combinerNames = [...]string{
	"predefined", "dup", "contiguous", "vector", "hvector", "indexed", "hindexed", "indexed block", "hindexed block", "struct",
	"subarray", "darray", "resized", "Fortran real", "Fortran complex", "Fortran integer", "remote type",
}

func (c Combiner) String() string {
	if int(c) < len(combinerNames) {
		return combinerNames[c]
	}
	return fmt.Sprintf("combiner %d", uint8(c))
}

// Contents are the arguments of the constructor. Integers are those that are counts or enumerations, in the order of
// MPI_TYPE_GET_CONTENTS: of a darray size, rank, number of dimensions, sizes, distributions, their arguments, grid, order. Addresses
// are strides, displacements, lower bound and extent in bytes. MPI_TYPE_GET_CONTENTS_C has counts apart: of Integers they are all but
// the numbers of dimensions, orders, and what a darray has besides its sizes. The slices must not be changed.
type Contents struct {
	Combiner  Combiner
	Integers  []int64
	Addresses []int64
	Types     []*Type
}

// Contents returns how t was made (MPI_Type_get_envelope and MPI_Type_get_contents).
func (t *Type) Contents() Contents { return t.contents }
