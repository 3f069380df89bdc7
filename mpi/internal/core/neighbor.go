package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/topology"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Neighbourhood collectives. Lengths and types are agreed between neighbours, not between all ranks.

// NeighborAllgather sends one block to all destinations, and receives one of each source.
func (c *View) NeighborAllgather(f Form, send, recv Buffer) (*Request, error) {
	return c.neighbor(collective.NeighborAllgather, f, func(o *collective.Operation, n *schedule.Neighbors) (from, to blocks) {
		divides(o, "receive", recv, len(n.Sources))
		return toAll(send, n), evenly(recv, n.Sources)
	})
}

// NeighborAllgatherv is NeighborAllgather of blocks of different lengths.
func (c *View) NeighborAllgatherv(f Form, send, recv Buffer, layout Layout) (*Request, error) {
	return c.neighbor(collective.NeighborAllgatherv, f, func(o *collective.Operation, n *schedule.Neighbors) (from, to blocks) {
		return toAll(send, n), among(o, layout, "receive", recv, n.Sources)
	})
}

// NeighborAlltoall sends a block to each destination, and receives one of each source.
func (c *View) NeighborAlltoall(f Form, send, recv Buffer) (*Request, error) {
	return c.neighbor(collective.NeighborAlltoall, f, func(o *collective.Operation, n *schedule.Neighbors) (from, to blocks) {
		divides(o, "send", send, len(n.Destinations))
		divides(o, "receive", recv, len(n.Sources))
		return evenly(send, n.Destinations), evenly(recv, n.Sources)
	})
}

// NeighborAlltoallv is NeighborAlltoall of blocks of different lengths.
func (c *View) NeighborAlltoallv(f Form, send Buffer, sendLayout Layout, recv Buffer, recvLayout Layout) (*Request, error) {
	return c.neighbor(collective.NeighborAlltoallv, f, func(o *collective.Operation, n *schedule.Neighbors) (from, to blocks) {
		return among(o, sendLayout, "send", send, n.Destinations), among(o, recvLayout, "receive", recv, n.Sources)
	})
}

// NeighborAlltoallw is NeighborAlltoall of blocks that are buffers of their own, each with its own type.
func (c *View) NeighborAlltoallw(f Form, send, recv []Buffer) (*Request, error) {
	return c.neighbor(collective.NeighborAlltoallw, f, func(o *collective.Operation, n *schedule.Neighbors) (from, to blocks) {
		perPeer(o, "send", len(send), len(n.Destinations), "destination")
		perPeer(o, "receive", len(recv), len(n.Sources), "source")
		return blocks{n: len(send), peers: n.Destinations, list: send}, blocks{n: len(recv), peers: n.Sources, list: recv}
	})
}

// neighbor makes a neighbourhood collective of the blocks that find returns after it has checked the arguments.
func (c *View) neighbor(r collective.Routine, f Form,
	find func(o *collective.Operation, n *schedule.Neighbors) (from, to blocks)) (*Request, error) {
	if err := c.exchanges(r.Op()); err != nil {
		return nil, err
	}
	o, err := c.begin(r, f, noType)
	if err != nil {
		return nil, err
	}
	n := &c.neighbors
	from, to := find(o, n)
	if checked(o, &from, &to) {
		balanced := n.Own(c.rank, func(i, k int) { toSelf(o, from.at(i), to.at(k)) })
		if !balanced {
			o.Require(mpierr.Invalid(o.Op(), rpi.ErrTopology, "this rank is its own neighbour, but not as often as source as it is as destination"))
		}
	}
	if exchanged(o, &from, &to) {
		schedule.Neighbor(o.Builder(), c.rank, *n, o.Block, func(i int) schedule.Part { return o.Block(from.n + i) }, schedule.Start)
	}
	return c.launch(f, o)
}

// NeighborCounts is from how many neighbours this rank receives in neighbourhood collectives and to how many it sends: how many
// elements their arguments have.
func (c *View) NeighborCounts() (sources, destinations int) {
	if c.Null() {
		return 0, 0
	}
	return len(c.neighbors.Sources), len(c.neighbors.Destinations)
}

// exchanges says why there can be no neighbourhood collective on c, nil if there can. It is the same for all ranks.
func (c *View) exchanges(op string) error {
	if err := c.usable(op); err != nil {
		return err
	}
	if err := c.Intra(op); err != nil {
		return err
	}
	switch t := c.topology.(type) {
	case nil:
		return mpierr.Invalid(op, rpi.ErrTopology, "the communicator has no topology: make one with CartCreate, GraphCreate or DistGraphCreate")
	case *topology.Graph:
		if !t.Symmetric() {
			return mpierr.Invalid(op, rpi.ErrTopology, "there are ranks with more edges in one direction than back: use DistGraphCreate for such a graph")
		}
	}
	return nil
}

// divides checks that a buffer can be cut into n equal blocks.
func divides(o *collective.Operation, what string, b Buffer, n int) {
	if n == 0 && b.Count > 0 || n > 0 && b.Count%n != 0 {
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrCount, "the %s buffer has %s, which cannot be divided evenly among %s",
			what, mpierr.Plural(b.Count, "element"), mpierr.Plural(n, "neighbour")))
	}
}

// toAll is one block for all destinations.
func toAll(send Buffer, n *schedule.Neighbors) blocks {
	return blocks{n: len(n.Destinations), peers: n.Destinations, buffer: send, same: true}
}

// among is the parts that a layout has for neighbours.
func among(o *collective.Operation, l Layout, what string, b Buffer, peers []int32) blocks {
	l, err := l.resolve(o.Op(), what, len(peers), "neighbour", b)
	o.Require(err)
	return laidOut(b, l, peers)
}
