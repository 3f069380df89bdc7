package core

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

// Buffer is the memory of Count elements of a type, one after the other. The
// address of one without elements may be nil, as that of one whose type cannot
// be sent.
type Buffer struct {
	Addr  unsafe.Pointer
	Count int
	Type  *Type
}

// Of returns the memory of elements as a buffer. T must have the size of t.
func Of[T any](t *Type, elements []T) Buffer {
	return Buffer{unsafe.Pointer(unsafe.SliceData(elements)), len(elements), t}
}

// Bytes is the memory, not a copy of it.
func (b Buffer) Bytes() []byte { return unsafe.Slice((*byte)(b.Addr), b.Len()) }

// Len is the length in bytes.
func (b Buffer) Len() int { return b.Count * b.Type.Size }

// part is the memory of n elements from the i-th on.
func (b Buffer) part(i, n int) []byte {
	size := b.Type.Size
	return b.Bytes()[i*size : (i+n)*size : (i+n)*size]
}

// section is n elements from the i-th on. If there are none its address is that of b: behind the last one may be other memory.
func (b Buffer) section(i, n int) Buffer {
	if n == 0 {
		i = 0
	}
	return Buffer{unsafe.Add(b.Addr, i*b.Type.Size), n, b.Type}
}

// vector is the buffer as algorithms see it.
func (b Buffer) vector() schedule.Vector { return schedule.Vector{Count: b.Count, Elem: b.Type.Size} }

// distance is how far the beginning of part is from that of whole, which it is within.
func distance(part, whole []byte) int {
	return int(uintptr(unsafe.Pointer(&part[0])) - uintptr(unsafe.Pointer(&whole[0])))
}
