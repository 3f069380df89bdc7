package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/window"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// One-sided operations between memory of any datatype here and at the target (MPI 4.1, section 12.3). Of the buffer that
// describes the target's memory only count and type matter. One without elements stands for memory in one piece.

// PutData is Put of any memory.
func (w *WindowView) PutData(op string, data Buffer, to window.Place, target Buffer) error {
	target, err := w.typed(op, data, target)
	if err != nil {
		return err
	}
	if target.Type.Dense() {
		return w.Window.Put(w.ctx, op, packed(data), to, nil)
	}
	return w.Shaped(w.ctx, op, packed(data), nil, window.Elements{}, to, window.Shape{Count: target.Count, Type: target.Type}, nil)
}

// GetData is Get to any memory.
func (w *WindowView) GetData(op string, into Buffer, from window.Place, target Buffer) error {
	target, err := w.typed(op, into, target)
	if err != nil {
		return err
	}
	piece, one := into.Piece()
	if one && target.Type.Dense() {
		return w.Window.Get(w.ctx, op, piece, from, nil)
	}
	var sink func(int, []byte)
	if !one {
		piece = make([]byte, into.Len())
		sink = func(offset int, piece []byte) { into.Unpack(offset, piece) }
	}
	return w.Shaped(w.ctx, op, nil, piece, window.Elements{}, from, window.Shape{Count: target.Count, Type: target.Type}, sink)
}

// AccumulateData is Accumulate of any memory.
func (w *WindowView) AccumulateData(op string, data Buffer, o Op, to window.Place, target Buffer) error {
	target, err := w.typed(op, data, target)
	if err != nil {
		return err
	}
	basic := data.Type.Unit()
	if basic == datatype.Invalid {
		return mpierr.Invalid(op, rpi.ErrType, "elements of %s are not of one basic type", data.Type.Name())
	}
	el, err := operands(op, Basic(basic), o)
	if err != nil {
		return err
	}
	if target.Type.Dense() {
		return w.Window.Accumulate(w.ctx, op, packed(data), el, to)
	}
	return w.Shaped(w.ctx, op, packed(data), nil, el, to, window.Shape{Count: target.Count, Type: target.Type}, nil)
}

// typed checks the memory here and at the target, and returns the latter.
func (w *WindowView) typed(op string, here, target Buffer) (Buffer, error) {
	if err := w.valid(op); err != nil {
		return target, err
	}
	for _, b := range []Buffer{here, target} {
		if err := b.wrong(op); err != nil {
			return target, err
		}
	}
	if target.Len() == 0 {
		return Buffer{Count: here.Len(), Type: Basic(datatype.Byte)}, nil
	}
	if !target.Type.Matches(here.Type.Signature(), int64(here.Len()), int64(target.Count)) || here.Len() != target.Len() {
		return target, mpierr.Invalid(op, rpi.ErrType, "%d elements of %s here do not match %d of %s at the target", here.Count, here.Type.Name(), target.Count, target.Type.Name())
	}
	return target, nil
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
