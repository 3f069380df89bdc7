package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

// Scatter gives each rank its part of root's send.
func (c *View) Scatter(f Form, send, recv Buffer, root int) (*Request, error) {
	if c.Inter() {
		return c.rootBetween(collective.Scatter, f, false, send, nil, recv, root)
	}
	o, err := c.begin(collective.Scatter, f, recv.Type)
	if err != nil {
		return nil, err
	}
	c.rooted(o, root)
	if c.rank == root {
		c.even(o, "send", send, recv, false)
	} else {
		c.valid(o, recv)
		send = Buffer{Type: send.Type}
	}
	if o.Agree(root, recv.Len(), 0) {
		o.In, o.Out = memory(o, send, load), memory(o, recv, store)
		own := c.received(o, recv, schedule.Part{Offset: root * recv.Len(), Length: recv.Len()})
		schedule.Scatter(o.Builder(), c.ranks(), root, own, schedule.Start)
	}
	return c.launch(f, o)
}

// Scatterv is Scatter of parts of different lengths.
func (c *View) Scatterv(f Form, send Buffer, layout Layout, recv Buffer, root int) (*Request, error) {
	if c.Inter() {
		return c.rootBetween(collective.Scatterv, f, false, send, &layout, recv, root)
	}
	o, err := c.begin(collective.Scatterv, f, recv.Type)
	if err != nil {
		return nil, err
	}
	c.rooted(o, root)
	if c.rank == root {
		layout = c.resolve(o, layout, "send", send)
		c.own(o, layout, "send", send, recv, false)
	} else {
		c.valid(o, recv)
		send, layout = Buffer{Type: send.Type}, Layout{}
	}
	if o.Agree(root, 0, 0) {
		parts := layout.parts(schedule.In, send)
		var part schedule.Part
		if c.rank == root {
			part = parts(root)
		}
		o.In, o.Out = memoryOf(o, send, layout, load), memory(o, recv, store)
		own := c.received(o, recv, part)
		schedule.Scatterv(o.Builder(), c.ranks(), root, own, parts, schedule.Start)
	}
	return c.launch(f, o)
}

// received returns where this rank's part goes: to recv, or nowhere, if that is the part itself (MPI_IN_PLACE).
func (c *View) received(o *collective.Operation, recv Buffer, part schedule.Part) schedule.Part {
	if overlapping(o.In, o.Out) {
		part.Buffer = schedule.In
		return part
	}
	return whole(schedule.Out, recv)
}
