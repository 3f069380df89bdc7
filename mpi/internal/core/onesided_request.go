package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/window"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// The forms of one-sided operations that return a request (MPI 4.1, section 12.3.5). It completes when the operation has
// here: of a Get when its data has come, of others when their buffer may be used again.

// Rput is Put with a request.
func (w *WindowView) Rput(op string, data Buffer, to window.Place) (*Request, error) {
	if err := w.buffer(op, data); err != nil {
		return nil, err
	}
	return w.requested(op, to.Rank, func(e *window.Event) error { return w.Window.Put(w.ctx, op, data.solid(), to, e) })
}

// Rget is Get with a request.
func (w *WindowView) Rget(op string, into Buffer, from window.Place) (*Request, error) {
	if err := w.buffer(op, into); err != nil {
		return nil, err
	}
	return w.requested(op, from.Rank, func(e *window.Event) error { return w.Window.Get(w.ctx, op, into.solid(), from, e) })
}

// Raccumulate is Accumulate with a request.
func (w *WindowView) Raccumulate(op string, data Buffer, o Op, to window.Place) (*Request, error) {
	return w.RaccumulateData(op, data, o, to, data)
}

// RgetAccumulate is GetAccumulate with a request.
func (w *WindowView) RgetAccumulate(op string, data, into Buffer, o Op, at window.Place) (*Request, error) {
	return w.RgetAccumulateData(op, data, into, o, at, into)
}

// RputData is PutData with a request.
func (w *WindowView) RputData(op string, data Buffer, to window.Place, target Buffer) (*Request, error) {
	return w.requested(op, to.Rank, func(e *window.Event) error { return w.put(op, data, to, target, e) })
}

// RgetData is GetData with a request.
func (w *WindowView) RgetData(op string, into Buffer, from window.Place, target Buffer) (*Request, error) {
	return w.requested(op, from.Rank, func(e *window.Event) error { return w.get(op, into, from, target, e) })
}

// RaccumulateData is AccumulateData with a request.
func (w *WindowView) RaccumulateData(op string, data Buffer, o Op, to window.Place, target Buffer) (*Request, error) {
	return w.requested(op, to.Rank, func(*window.Event) error { return w.accumulate(op, data, o, to, target) })
}

// RgetAccumulateData is GetAccumulateData with a request.
func (w *WindowView) RgetAccumulateData(op string, data, into Buffer, o Op, at window.Place, target Buffer) (*Request, error) {
	return w.requested(op, at.Rank, func(e *window.Event) error { return w.getAccumulate(op, data, into, o, at, target, e) })
}

// requested starts operations that an event is for, in an epoch of Lock or LockAll, and returns their request. The target
// ProcNull needs no epoch.
func (w *WindowView) requested(op string, target int, start func(*window.Event) error) (*Request, error) {
	if err := w.valid(op); err != nil {
		return nil, err
	}
	if err := w.MayRequest(op); err != nil && target != ProcNull {
		return nil, err
	}
	e := w.Event()
	if err := start(e); err != nil {
		return nil, err // the event is not used again, as what has been started still refers to it
	}
	r := w.comm.NewRequest(op, &e.Request, &oneSided{op, e})
	e.Started()
	return r, nil
}

// oneSided is the Work of a request.
type oneSided struct {
	op    string
	event *window.Event
}

// Outcome implements Work.
func (o *oneSided) Outcome() (Status, error) { return EmptyStatus, o.event.Outcome(o.op) }

// Cancel implements Work.
func (o *oneSided) Cancel(op string) error {
	return mpierr.Invalid(op, rpi.ErrRequest, "a one-sided operation cannot be cancelled (MPI 4.1, section 12.3.5)")
}

// Release implements Work.
func (o *oneSided) Release() { o.event.Free() }
