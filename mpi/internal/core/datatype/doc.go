// Package datatype has MPI's derived datatypes (MPI 4.1, chapter 5) as pure data: where the elements of a buffer lie, in
// which order they are sent, and of which kinds they are. Nothing here sends, and only Pack, Unpack and their like touch the
// program's memory.
//
// # What a type is
//
// A datatype is a sequence of basic elements, each of a [Kind] and at a displacement in bytes: MPI's type map. Its order is
// that of the packed bytes. Displacements and strides may be negative; entries may overlap in a type that is only sent.
// A buffer is an address, a count and a type; copies of the type follow each other by its extent. The address may be that
// of a buffer or nil, with displacements that are absolute addresses (MPI_BOTTOM). Counts and displacements have 64 bits;
// constructors check all arithmetic and report what would not fit.
//
// # How it is kept
//
// A type map is never written out. A type is a tree of loops: a loop is a displacement, a number of repetitions, a stride,
// and what is repeated, a run of elements of one kind or a list of loops. A column of a matrix is one loop, whatever its
// length. Constructors simplify as they go: what touches becomes one run, equal steps become a loop, a loop in a loop whose
// strides agree becomes one loop. At the commit a second tree is made which knows bytes only, so that elements of different
// kinds without a gap are one run. Lists know where each of their loops begins in the packed bytes. So any position in a
// message is found in the depth of the tree times the logarithm of its width, and a long message is packed fragment by
// fragment without a state between the calls.
//
// # Which types match
//
// Kinds and their order must agree, not displacements (section 3.3.1). See [Signature].
package datatype
