package mpi

import (
	"reflect"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// Data is memory of the program that need not be one piece: a column of a matrix, one field of all structs of a slice. It
// is not a copy, and can be sent and received wherever a slice can, by the functions whose names end with Data. It is what
// a buffer, a count and a derived datatype are in C (MPI 4.1, chapter 5).
//
// A message has the numbers only, in the order in which the Data names them. So it may be received by other Data, or by a slice:
// a column is received as a row, or as a slice of numbers. Receiving writes the elements that the Data names, and leaves
// alone what lies between them. Memory that is one piece is sent as it is; other memory is copied once.
//
// Functions that make Data check that it lies within the slice. What is wrong is the error of the operation to which it is given,
// so that they can be called in its arguments; Data.Err tells before. A Data may be used any number of times and by several
// goroutines. The zero Data has no elements.
type Data struct{ buffer core.Buffer }

// Elements is all of a slice: what Send and its like take.
func Elements[T any](slice []T) Data { return Data{view(slice)} }

// Bytes is memory that matches messages of all types, in both directions. It is for programs that pass messages on without
// knowing what they are (MPI_PACKED).
func Bytes(b []byte) Data { return Data{core.Of(core.Basic(datatype.Packed), b)} }

// Strided is count blocks of length elements each, of which every one begins stride elements behind the one before
// (MPI_TYPE_VECTOR; section 5.1.2). The first begins where slice does; all must lie within it. Blocks that overlap can be sent
// only. Where a collective operation divides the Data among ranks it divides the blocks.
func Strided[T any](slice []T, count, length, stride int) Data {
	if count < 0 || length < 0 || stride < 0 {
		return wrong(datatype.ErrArg, "strided: %d blocks of %d elements, every %d: none may be negative", count, length, stride)
	}
	if end := reach(count, length, stride); end < 0 || end > len(slice) {
		return wrong(datatype.ErrArg, "strided: %d blocks of %d elements, every %d, do not fit into the slice of %d", count, length, stride, len(slice))
	}
	return blocks(slice, count, length, stride)
}

// reach is where the last of several blocks ends, -1 if that is more than an int can tell.
func reach(count, length, stride int) int {
	if count == 0 || length == 0 {
		return 0
	}
	end := (count-1)*stride + length
	if stride > 0 && (end-length)/stride != count-1 || end < length {
		return -1
	}
	return end
}

// blocks is Strided of numbers that have been checked.
func blocks[T any](slice []T, count, length, stride int) Data {
	b := view(slice)
	if b.Type.Err() != nil || count == 0 || length == 0 {
		b.Count = 0
		return Data{b}
	}
	block, err := datatype.Contiguous(int64(length), b.Type)
	if err == nil && stride != length {
		block, err = datatype.Resized(block, 0, int64(stride)*b.Type.Extent())
	}
	return dataOf(b, count, block, err)
}

// Indexed is the parts of a slice that a layout describes, one after the other (MPI_TYPE_INDEXED; section 5.1.2). Parts may be in
// any order; only if they do not overlap can they be received into.
func Indexed[T any](slice []T, layout Layout) Data {
	if len(layout.Counts) != len(layout.Displs) {
		return wrong(datatype.ErrArg, "indexed: %s and %s", plural(len(layout.Counts), "count"), plural(len(layout.Displs), "displacement"))
	}
	lengths, displacements := make([]int64, len(layout.Counts)), make([]int64, len(layout.Counts))
	for i, n := range layout.Counts {
		first := layout.Displs[i]
		if n < 0 || first < 0 || first > len(slice) || n > len(slice)-first {
			return wrong(datatype.ErrArg, "indexed: part %d, %s from %d on, is not within the slice of %d", i, plural(n, "element"), first, len(slice))
		}
		lengths[i], displacements[i] = int64(n), int64(first)
	}
	b := view(slice)
	if b.Type.Err() != nil {
		return Data{b}
	}
	t, err := datatype.Indexed(lengths, displacements, b.Type)
	return dataOf(b, 1, t, err)
}

// Fields is some fields of all structs of a slice, such as Fields(cells, "Pos.X", "Load[2]"), in the order of their names
// here: those of the first struct, of the second, and so on. A name is a path of fields, and of indices into arrays. The
// other fields may be of any type, with pointers too (MPI_TYPE_CREATE_STRUCT; section 5.1.2).
func Fields[T any](slice []T, names ...string) Data {
	t := reflect.TypeFor[T]()
	b := core.Of(core.Basic(datatype.Packed), slice)
	var fields []*datatype.Type
	for _, name := range names {
		f, err := datatype.Field(t, name)
		if err != nil {
			return Data{core.Buffer{Type: datatype.Refused(err)}}
		}
		fields = append(fields, f)
	}
	switch len(fields) {
	case 0:
		return wrong(datatype.ErrArg, "fields: no field of %v is named", t)
	case 1:
		return dataOf(b, len(slice), fields[0], nil)
	}
	lengths, displacements := make([]int64, len(fields)), make([]int64, len(fields))
	for i := range lengths {
		lengths[i] = 1
	}
	all, err := datatype.Struct(lengths, displacements, fields)
	return dataOf(b, len(slice), all, err)
}

// Err says why nothing can be sent or received with d, nil if it can. Operations return the same with their name.
func (d Data) Err() error {
	if t := d.buffer.Type; t != nil && t.Err() != nil {
		return public(core.Wrong("mpi.Data", t.Err()))
	}
	return nil
}

// Len is the length of a message with all of d, in bytes (MPI_PACK_SIZE).
func (d Data) Len() int { return d.memory().Len() }

// memory is d for package core.
func (d Data) memory() core.Buffer {
	if d.buffer.Type == nil {
		return core.Buffer{Type: core.Basic(datatype.Packed)}
	}
	return d.buffer
}

// dataOf is count elements of type t at b, unless err is one.
func dataOf(b core.Buffer, count int, t *datatype.Type, err error) Data {
	if err != nil {
		return Data{core.Buffer{Type: datatype.Refused(err)}}
	}
	t.Commit()
	return Data{core.Buffer{Addr: b.Addr, Count: count, Type: t}}
}

func wrong(class error, format string, args ...any) Data {
	return Data{core.Buffer{Type: datatype.Refuse(class, format, args...)}}
}
