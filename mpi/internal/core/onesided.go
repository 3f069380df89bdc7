package core

import (
	"reflect"

	"github.com/sctpmpi/sctpmpi/matching"
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
	return w.Window.Put(w.ctx, op, data.Bytes(), to, nil)
}

// Get copies a part of a target's memory to a buffer.
func (w *WindowView) Get(op string, into Buffer, from window.Place) error {
	if err := w.buffer(op, into); err != nil {
		return err
	}
	return w.Window.Get(w.ctx, op, into.Bytes(), from, nil)
}

// Accumulate combines a buffer with a target's memory.
func (w *WindowView) Accumulate(op string, data Buffer, o Op, to window.Place) error {
	if err := w.buffer(op, data); err != nil {
		return err
	}
	el, err := elements(op, data.Type, o)
	if err != nil {
		return err
	}
	return w.Window.Accumulate(w.ctx, op, data.Bytes(), el, to)
}

// GetAccumulate combines data with a target's memory, and copies what that has held to into.
func (w *WindowView) GetAccumulate(op string, data, into Buffer, o Op, at window.Place) error {
	return w.getAccumulate(op, data, into, o, at, nil)
}

func (w *WindowView) getAccumulate(op string, data, into Buffer, o Op, at window.Place, e *window.Event) error {
	if err := w.buffer(op, into); err != nil {
		return err
	}
	el, err := elements(op, into.Type, o)
	if err != nil {
		return err
	}
	if o.Reduction != collective.NoOp && data.Count != into.Count {
		return mpierr.Invalid(op, rpi.ErrCount, "%s are to be combined, and the result has %d: both must have the same length", mpierr.Plural(data.Count, "element"), into.Count)
	}
	return w.Window.GetAccumulate(w.ctx, op, data.Bytes(), into.Bytes(), el, at, e)
}

// CompareAndSwap compares an element of a target's memory with the first in data, and replaces it by the second.
func (w *WindowView) CompareAndSwap(op string, data, into Buffer, at window.Place) error {
	if err := w.buffer(op, into); err != nil {
		return err
	}
	kind := kindOf(into.Type.Sig)
	switch kind {
	case datatype.Invalid, datatype.Float32, datatype.Float64, datatype.Complex64, datatype.Complex128:
		return mpierr.Invalid(op, rpi.ErrType, "elements of %s cannot be compared: only integers and bool can (MPI 4.1, section 12.3.4)", into.Type.Name)
	}
	return w.Window.CompareAndSwap(w.ctx, op, data.Bytes(), into.Bytes(), kind, at)
}

// buffer checks a buffer, and that the window can be used.
func (w *WindowView) buffer(op string, b Buffer) error {
	if err := w.valid(op); err != nil {
		return err
	}
	if b.Type.Unsendable != "" {
		return mpierr.Invalid(op, rpi.ErrType, "%s", b.Type.Unsendable)
	}
	return nil
}

// elements says what an accumulate does with elements of a type.
func elements(op string, t *Type, o Op) (window.Elements, error) {
	basic := t.Sig
	if t.Part != 0 {
		basic = t.Part
	}
	kind := kindOf(basic)
	switch {
	case o.Combine == nil:
		return window.Elements{}, mpierr.Invalid(op, rpi.ErrOp, "the operation is nil")
	case o.Reduction == 0:
		return window.Elements{}, mpierr.Invalid(op, rpi.ErrOp, "the operation is the program's own: a target knows those of this library only (MPI 4.1, section 12.3.4)")
	case kind == datatype.Invalid:
		return window.Elements{}, mpierr.Invalid(op, rpi.ErrType, "elements of %s are not made of one basic type without gaps, as one-sided reductions need", t.Name)
	}
	return window.Elements{Op: o.Reduction, Kind: kind}, nil
}

// kindOf is the kind of the basic type with a signature; Invalid if it is of another type.
func kindOf(sig matching.Type) datatype.Kind {
	if int(sig) < len(kinds) {
		return kinds[sig]
	}
	return datatype.Invalid
}

var kinds = [...]datatype.Kind{
	reflect.Bool: datatype.Bool, reflect.Int8: datatype.Int8, reflect.Int16: datatype.Int16, reflect.Int32: datatype.Int32, reflect.Int64: datatype.Int64,
	reflect.Uint8: datatype.Uint8, reflect.Uint16: datatype.Uint16, reflect.Uint32: datatype.Uint32, reflect.Uint64: datatype.Uint64,
	reflect.Float32: datatype.Float32, reflect.Float64: datatype.Float64, reflect.Complex64: datatype.Complex64, reflect.Complex128: datatype.Complex128,
}
