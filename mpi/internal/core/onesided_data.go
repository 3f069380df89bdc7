package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/window"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// One-sided operations between memory of any datatype here and at the target (MPI 4.1, section 12.3). Of the buffer that
// describes the target's memory only count and type matter. One without elements stands for memory in one piece.

// PutData is Put of any memory.
func (w *WindowView) PutData(op string, data Buffer, to window.Place, target Buffer) error {
	return w.put(op, data, to, target, nil)
}

// GetData is Get to any memory.
func (w *WindowView) GetData(op string, into Buffer, from window.Place, target Buffer) error {
	return w.get(op, into, from, target, nil)
}

// AccumulateData is Accumulate of any memory.
func (w *WindowView) AccumulateData(op string, data Buffer, o Op, to window.Place, target Buffer) error {
	return w.accumulate(op, data, o, to, target)
}

// GetAccumulateData is GetAccumulate of any memory.
func (w *WindowView) GetAccumulateData(op string, data, into Buffer, o Op, at window.Place, target Buffer) error {
	return w.getAccumulate(op, data, into, o, at, target, nil)
}

func (w *WindowView) put(op string, data Buffer, to window.Place, target Buffer, e *window.Event) error {
	target, err := w.typed(op, data, target)
	if err != nil {
		return err
	}
	if target.Type.Dense() {
		return w.Window.Put(w.ctx, op, packed(data), to, e)
	}
	return w.Shaped(w.ctx, op, packed(data), window.Elements{}, to, shape(target), window.Result{})
}

func (w *WindowView) get(op string, into Buffer, from window.Place, target Buffer, e *window.Event) error {
	target, err := w.typed(op, into, target)
	if err != nil {
		return err
	}
	r := result(into, e)
	if r.Sink == nil && target.Type.Dense() {
		return w.Window.Get(w.ctx, op, r.Into, from, e)
	}
	return w.Shaped(w.ctx, op, nil, window.Elements{}, from, shape(target), r)
}

func (w *WindowView) accumulate(op string, data Buffer, o Op, to window.Place, target Buffer) error {
	target, err := w.typed(op, data, target)
	if err != nil {
		return err
	}
	if data.Len() == 0 {
		return nil // nor does its type matter
	}
	el, err := w.operands(op, data.Type, o)
	if err != nil {
		return err
	}
	if target.Type.Dense() {
		return w.Window.Accumulate(w.ctx, op, packed(data), el, to)
	}
	return w.Shaped(w.ctx, op, packed(data), el, to, shape(target), window.Result{})
}

func (w *WindowView) getAccumulate(op string, data, into Buffer, o Op, at window.Place, target Buffer, e *window.Event) error {
	target, err := w.typed(op, into, target)
	if err != nil {
		return err
	}
	if into.Len() == 0 && (o.Reduction == collective.NoOp || data.Len() == 0) {
		return nil // with NoOp there need not be any data
	}
	el, err := w.operands(op, into.Type, o)
	if err != nil {
		return err
	}
	var operand []byte
	if el.Op != collective.NoOp {
		if data.Len() != into.Len() {
			return mpierr.Invalid(op, rpi.ErrCount, "%s are to be combined, and the result has %d: both must have the same length", mpierr.Plural(data.items(), "element"), into.items())
		}
		if _, err := w.typed(op, data, target); err != nil {
			return err
		}
		operand = packed(data)
	}
	r := result(into, e)
	if r.Sink == nil && target.Type.Dense() {
		return w.Window.GetAccumulate(w.ctx, op, operand, r.Into, el, at, e)
	}
	return w.Shaped(w.ctx, op, operand, el, at, shape(target), r)
}

func shape(target Buffer) window.Shape { return window.Shape{Count: target.Count, Type: target.Type} }

// result says where what a target sends goes: to memory of which b is unpacked, if that is not one piece.
func result(b Buffer, e *window.Event) window.Result {
	if piece, one := b.Piece(); one {
		return window.Result{Into: piece, Event: e}
	}
	return window.Result{Into: make([]byte, b.Len()), Event: e, Sink: func(offset int, piece []byte) { b.Unpack(offset, piece) }}
}

// typed checks the memory here and at the target, and returns the latter.
func (w *WindowView) typed(op string, here, target Buffer) (Buffer, error) {
	if err := w.valid(op); err != nil {
		return target, err
	}
	if err := here.wrong(op); err != nil {
		return target, err
	}
	if err := target.wrongLayout(op); err != nil {
		return target, err
	}
	if target.Len() == 0 {
		return onePiece(here), nil
	}
	if !target.Type.Matches(here.Type.Signature(), int64(here.Len()), int64(target.Count)) || here.Len() != target.Len() {
		return target, mpierr.Invalid(op, rpi.ErrType, "%d elements of %s here do not match %d of %s at the target", here.Count, here.Type.Name(), target.Count, target.Type.Name())
	}
	return target, nil
}

// onePiece describes memory in which the elements of b follow each other.
func onePiece(b Buffer) Buffer {
	t := Basic(datatype.Byte)
	if unit := unitOf(b.Type); unit != datatype.Invalid {
		t = Basic(unit)
	}
	return Buffer{Count: b.Len() / int(t.Size()), Type: t}
}

// packed is the elements of b in one piece: a copy if they are not.
func packed(b Buffer) []byte {
	if piece, ok := b.Piece(); ok {
		return piece
	}
	p := make([]byte, b.Len())
	b.Pack(p, 0)
	return p
}
