package core

import (
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Hooks are the functions of a program that a generalized request calls (MPI 4.1, section 13.2). Each may be nil.
type Hooks struct {
	// Query returns the outcome of the operation, which has completed.
	Query func() (Status, error)
	// Cancel is called by Request.Cancel. completed: it is too late.
	Cancel func(completed bool) error
	// Free is called last, when the outcome has been returned.
	Free func()
}

// generalized is the Work of a generalized request.
type generalized struct {
	Hooks
	whole     rpi.Request
	completed atomic.Bool
}

// Generalized returns a request for an operation of the program, which ends when Complete is called.
func (c *View) Generalized(op string, h Hooks) (*Request, error) {
	if err := c.usable(op); err != nil {
		return nil, err
	}
	g := &generalized{Hooks: h}
	return c.NewRequest(op, &g.whole, g), nil
}

// Complete says that the operation of a generalized request has completed.
func (r *Request) Complete(op string) error {
	if r.null() {
		return mpierr.Invalid(op, rpi.ErrRequest, "the request is nil")
	}
	g, ok := r.work.(*generalized)
	switch {
	case !ok:
		return mpierr.Invalid(op, rpi.ErrRequest, "the request is of %s, and not generalized", r.op)
	case g.completed.Swap(true):
		return mpierr.Invalid(op, rpi.ErrRequest, "the request has completed already")
	}
	g.whole.Complete(nil)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.freed {
		r.settle()
	}
	return nil
}

// Outcome implements Work.
func (g *generalized) Outcome() (Status, error) {
	if g.Query == nil {
		return EmptyStatus, nil
	}
	return g.Query()
}

// Cancel implements Work.
func (g *generalized) Cancel(string) error {
	if g.Hooks.Cancel == nil {
		return nil
	}
	return g.Hooks.Cancel(g.completed.Load())
}

// Release implements Work.
func (g *generalized) Release() {
	if g.Free != nil {
		g.Free()
	}
}
