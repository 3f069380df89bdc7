package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/topology"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// arranged is what a communicator knows of its virtual topology.
type arranged struct {
	topology  topology.Topology // nil: there is none
	neighbors schedule.Neighbors
}

// arrange gives a communicator that has just been made a topology. It may be nil.
func (c *Comm) arrange(t topology.Topology) {
	c.topology = t
	if t != nil {
		sources, destinations := t.Neighbors(c.rank)
		_, grid := t.(*topology.Cart)
		c.neighbors = schedule.Neighbors{Sources: sources, Destinations: destinations, Grid: grid}
	}
}

// Topology is the topology of the communicator, nil if it has none (MPI_TOPO_TEST).
func (c *View) Topology() topology.Topology {
	if c.Null() {
		return nil
	}
	return c.topology
}

// topologyOf returns the topology of a communicator, which must be a T.
func topologyOf[T topology.Topology](c *View, op, kind, by string) (t T, err error) {
	if err := c.usable(op); err != nil {
		return t, err
	}
	t, ok := c.topology.(T)
	if !ok {
		return t, mpierr.Invalid(op, rpi.ErrTopology, "the communicator has no %s topology; %s makes one that has", kind, by)
	}
	return t, nil
}

// found returns what a topology has answered.
func found[T any](answer T, err *mpierr.Error) (T, error) {
	if err != nil {
		return answer, err
	}
	return answer, nil
}
