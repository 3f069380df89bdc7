package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

// Scatter gives each rank its part of root's send.
func (c *View) Scatter(f Form, send, recv Buffer, root int) (*Request, error) {
	o, err := c.begin(collective.Scatter, f, recv.Type)
	if err != nil {
		return nil, err
	}
	c.rooted(o, root)
	if c.rank == root {
		c.even(o, "send", send, recv)
	} else {
		send = Buffer{Type: send.Type}
	}
	if o.Agree(root, recv.Len(), 0) {
		own := c.received(o, send, recv, schedule.Part{Offset: root * recv.Len(), Length: recv.Len()})
		schedule.Scatter(o.Builder(), c.ranks(), root, own, schedule.Start)
	}
	return c.launch(f, o)
}

// Scatterv is Scatter of parts of different lengths.
func (c *View) Scatterv(f Form, send Buffer, layout Layout, recv Buffer, root int) (*Request, error) {
	o, err := c.begin(collective.Scatterv, f, recv.Type)
	if err != nil {
		return nil, err
	}
	c.rooted(o, root)
	if c.rank == root {
		layout = c.resolve(o, layout, "send", send)
		c.own(o, layout, "send", send, recv)
	} else {
		send = Buffer{Type: send.Type}
	}
	if o.Agree(root, 0, 0) {
		parts := layout.parts(schedule.In, send)
		var part schedule.Part
		if c.rank == root {
			part = parts(root)
		}
		own := c.received(o, send, recv, part)
		schedule.Scatterv(o.Builder(), c.ranks(), root, own, parts, schedule.Start)
	}
	return c.launch(f, o)
}

// received sets the memory of the operation, and returns where this rank's part goes: to recv, or nowhere, if that is the part
// itself (MPI_IN_PLACE).
func (c *View) received(o *collective.Operation, send, recv Buffer, part schedule.Part) schedule.Part {
	o.In, o.Out = send.Bytes(), recv.Bytes()
	if overlapping(o.In, o.Out) {
		part.Buffer = schedule.In
		return part
	}
	return whole(schedule.Out, recv)
}
