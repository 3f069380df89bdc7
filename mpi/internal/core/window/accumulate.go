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
	if f != nil {
		return nil, nil, f
	}
	switch h.op {
	case collective.NoOp:
		return m, nil, nil
	case collective.Replace:
		return m, func(left, right []byte) { copy(left, right) }, nil
	}
	if combine = w.combine(h.op, h.kind); combine == nil {
		return nil, nil, faulty(rpi.ErrOp, "%v has no operation %v for one-sided operations", h.kind, h.op)
	}
	return m, combine, nil
}

// aligned says why memory cannot hold elements of a kind, nil if it can.
func aligned(k datatype.Kind, m []byte) *fault {
	if !k.Valid() {
		return faulty(rpi.ErrType, "%v", k)
	}
	t := datatype.Basic(k)
	if size := uint64(t.Size()); uint64(len(m))%size != 0 {
		return faulty(rpi.ErrCount, "%d bytes are no number of elements of %v", len(m), k)
	}
	if len(m) > 0 && uintptr(unsafe.Pointer(&m[0]))%alignment(k) != 0 {
		return faulty(rpi.ErrRMARange, "elements of %v cannot begin at address %#x", k, address(m))
	}
	return nil
}

// alignment is what addresses of elements of a kind must be multiples of.
func alignment(k datatype.Kind) uintptr {
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
