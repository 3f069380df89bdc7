package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

// Scan combines, for each rank, the vectors of the ranks up to and including it.
func (c *View) Scan(f Form, send, recv Buffer, op Op) (*Request, error) {
	o, err := c.reducing(collective.Scan, f, send, recv, op)
	if err != nil {
		return nil, err
	}
	if o.Agree(0, send.vector().Length(), op.Reduction) {
		schedule.Scan(vectors(o, send, recv), c.ranks(), slotted(schedule.In, send), slotted(schedule.Out, recv), send.vector(), c.grouping(op), schedule.Start)
	}
	return c.launch(f, o)
}

// Exscan is Scan of the ranks before this one.
func (c *View) Exscan(f Form, send, recv Buffer, op Op) (*Request, error) {
	o, err := c.reducing(collective.Exscan, f, send, recv, op)
	if err != nil {
		return nil, err
	}
	if o.Agree(0, send.vector().Length(), op.Reduction) {
		schedule.Exscan(vectors(o, send, recv), c.ranks(), slotted(schedule.In, send), slotted(schedule.Out, recv), send.vector(), c.grouping(op), schedule.Start)
	}
	return c.launch(f, o)
}
