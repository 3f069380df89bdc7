package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Op is a reduction operation.
type Op struct {
	// Combine combines two vectors, element by element: left = left ∘ right. It must not change right. Nil: there is none.
	Combine func(left, right []byte)
	// Reduction is its number, so that ranks that pass different ones notice.
	Reduction collective.Reduction
	// Properties are what algorithms may rely on.
	schedule.Op
	// Safe: it calls no function of the program, and so it may run when the program is in no call.
	Safe bool
}

// reducing begins a reduction.
func (c *View) reducing(r collective.Routine, f Form, send, recv Buffer, op Op) (*collective.Operation, error) {
	o, err := c.begin(r, f, send.Type)
	if err != nil {
		return nil, err
	}
	c.combines(o, op)
	switch {
	case recv.Len() != send.Len():
		o.Require(lengths(o, send, recv))
	case overlapping(send.Bytes(), recv.Bytes()) && !same(send.Bytes(), recv.Bytes()):
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrBuffer, "the send and the receive buffer overlap without being the same"))
	}
	return o, nil
}

// combines sets the operation of a reduction.
func (c *View) combines(o *collective.Operation, op Op) {
	o.Combine, o.Safe = op.Combine, op.Safe
	if op.Combine == nil {
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrOp, "the operation is nil"))
	}
}

// Reduce combines the vectors of all ranks into root's recv.
func (c *View) Reduce(f Form, send, recv Buffer, op Op, root int) (*Request, error) {
	if !c.Null() && c.rank != root {
		recv = send
	}
	o, err := c.reducing(collective.Reduce, f, send, recv, op)
	if err != nil {
		return nil, err
	}
	c.rooted(o, root)
	if o.Agree(root, send.Len(), op.Reduction) {
		if c.rank != root {
			recv = Buffer{Type: recv.Type}
		}
		schedule.Reduce(buffers(o, send, recv), c.ranks(), root, whole(schedule.In, send), whole(schedule.Out, send), send.vector(), c.grouping(op), schedule.Start)
	}
	return c.launch(f, o)
}

// Allreduce combines the vectors of all ranks and gives every rank the result.
func (c *View) Allreduce(f Form, send, recv Buffer, op Op) (*Request, error) {
	o, err := c.reducing(collective.Allreduce, f, send, recv, op)
	if err != nil {
		return nil, err
	}
	if o.Agree(0, send.Len(), op.Reduction) {
		schedule.Allreduce(buffers(o, send, recv), c.ranks(), whole(schedule.In, send), whole(schedule.Out, recv), send.vector(), c.grouping(op), schedule.Start)
	}
	return c.launch(f, o)
}
