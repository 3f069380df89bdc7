package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// reducing begins a reduction.
func (c *View) reducing(r collective.Routine, f Form, send, recv Buffer, op Op) (*collective.Operation, error) {
	o, err := c.beginReducing(r, f, send.Type, op)
	if err != nil {
		return nil, err
	}
	c.valid(o, send)
	c.valid(o, recv)
	switch {
	case o.Err() != nil:
	case recv.Count != send.Count:
		o.Require(lengths(o, send, recv))
	default:
		c.congruent(o, send, recv)
		o.Require(overlap(o.Op(), send, recv))
	}
	return o, nil
}

// beginReducing begins a reduction of elements of type t.
func (c *View) beginReducing(r collective.Routine, f Form, t *Type, op Op) (*collective.Operation, error) {
	e := elements(t)
	e.Size = max(slot(t), 1)
	o, err := c.beginOf(r, f, t, e)
	if err == nil {
		c.combines(o, op)
	}
	return o, err
}

// congruent checks that the elements of the two buffers of a reduction are of the same type.
func (c *View) congruent(o *collective.Operation, send, recv Buffer) {
	if send.Type == recv.Type {
		return
	}
	c.alike(o, "receive", recv, send)
	if slot(send.Type) != slot(recv.Type) {
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrType, "the elements of the send and the receive buffer, %s and %s, lie differently in memory",
			send.Type.Name(), recv.Type.Name()))
	}
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
	if c.Inter() {
		return c.reduceBetween(f, send, recv, op, root)
	}
	if !c.Null() && c.rank != root {
		recv = send
	}
	o, err := c.reducing(collective.Reduce, f, send, recv, op)
	if err != nil {
		return nil, err
	}
	c.rooted(o, root)
	if o.Agree(root, send.vector().Length(), op.Reduction) {
		if c.rank != root {
			recv = Buffer{Type: recv.Type}
		}
		b, in, out := vectors(o, send, recv), slotted(schedule.In, send), slotted(schedule.Out, send)
		if !o.Short(in, out) {
			schedule.Reduce(b, c.ranks(), root, in, out, send.vector(), c.grouping(op), schedule.Start)
			c.addBoard(o, b)
		}
	}
	return c.launch(f, o)
}

// Allreduce combines the vectors of all ranks and gives every rank the result.
func (c *View) Allreduce(f Form, send, recv Buffer, op Op) (*Request, error) {
	if c.Inter() {
		return c.allreduceBetween(f, send, recv, op)
	}
	o, err := c.reducing(collective.Allreduce, f, send, recv, op)
	if err != nil {
		return nil, err
	}
	if o.Agree(0, send.vector().Length(), op.Reduction) {
		b, in, out := vectors(o, send, recv), slotted(schedule.In, send), slotted(schedule.Out, recv)
		if !o.Short(in, out) {
			schedule.Allreduce(b, c.ranks(), in, out, send.vector(), c.grouping(op), schedule.Start)
			c.addBoard(o, b)
		}
	}
	return c.launch(f, o)
}

// vectors is buffers for a reduction.
func vectors(o *collective.Operation, in, out Buffer) *schedule.Builder {
	return placed(o, slots(o, in, load), slots(o, out, store))
}
