package window

import (
	"context"
	"iter"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Shape is target memory that is not one piece: Count elements of a Type. Operations on it go in pieces, each with a
// description of the type, so that a target keeps nothing about it. The offset of such a message counts the bytes that the
// type names.
type Shape struct {
	Count int
	Type  *datatype.Type
}

// maxShape is the longest description of a type.
const maxShape = 4 << 10

// describe returns the description of a shape, for memory of so many bytes.
func (s Shape) describe(op string, bytes int) ([]byte, error) {
	b, err := s.Type.AppendBinary(nil)
	switch n, failed := s.Type.Bytes(int64(s.Count)); {
	case err != nil || len(b) > maxShape:
		return nil, mpierr.Invalid(op, rpi.ErrType, "the target's datatype %s is too irregular: its description has more than %d bytes", s.Type.Name(), maxShape)
	case failed != nil || n != int64(bytes) || s.Count > 1<<31-1:
		return nil, mpierr.Invalid(op, rpi.ErrCount, "%d bytes here, and %d elements of %s at the target: both must be the same bytes", bytes, s.Count, s.Type.Name())
	}
	return b, nil
}

// Result is what becomes of what a target sends: it goes to Into, and then Sink, unless nil, is called with each piece of that
// and its offset. Event, unless nil, waits for it.
type Result struct {
	Into  []byte
	Sink  func(offset int, piece []byte)
	Event *Event
}

// Shaped begins an operation on memory of a shape: a Put of data without memory in r, a Get without data, an accumulate if el has
// an operation.
func (w *Window) Shaped(ctx context.Context, op string, data []byte, el Elements, to Place, s Shape, r Result) error {
	n := max(len(data), len(r.Into))
	p, err := w.target(op, to, n)
	if p == nil {
		return err
	}
	shape, err := s.describe(op, n)
	if err != nil {
		return err
	}
	h := header{verb: put, op: el.Op, kind: el.Kind, disp: int64(to.Disp), shape: uint16(len(shape)), count: uint32(s.Count)}
	switch {
	case el.Op != 0 && r.Into != nil:
		h.verb = getAccumulate
	case el.Op != 0:
		h.verb = accumulate
	case r.Into != nil:
		h.verb = get
	}
	most := maxData - maxShape
	if el.Op != 0 {
		most -= most % int(datatype.Basic(el.Kind).Size()) // whole elements
	}
	for first := 0; first < n; first += most {
		size := min(most, n-first)
		h.offset, h.length = int64(first), uint64(size)
		message := append([]byte(nil), shape...)
		if data != nil && el.Op != collective.NoOp {
			message = append(message, data[first:first+size]...)
		}
		if r.Into == nil {
			err = w.do(ctx, op, p, h, message)
		} else {
			var sink func(piece []byte)
			if r.Sink != nil {
				sink = func(piece []byte) { r.Sink(first, piece) }
			}
			err = w.ask(ctx, op, p, h, message, r.Into[first:first+size], r.Event, sink)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ground is target memory of a shape that has been checked: its elements begin at base.
type ground struct {
	base  unsafe.Pointer
	count int64
	kind  *datatype.Type
}

// actShaped is act for memory of a shape.
func (w *Window) actShaped(m *memory, h header, data []byte, result func([]byte)) *fault {
	g, rest, f := m.ground(h, data)
	switch {
	case f != nil:
		return f
	case h.verb == put:
		if f := h.has(rest); f != nil {
			return f
		}
		g.kind.Unpack(g.base, g.count, h.offset, rest)
	case h.verb == get:
		w.lift(h, g, result)
	case h.verb == accumulate:
		return w.combineShaped(h, g, rest, nil)
	case h.verb == getAccumulate:
		return w.combineShaped(h, g, rest, func() { w.lift(h, g, result) })
	}
	return nil
}

// ground finds the memory of a shape, which is described at the beginning of data, and returns the rest of that.
func (m *memory) ground(h header, data []byte) (g ground, rest []byte, f *fault) {
	if int(h.shape) > len(data) || h.length > maxData {
		return g, nil, faulty(rpi.ErrIntern, "a message of %d bytes with a type of %d", len(data), h.shape)
	}
	g.count, rest = int64(h.count), data[h.shape:]
	var err error
	if g.kind, err = datatype.Parse(data[:h.shape]); err != nil {
		return g, nil, faulty(rpi.ErrType, "%v", err)
	}
	low, high, err := g.kind.Span(g.count)
	bytes, failed := g.kind.Bytes(g.count)
	switch {
	case err != nil || failed != nil:
		return g, nil, faulty(rpi.ErrRMARange, "%d elements of the target's datatype are not within any window", g.count)
	case h.offset < 0 || h.offset > bytes || h.length > uint64(bytes-h.offset):
		return g, nil, faulty(rpi.ErrIntern, "%d bytes from %d on of a datatype that has %d", h.length, h.offset, bytes)
	}
	place, f := m.at(h.disp, low, uint64(high-low))
	if f == nil && len(place) > 0 {
		g.base = unsafe.Add(unsafe.Pointer(unsafe.SliceData(place)), -low)
	}
	return g, rest, f
}

// lift gives a piece of memory of a shape to result.
func (w *Window) lift(h header, g ground, result func([]byte)) {
	piece := w.scratch.get(int(h.length))
	g.kind.Pack(piece, g.base, g.count, h.offset)
	result(piece)
	w.scratch.put(piece)
}

// pieces are the pieces of memory that a message is for.
func (g *ground) pieces(h header) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for disp, size := range g.kind.Pieces(g.count, h.offset, h.offset+int64(h.length)) {
			if !yield(unsafe.Slice((*byte)(unsafe.Add(g.base, disp)), size)) {
				return
			}
		}
	}
}

// combineShaped combines data with memory of a shape. Before that, when all has been checked, it calls first.
func (w *Window) combineShaped(h header, g ground, data []byte, first func()) *fault {
	if h.op != collective.NoOp {
		if f := h.has(data); f != nil {
			return f
		}
	}
	combine, f := w.combiner(h)
	if f != nil {
		return f
	}
	padded := !datatype.Basic(h.kind).Dense()
	if padded {
		f = whole(h.kind, h.length)
	} else {
		for m := range g.pieces(h) {
			if f = aligned(h.kind, m); f != nil {
				break
			}
		}
	}
	if f != nil {
		return f
	}
	if first != nil {
		first()
	}
	switch {
	case combine == nil:
	case padded:
		w.combinePadded(h, g, data, combine)
	default:
		for m := range g.pieces(h) {
			combine(m, data[:len(m)])
			data = data[len(m):]
		}
	}
	return nil
}

// combinePadded combines elements that have padding in memory, such as pairs, and none in messages.
func (w *Window) combinePadded(h header, g ground, data []byte, combine func(left, right []byte)) {
	t := datatype.Basic(h.kind)
	n := int64(h.length) / t.Size()
	elements := func(message []byte) []byte {
		words := make([]uint64, (n*t.Extent()+7)/8) // aligned
		e := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n*t.Extent())
		t.Unpack(unsafe.Pointer(unsafe.SliceData(e)), n, 0, message)
		return e
	}
	held := w.scratch.get(int(h.length))
	g.kind.Pack(held, g.base, g.count, h.offset)
	left := elements(held)
	combine(left, elements(data))
	t.Pack(held, unsafe.Pointer(unsafe.SliceData(left)), n, 0)
	g.kind.Unpack(g.base, g.count, h.offset, held)
	w.scratch.put(held)
}
