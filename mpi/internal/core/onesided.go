package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
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
	if err := w.buffer(op, data); err != nil {
		return err
	}
	el, err := operands(op, data.Type, o)
	if err != nil {
		return err
	}
	return w.Window.Accumulate(w.ctx, op, data.solid(), el, to)
}

// GetAccumulate combines data with a target's memory, and copies what that has held to into.
func (w *WindowView) GetAccumulate(op string, data, into Buffer, o Op, at window.Place) error {
	return w.getAccumulate(op, data, into, o, at, nil)
}

func (w *WindowView) getAccumulate(op string, data, into Buffer, o Op, at window.Place, e *window.Event) error {
	if err := w.buffer(op, into); err != nil {
		return err
	}
	el, err := operands(op, into.Type, o)
	if err != nil {
		return err
	}
	if o.Reduction != collective.NoOp && data.Count != into.Count {
		return mpierr.Invalid(op, rpi.ErrCount, "%s are to be combined, and the result has %d: both must have the same length", mpierr.Plural(data.Count, "element"), into.Count)
	}
	return w.Window.GetAccumulate(w.ctx, op, data.solid(), into.solid(), el, at, e)
}

// CompareAndSwap compares an element of a target's memory with the first in data, and replaces it by the second.
func (w *WindowView) CompareAndSwap(op string, data, into Buffer, at window.Place) error {
	if err := w.buffer(op, into); err != nil {
		return err
	}
	kind := kindOf(into.Type)
	switch kind {
	case datatype.Invalid, datatype.Float32, datatype.Float64, datatype.Complex64, datatype.Complex128:
		return mpierr.Invalid(op, rpi.ErrType, "elements of %s cannot be compared: only integers and bool can (MPI 4.1, section 12.3.4)", into.Type.Name())
	}
	return w.Window.CompareAndSwap(w.ctx, op, data.solid(), into.solid(), kind, at)
}

// buffer checks a buffer, and that the window can be used.
func (w *WindowView) buffer(op string, b Buffer) error {
	if err := w.valid(op); err != nil {
		return err
	}
	return inOnePiece(op, b)
}

// inOnePiece checks a buffer of which all memory is to be moved, with its padding.
func inOnePiece(op string, b Buffer) error {
	if err := b.wrong(op); err != nil {
		return err
	}
	if !inPlace(b.Type) {
		return mpierr.Invalid(op, rpi.ErrUnsupported, "elements of %s have gaps", b.Type.Name())
	}
	return nil
}

// operands says what an accumulate does with elements of a type.
func operands(op string, t *Type, o Op) (window.Elements, error) {
	kind := kindOf(t)
	switch {
	case o.Combine == nil:
		return window.Elements{}, mpierr.Invalid(op, rpi.ErrOp, "the operation is nil")
	case o.Reduction == 0:
		return window.Elements{}, mpierr.Invalid(op, rpi.ErrOp, "the operation is the program's own: a target knows those of this library only (MPI 4.1, section 12.3.4)")
	case kind == datatype.Invalid:
		return window.Elements{}, mpierr.Invalid(op, rpi.ErrType, "elements of %s are not made of one basic type without gaps, as one-sided reductions need", t.Name())
	}
	return window.Elements{Op: o.Reduction, Kind: kind}, nil
}

// kindOf is the kind of the basic type that t is made of without gaps; Invalid if there is none.
func kindOf(t *Type) datatype.Kind {
	if !t.Dense() {
		return datatype.Invalid
	}
	return t.Unit()
}
