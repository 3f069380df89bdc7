package core

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/topology"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Dims replaces the zeros in dims so that the product of all is n.
func Dims(n int, dims []int) error {
	_, err := found(dims, topology.Dims("mpi.Dims", n, dims))
	return err
}

// CartCreate makes a communicator of the first ranks of c, which form a grid. It is nil at ranks that the grid has no place for.
// Ranks keep their order, whatever reorder says: launchers give those of a host consecutive ranks, and so a grid has them
// together.
func (c *View) CartCreate(dims []int, periods []bool, reorder bool) (*Comm, error) {
	const op = "mpi.CartCreate"
	cart, bad := topology.NewCart(op, dims, periods)
	agreed := collective.Mix(len(dims), number(reorder))
	for _, d := range dims {
		agreed = collective.Mix(agreed, d)
	}
	for _, p := range periods {
		agreed = collective.Mix(agreed, number(p))
	}
	if bad != nil {
		return c.createWith(op, 0, agreed, nil, bad)
	}
	return c.createWith(op, cart.Size(), agreed, cart, nil)
}

// createWith makes a communicator of the first size ranks of c, with a topology. All ranks must have made agreed of the same
// arguments. bad is what is wrong with them, nil if nothing is.
func (c *View) createWith(op string, size, agreed int, t topology.Topology, bad *mpierr.Error) (*Comm, error) {
	if err := c.Intra(op); err != nil {
		return nil, err
	}
	o, err := c.begin(collective.Create, Blocking, contextType)
	if err != nil {
		return nil, err
	}
	o.Named(op)
	o.Require(bad)
	if size > c.Size() {
		o.Require(mpierr.Invalid(op, rpi.ErrTopology, "the topology has %s, and the communicator %d", mpierr.Plural(size, "rank"), c.Size()))
	}
	o.Require(c.process.full(o.Op()))
	var id matching.Context
	if c.rank == 0 {
		id = c.process.newContext()
	}
	c.collectAgreed(o, agreed, bytesOf(&id)) // with a broadcast rank 0 would not learn what the others pass
	if err := o.Do(c.ctx); err != nil || c.rank >= size {
		return nil, err
	}
	members := c.group
	if size < c.Size() {
		members = group.Of(c.group.Members()[:size])
	}
	made := newComm(c.process, id, members).inherit(c.Comm)
	made.arrange(t)
	return made, nil
}

// number makes a number of what ranks must agree on.
func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (c *View) cart(op string) (*topology.Cart, error) {
	return topologyOf[*topology.Cart](c, op, "Cartesian", "CartCreate")
}

// CartSub makes communicators of the grids of fewer dimensions that a grid consists of.
func (c *View) CartSub(remain []bool) (*Comm, error) {
	const op = "mpi.CartSub"
	cart, err := c.cart(op)
	if err != nil {
		return nil, err
	}
	sub, color, place, bad := cart.Sub(op, c.rank, remain)
	part, err := c.split(op, color, place, bad)
	if part != nil {
		part.arrange(sub)
	}
	return part, err
}

// CartGet returns what the grid was made of, and the coordinates of this rank.
func (c *View) CartGet() (dims []int, periods []bool, coords []int, err error) {
	const op = "mpi.CartGet"
	cart, err := c.cart(op)
	if err != nil {
		return nil, nil, nil, err
	}
	dims, periods = cart.Get()
	coords, err = found(cart.Coords(op, c.rank))
	return dims, periods, coords, err
}

// CartRank returns the rank with the given coordinates.
func (c *View) CartRank(coords []int) (int, error) {
	const op = "mpi.CartRank"
	cart, err := c.cart(op)
	if err != nil {
		return Undefined, err
	}
	return found(cart.Rank(op, coords))
}

// CartCoords returns the coordinates of a rank.
func (c *View) CartCoords(rank int) ([]int, error) {
	const op = "mpi.CartCoords"
	cart, err := c.cart(op)
	if err != nil {
		return nil, err
	}
	return found(cart.Coords(op, rank))
}

// CartShift returns the ranks that are by places before this one in a dimension, and behind it.
func (c *View) CartShift(dimension, by int) (source, dest int, err error) {
	const op = "mpi.CartShift"
	cart, err := c.cart(op)
	if err != nil {
		return ProcNull, ProcNull, err
	}
	source, dest, bad := cart.Shift(op, c.rank, dimension, by)
	if bad != nil {
		return ProcNull, ProcNull, bad
	}
	return source, dest, nil
}

// CartMap returns the rank that this process would have in a grid, Undefined if none.
func (c *View) CartMap(dims []int, periods []bool) (int, error) {
	const op = "mpi.CartMap"
	if err := c.usable(op); err != nil {
		return Undefined, err
	}
	cart, bad := topology.NewCart(op, dims, periods)
	if bad != nil {
		return Undefined, bad
	}
	return c.place(op, cart.Size())
}

// place is the rank that this process has among the first size ranks of c, Undefined if it is none of them.
func (c *View) place(op string, size int) (int, error) {
	if err := c.Intra(op); err != nil {
		return Undefined, err
	}
	switch {
	case size > c.Size():
		return Undefined, mpierr.Invalid(op, rpi.ErrTopology, "the topology has %s, and the communicator %d", mpierr.Plural(size, "rank"), c.Size())
	case c.rank >= size:
		return Undefined, nil
	}
	return c.rank, nil
}
