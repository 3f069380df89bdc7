package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

// Gather puts the vectors of all ranks into root's recv.
func (c *View) Gather(f Form, send, recv Buffer, root int) (*Request, error) {
	if c.Inter() {
		return c.rootBetween(collective.Gather, f, true, recv, nil, send, root)
	}
	o, err := c.begin(collective.Gather, f, send.Type)
	if err != nil {
		return nil, err
	}
	c.rooted(o, root)
	if c.rank == root {
		c.even(o, "receive", recv, send, false)
	} else {
		c.valid(o, send)
		recv = Buffer{Type: recv.Type}
	}
	if o.Agree(root, send.Len(), 0) {
		schedule.Gather(buffers(o, send, recv), c.ranks(), root, send.Len(), schedule.Start)
	}
	return c.launch(f, o)
}

// Gatherv is Gather of vectors of different lengths.
func (c *View) Gatherv(f Form, send, recv Buffer, layout Layout, root int) (*Request, error) {
	if c.Inter() {
		return c.rootBetween(collective.Gatherv, f, true, recv, &layout, send, root)
	}
	o, err := c.begin(collective.Gatherv, f, send.Type)
	if err != nil {
		return nil, err
	}
	c.rooted(o, root)
	if c.rank == root {
		layout = c.resolve(o, layout, "receive", recv)
		c.own(o, layout, "receive", recv, send, false)
	} else {
		c.valid(o, send)
		recv, layout = Buffer{Type: recv.Type}, Layout{}
	}
	if o.Agree(root, 0, 0) {
		b := placed(o, memory(o, send, load), memoryOf(o, recv, layout, store))
		schedule.Gatherv(b, c.ranks(), root, whole(schedule.In, send), layout.parts(schedule.Out, recv), schedule.Start)
	}
	return c.launch(f, o)
}

// whole is all of a buffer.
func whole(as schedule.Buffer, b Buffer) schedule.Part {
	return schedule.Part{Buffer: as, Length: b.Len()}
}
