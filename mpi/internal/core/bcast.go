package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

// Bcast sends root's buf to all ranks.
func (c *View) Bcast(f Form, buf Buffer, root int) (*Request, error) {
	if c.Inter() {
		return c.bcastBetween(f, buf, root)
	}
	o, err := c.begin(collective.Bcast, f, buf.Type)
	if err != nil {
		return nil, err
	}
	c.rooted(o, root)
	c.valid(o, buf)
	if o.Agree(root, buf.Len(), 0) {
		u := store
		if c.rank == root {
			u = load
		}
		o.Out = memory(o, buf, u)
		schedule.Bcast(o.Builder(), c.ranks(), root, whole(schedule.Out, buf), schedule.Start)
	}
	return c.launch(f, o)
}
