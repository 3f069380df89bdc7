package window

import (
	"bytes"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// operands checks an accumulate. There is nothing to combine with collective.NoOp, which has no data.
func (w *Window) operands(m *memory, h header, data []byte) (place []byte, combine func(left, right []byte), f *fault) {
	if h.op == collective.NoOp {
		place, f = m.at(h.disp, h.offset, h.length)
	} else {
		place, f = m.reach(h, data)
	}
	if f == nil {
		f = aligned(h.kind, place)
	}
	if f == nil {
		combine, f = w.combiner(h)
	}
	if f != nil {
		return nil, nil, f
	}
	return place, combine, nil
}

// Combines reports whether a target can do that with such elements.
func (w *Window) Combines(el Elements) bool {
	return el.Op == collective.NoOp || el.Op == collective.Replace || w.combine(el.Op, el.Kind) != nil
}

// combiner returns what an accumulate does; nil for collective.NoOp.
func (w *Window) combiner(h header) (func(left, right []byte), *fault) {
	switch {
	case !h.kind.Valid():
		return nil, faulty(rpi.ErrType, "%v", h.kind)
	case h.op == collective.NoOp:
		return nil, nil
	case h.op == collective.Replace:
		return func(left, right []byte) { copy(left, right) }, nil
	}
	if combine := w.combine(h.op, h.kind); combine != nil {
		return combine, nil
	}
	return nil, faulty(rpi.ErrOp, "%v has no operation %v for one-sided operations", h.kind, h.op)
}

// aligned says why memory cannot hold elements of a kind, nil if it can.
func aligned(k datatype.Kind, m []byte) *fault {
	switch {
	case !k.Valid():
		return faulty(rpi.ErrType, "%v", k)
	case !datatype.Basic(k).Dense():
		return faulty(rpi.ErrIntern, "%v has padding, of which messages have none", k)
	}
	if f := whole(k, uint64(len(m))); f != nil {
		return f
	}
	if len(m) > 0 && uintptr(unsafe.Pointer(&m[0]))%alignment(k) != 0 {
		return faulty(rpi.ErrRMARange, "elements of %v cannot begin at address %#x", k, address(m))
	}
	return nil
}

// whole says why so many bytes of a message are no elements of a kind, nil if they are.
func whole(k datatype.Kind, n uint64) *fault {
	if n%uint64(datatype.Basic(k).Size()) != 0 {
		return faulty(rpi.ErrCount, "%d bytes are no number of elements of %v", n, k)
	}
	return nil
}

// alignment is what addresses of elements of a kind must be multiples of.
func alignment(k datatype.Kind) uintptr {
	if value, index, pair := k.Pair(); pair {
		return max(alignment(value), alignment(index))
	}
	size := uintptr(datatype.Basic(k).Size())
	if k == datatype.Complex64 || k == datatype.Complex128 {
		size /= 2
	}
	return min(size&-size, 8)
}

// compareAndSwap gives an element of the memory to result. If that is equal to the first of two in data the second takes its place.
func (m *memory) compareAndSwap(h header, data []byte, result func([]byte)) *fault {
	size := len(data) / 2
	h.length = uint64(size)
	element, f := m.reach(h, data[size:])
	if f == nil {
		f = aligned(h.kind, element)
	}
	if f == nil && int64(size) != datatype.Basic(h.kind).Size() {
		f = faulty(rpi.ErrCount, "CompareAndSwap of %d bytes, where %v has %d", size, h.kind, datatype.Basic(h.kind).Size())
	}
	if f != nil {
		return f
	}
	result(element)
	if bytes.Equal(element, data[:size]) {
		copy(element, data[size:])
	}
	return nil
}
