package core

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Buffer is the memory of Count elements of a type. The i-th begins i times the type's extent behind Addr, and consists of the
// bytes that the type names: there may be gaps within it. Addr may be nil if the type has absolute addresses (MPI_BOTTOM) or
// there is nothing to send.
type Buffer struct {
	Addr  unsafe.Pointer
	Count int
	Type  *Type
}

// Of returns the memory of elements as a buffer. T must have the extent of t.
func Of[T any](t *Type, elements []T) Buffer {
	return Buffer{unsafe.Pointer(unsafe.SliceData(elements)), len(elements), t}
}

// Len is the length of a message with the elements, in bytes.
func (b Buffer) Len() int { return b.Count * int(b.Type.Size()) }

// Piece is the memory of the elements, not a copy, if it is one piece in the order of sending.
//
//go:nocheckptr
func (b Buffer) Piece() ([]byte, bool) {
	if b.Type.Dense() {
		return unsafe.Slice((*byte)(b.Addr), b.Len()), true
	}
	disp, size, ok := b.Type.Block(int64(b.Count))
	if !ok || size == 0 {
		return nil, ok
	}
	return unsafe.Slice((*byte)(unsafe.Add(b.Addr, disp)), size), true
}

// Pack copies the elements into dst, from the byte offset of their message on, as many as it holds.
func (b Buffer) Pack(dst []byte, offset int) int {
	return b.Type.Pack(dst, b.Addr, int64(b.Count), int64(offset))
}

// Unpack copies src to the elements, from the byte offset of their message on.
func (b Buffer) Unpack(offset int, src []byte) int {
	return b.Type.Unpack(b.Addr, int64(b.Count), int64(offset), src)
}

// section is n elements from the i-th on. If there are none its address is that of b: behind the last one may be other memory.
//
//go:nocheckptr
func (b Buffer) section(i, n int) Buffer {
	if n == 0 {
		i = 0
	}
	return Buffer{unsafe.Add(b.Addr, i*int(b.Type.Extent())), n, b.Type}
}

// items is how many elements a program counts in b: see datatype.Type.Item.
func (b Buffer) items() int {
	if item := int(b.Type.Item()); item > 0 {
		return b.Len() / item
	}
	return 0
}

// wrong is the error of an operation on b, nil if there is nothing wrong with it. Of most buffers a short look tells that.
func (b Buffer) wrong(op string) *mpierr.Error {
	if b.Addr != nil && uint64(b.Count) <= matching.MaxLength/datatype.PlainSize && b.Type.Plain() != nil {
		return nil
	}
	return b.check(op)
}

func (b Buffer) check(op string) *mpierr.Error {
	if t := b.Type; b.Addr == nil && b.Count > 0 && t.Dense() && t.Size() > 0 {
		return mpierr.Invalid(op, rpi.ErrBuffer, "the buffer of %d elements of %s has no address", b.Count, t.Name())
	}
	return b.wrongLayout(op)
}

// wrongLayout is the error of a buffer of which only count and type matter.
func (b Buffer) wrongLayout(op string) *mpierr.Error {
	t := b.Type
	if err := t.Err(); err != nil {
		return Wrong(op, err)
	}
	bytes, err := t.Bytes(int64(b.Count))
	if err == nil && !t.Dense() {
		_, _, err = t.Span(int64(b.Count))
	}
	switch {
	case err != nil:
		return Wrong(op, err)
	case uint64(bytes) > matching.MaxLength:
		return mpierr.Invalid(op, rpi.ErrCount, "%d elements of %s exceed the limit of %d bytes", b.Count, t.Name(), uint64(matching.MaxLength))
	}
	return nil
}

// distance is how far the beginning of part is from that of whole, which it is within.
func distance(part, whole []byte) int {
	return int(uintptr(unsafe.Pointer(&part[0])) - uintptr(unsafe.Pointer(&whole[0])))
}
