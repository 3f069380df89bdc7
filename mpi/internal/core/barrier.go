package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

// noType is that of operations without elements.
var noType = Basic(datatype.Packed)

// Barrier completes when all ranks have called it.
func (c *View) Barrier(f Form) (*Request, error) {
	o, err := c.begin(collective.Barrier, f, noType)
	if err != nil {
		return nil, err
	}
	if o.Agree(0, 0, 0) && !o.Short(schedule.Part{}, schedule.Part{}) {
		b := o.Builder()
		schedule.Barrier(b, c.ranks(), schedule.Start)
		c.addBoard(o, b)
	}
	return c.launch(f, o)
}

// meet makes the operation a barrier.
func (c *View) meet(o *collective.Operation) {
	if o.Agree(0, 0, 0) {
		schedule.Barrier(o.Builder(), c.ranks(), schedule.Start)
	}
}
