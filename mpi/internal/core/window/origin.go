package window

import (
	"context"
	"math/bits"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Place is where an operation goes: a rank, and a displacement in the units of its window.
type Place struct {
	Rank int
	Disp int
}

// ProcNull is the Rank of a Place that is none: operations on it do nothing.
const ProcNull = -2

// Put copies data to a target's memory. It may return before the data has left.
func (w *Window) Put(ctx context.Context, op string, data []byte, to Place, e *Event) error {
	p, err := w.target(op, to, len(data))
	if p == nil {
		return err
	}
	h := header{verb: put, disp: int64(to.Disp), length: uint64(len(data))}
	if p.memory != nil || len(data) <= maxData {
		return w.do(ctx, op, p, h, data)
	}
	if err := w.enter(ctx, op, p, roomLong); err != nil {
		return err
	}
	h.verb, h.slot = putLong, w.slot()
	w.send(p, h, nil)
	p.local++
	w.transfer(p, giving, h.slot, data).event = e
	if e != nil {
		e.left++
	}
	w.finish()
	p.unsure.Store(true)
	return nil
}

// do sends an operation that needs no answer.
func (w *Window) do(ctx context.Context, op string, p *peer, h header, data []byte) error {
	if p.memory != nil {
		return w.operate(ctx, op, p, h, data, nil, nil)
	}
	if err := w.enter(ctx, op, p, room); err != nil {
		return err
	}
	w.send(p, h, data)
	w.finish()
	p.unsure.Store(true)
	return nil
}

// Get copies a part of a target's memory to into, which must not be used until the operation has ended.
func (w *Window) Get(ctx context.Context, op string, into []byte, from Place, e *Event) error {
	p, err := w.target(op, from, len(into))
	if p == nil {
		return err
	}
	h := header{verb: get, disp: int64(from.Disp), length: uint64(len(into))}
	if p.memory != nil || len(into) <= maxData {
		return w.ask(ctx, op, p, h, nil, into, e, nil)
	}
	if err := w.enter(ctx, op, p, roomLong); err != nil {
		return err
	}
	h.verb, h.slot, h.id = getLong, w.slot(), w.begin(p, nil, e)
	r := w.transfer(p, fetching, h.slot, into)
	r.id = h.id
	w.operations[h.id].data = r
	w.send(p, h, nil)
	w.finish()
	return nil
}

// ask sends an operation that the target answers. What that sends goes to into, and then to sink, unless that is nil.
func (w *Window) ask(ctx context.Context, op string, p *peer, h header, data, into []byte, e *Event, sink func(piece []byte)) error {
	if p.memory != nil {
		return w.operate(ctx, op, p, h, data, e, func(piece []byte) {
			if sink != nil {
				sink(piece)
			} else {
				copy(into, piece)
			}
		})
	}
	if err := w.enter(ctx, op, p, room); err != nil {
		return err
	}
	h.id = w.begin(p, into, e)
	if sink != nil {
		w.operations[h.id].sink = func() { sink(into) }
	}
	w.send(p, h, data)
	w.finish()
	return nil
}

// slot takes a free slot. There is one.
func (w *Window) slot() uint8 {
	s := bits.TrailingZeros32(^w.slots)
	w.slots |= 1 << s
	return uint8(s)
}

// Elements says what an accumulate does with which elements.
type Elements struct {
	Op   collective.Reduction
	Kind datatype.Kind
}

// Accumulate combines data with a target's memory, element by element. data may be used again when it returns.
func (w *Window) Accumulate(ctx context.Context, op string, data []byte, el Elements, to Place) error {
	p, err := w.target(op, to, len(data))
	if p == nil {
		return err
	}
	h := header{verb: accumulate, op: el.Op, kind: el.Kind, disp: int64(to.Disp)}
	for first, n := range pieces(len(data)) {
		h.offset, h.length = int64(first), uint64(n)
		piece := data[first : first+n]
		if el.Op == collective.NoOp {
			piece = nil
		}
		if err := w.do(ctx, op, p, h, piece); err != nil {
			return err
		}
	}
	return nil
}

// GetAccumulate is Accumulate that also copies what the memory has held to into. data is not used with collective.NoOp.
func (w *Window) GetAccumulate(ctx context.Context, op string, data, into []byte, el Elements, to Place, e *Event) error {
	p, err := w.target(op, to, len(into))
	if p == nil {
		return err
	}
	h := header{verb: getAccumulate, op: el.Op, kind: el.Kind, disp: int64(to.Disp)}
	for first, n := range pieces(len(into)) {
		h.offset, h.length = int64(first), uint64(n)
		var piece []byte
		if el.Op != collective.NoOp {
			piece = data[first : first+n]
		}
		if err := w.ask(ctx, op, p, h, piece, into[first:first+n], e, nil); err != nil {
			return err
		}
	}
	return nil
}

// CompareAndSwap copies an element of a target's memory to into. If it is equal to the first of the two elements in data
// the second takes its place.
func (w *Window) CompareAndSwap(ctx context.Context, op string, data, into []byte, kind datatype.Kind, at Place) error {
	p, err := w.target(op, at, len(into))
	if p == nil {
		return err
	}
	h := header{verb: compareAndSwap, kind: kind, disp: int64(at.Disp)}
	return w.ask(ctx, op, p, h, data, into, nil, nil)
}

// pieces cuts n bytes into what one message takes.
func pieces(n int) func(yield func(first, n int) bool) {
	return func(yield func(first, n int) bool) {
		for first := 0; first < n && yield(first, min(maxData, n-first)); first += maxData {
		}
	}
}

// target returns the peer that is the target of an operation. It is nil, and there may be no error, if there is nothing to do.
func (w *Window) target(op string, at Place, n int) (*peer, error) {
	if at.Rank == ProcNull {
		return nil, nil
	}
	w.mu.Lock()
	defer w.finish()
	p, err := w.within(op, at.Rank)
	switch {
	case err != nil:
		return nil, err
	case at.Disp < 0:
		return nil, mpierr.Invalid(op, rpi.ErrDisp, "displacement %d is less than 0", at.Disp)
	}
	if err := w.epochs.permits(op, p); err != nil || n == 0 {
		return nil, err
	}
	return p, nil
}

// within returns the peer of a rank, which may be none.
func (w *Window) within(op string, rank int) (*peer, error) {
	switch {
	case w.closed:
		return nil, mpierr.Invalid(op, rpi.ErrWin, "the window has been freed")
	case rank < 0 || rank >= len(w.peers):
		return nil, mpierr.Invalid(op, rpi.ErrRank, "target %d is not in a window of %s", rank, mpierr.Plural(len(w.peers), "rank"))
	}
	return w.peer(rank), nil
}
