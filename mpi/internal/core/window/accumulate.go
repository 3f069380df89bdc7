package window

import (
	"bytes"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// accumulate combines data with the memory, and returns that.
func (w *Window) accumulate(h header, data []byte) ([]byte, *fault) {
	m, combine, f := w.operands(h, data)
	if f == nil && combine != nil {
		combine(m, data)
	}
	return m, f
}

// getAccumulate answers with what the memory holds, and combines data with that.
func (w *Window) getAccumulate(p *peer, h header, data []byte) {
	m, combine, f := w.operands(h, data)
	if f == nil && !p.self && len(m) > maxData {
		m, combine, f = nil, nil, faulty(rpi.ErrIntern, "a short GetAccumulate of %d bytes", len(m))
	}
	w.reply(p, h, m, f)
	if f == nil && combine != nil {
		combine(m, data)
	}
}

// operands checks an accumulate. There is nothing to combine with collective.NoOp, which has no data.
func (w *Window) operands(h header, data []byte) (m []byte, combine func(left, right []byte), f *fault) {
	if h.op == collective.NoOp {
		m, f = w.memory.at(h.disp, h.offset, h.length)
	} else {
		m, f = w.reach(h, data)
	}
	if f == nil {
		f = aligned(h.kind, m)
	}
	if f == nil {
		combine, f = w.combiner(h)
	}
	if f != nil {
		return nil, nil, f
	}
	return m, combine, nil
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

// compareAndSwap answers with an element of the memory. If that is equal to the first of two in data the second takes its place.
func (w *Window) compareAndSwap(p *peer, h header, data []byte) {
	size := len(data) / 2
	h.length = uint64(size)
	m, f := w.reach(h, data[size:])
	if f == nil {
		f = aligned(h.kind, m)
	}
	if f == nil && int64(size) != datatype.Basic(h.kind).Size() {
		f = faulty(rpi.ErrCount, "CompareAndSwap of %d bytes, where %v has %d", size, h.kind, datatype.Basic(h.kind).Size())
	}
	w.reply(p, h, m, f)
	if f == nil && bytes.Equal(m, data[:size]) {
		copy(m, data[size:])
	}
}
