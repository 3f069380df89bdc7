package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/window"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Put copies a buffer to a target's memory.
func (w *WindowView) Put(op string, data Buffer, to window.Place) error {
	if err := w.buffer(op, data); err != nil {
		return err
	}
	return w.Window.Put(w.ctx, op, data.solid(), to, nil)
}

// Get copies a part of a target's memory to a buffer.
func (w *WindowView) Get(op string, into Buffer, from window.Place) error {
	if err := w.buffer(op, into); err != nil {
		return err
	}
	return w.Window.Get(w.ctx, op, into.solid(), from, nil)
}

// Accumulate combines a buffer with a target's memory.
func (w *WindowView) Accumulate(op string, data Buffer, o Op, to window.Place) error {
	return w.accumulate(op, data, o, to, data)
}

// GetAccumulate combines data with a target's memory, and copies what that has held to into.
func (w *WindowView) GetAccumulate(op string, data, into Buffer, o Op, at window.Place) error {
	return w.getAccumulate(op, data, into, o, at, into, nil)
}

// CompareAndSwap compares an element of a target's memory with the first in data, and replaces it by the second.
func (w *WindowView) CompareAndSwap(op string, data, into Buffer, at window.Place) error {
	if err := w.buffer(op, into); err != nil {
		return err
	}
	kind := into.Type.Unit()
	if !into.Type.Dense() || !comparable(kind) {
		return mpierr.Invalid(op, rpi.ErrType, "elements of %s cannot be compared: only integers and bool can (MPI 4.1, section 12.3.4)", into.Type.Name())
	}
	return w.Window.CompareAndSwap(w.ctx, op, data.solid(), into.solid(), kind, at)
}

// buffer checks a buffer, and that the window can be used.
func (w *WindowView) buffer(op string, b Buffer) error {
	if err := w.valid(op); err != nil {
		return err
	}
	if err := inOnePiece(op, b); err != nil {
		return err
	}
	return nil
}

// comparable reports whether CompareAndSwap has elements of a kind.
func comparable(k datatype.Kind) bool {
	switch k {
	case datatype.Byte, datatype.Bool, datatype.Char, datatype.Int8, datatype.Uint8, datatype.Int16, datatype.Uint16, datatype.Int32,
		datatype.Uint32, datatype.Int64, datatype.Uint64, datatype.Int128, datatype.Long, datatype.Ulong, datatype.Wchar,
		datatype.Logical1, datatype.Logical2, datatype.Logical4, datatype.Logical8, datatype.Logical16:
		return true
	}
	return false
}

// inOnePiece checks a buffer of which all memory is to be moved, with its padding.
func inOnePiece(op string, b Buffer) *mpierr.Error {
	if err := b.wrong(op); err != nil {
		return err
	}
	if !inPlace(b.Type) {
		return mpierr.Invalid(op, rpi.ErrUnsupported, "elements of %s have gaps", b.Type.Name())
	}
	return nil
}

// operands says what an accumulate does with elements of a type.
func (w *WindowView) operands(op string, t *Type, o Op) (window.Elements, error) {
	el := window.Elements{Op: o.Reduction, Kind: unitOf(t)}
	switch {
	case o.Combine == nil && el.Op == 0:
		return el, mpierr.Invalid(op, rpi.ErrOp, "the operation is nil")
	case el.Op == 0:
		return el, mpierr.Invalid(op, rpi.ErrOp, "the operation is the program's own: a target knows those of this library only (MPI 4.1, section 12.3.4)")
	case el.Kind == datatype.Invalid:
		return el, mpierr.Invalid(op, rpi.ErrType, "elements of %s are not made of one basic type, as one-sided reductions need", t.Name())
	case !w.Combines(el):
		return el, mpierr.Invalid(op, rpi.ErrOp, "%v has no operation %v for one-sided operations", el.Kind, el.Op)
	}
	return el, nil
}

// unitOf is the kind that t is made of, or the pair that it is; Invalid if there is none.
func unitOf(t *Type) datatype.Kind {
	if unit := t.Unit(); unit != datatype.Invalid {
		return unit
	}
	return datatype.PairOf(t)
}
