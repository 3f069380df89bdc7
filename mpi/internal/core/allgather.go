package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

// Allgather puts the vectors of all ranks into every rank's recv.
func (c *View) Allgather(f Form, send, recv Buffer) (*Request, error) {
	if c.Inter() {
		return c.allgatherBetween(collective.Allgather, f, send, recv, nil)
	}
	o, err := c.begin(collective.Allgather, f, send.Type)
	if err != nil {
		return nil, err
	}
	c.even(o, "receive", recv, send, false)
	c.allgather(o, send, recv)
	return c.launch(f, o)
}

func (c *View) allgather(o *collective.Operation, send, recv Buffer) {
	if o.Agree(0, send.Len(), 0) {
		schedule.Allgather(buffers(o, send, recv), c.ranks(), send.Len(), schedule.Start)
	}
}

// Allgatherv is Allgather of vectors of different lengths.
func (c *View) Allgatherv(f Form, send, recv Buffer, layout Layout) (*Request, error) {
	if c.Inter() {
		return c.allgatherBetween(collective.Allgatherv, f, send, recv, &layout)
	}
	o, err := c.begin(collective.Allgatherv, f, send.Type)
	if err != nil {
		return nil, err
	}
	layout = c.resolve(o, layout, "receive", recv)
	c.own(o, layout, "receive", recv, send, false)
	counts, total := 0, 0
	for _, n := range layout.Counts {
		n *= int(recv.Type.Size())
		counts, total = collective.Mix(counts, n), total+n
	}
	if o.Agree(0, counts, 0) {
		b := placed(o, memory(o, send, load), memoryOf(o, recv, layout, store))
		schedule.Allgatherv(b, c.ranks(), whole(schedule.In, send), layout.parts(schedule.Out, recv),
			total, schedule.Start)
	}
	return c.launch(f, o)
}
