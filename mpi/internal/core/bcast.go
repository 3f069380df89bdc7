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
		if all := whole(schedule.Out, buf); !o.Short(all, all) {
			b := o.Builder()
			schedule.Bcast(b, c.ranks(), root, all, schedule.Start)
			c.addBoard(o, b)
		}
	}
	return c.launch(f, o)
}
