package core

import (
	"reflect"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// founder is what a rank tells the others in Create.
type founder struct {
	Context matching.Context
	Sum     uint64 // of its group
	Place   int64  // in its group, Undefined if it is not in it
}

var founderType = datatype.OfGo(reflect.TypeFor[founder]())

// Create returns a communicator of the processes of a group: nil to those that are not in it. All processes of c call it, with
// groups that are equal or have no process in common. In an intercommunicator all of a group pass the same processes, which
// are of that group.
func (c *View) Create(g *Group) (*Comm, error) {
	o, err := c.begin(collective.Create, Blocking, founderType)
	if err != nil {
		return nil, err
	}
	set := g.members()
	place := set.Rank(matching.Rank(c.process.rank))
	if place != Undefined {
		o.Require(c.process.full(o.Op()))
	}
	o.Require(c.within(o.Op(), set))
	own := founder{c.process.newContext(), sum(set), int64(place)}
	all := make([]founder, c.ranks().Size)
	c.allgather(o, Of(founderType, []founder{own}), Of(founderType, all))
	if err := o.Do(c.ctx); err != nil {
		return nil, err
	}
	if c.Inter() {
		return c.createBetween(all)
	}
	if place == Undefined {
		return nil, nil
	}
	for _, m := range set.Members() {
		if rank := c.group.Rank(m); all[rank].Sum != own.Sum {
			return nil, mpierr.Invalid(collective.Create.Op(), rpi.ErrArg, "%s passes another group than this rank", c.name(m)).About(rank)
		}
	}
	return newComm(c.process, all[c.group.Rank(set.Member(0))].Context, set).inherit(c.Comm), nil
}

// within is the error of a group with a process that c does not have.
func (c *Comm) within(op string, g *group.Group) *mpierr.Error {
	for i := range g.Size() {
		if !c.group.Has(g.Member(i)) {
			return mpierr.Invalid(op, rpi.ErrArg, "the process with rank %d in the group is not in the communicator", i)
		}
	}
	return nil
}

// sum is a number by which groups that differ are told from each other.
func sum(g *group.Group) uint64 {
	h := uint64(g.Size())
	for i := range g.Size() {
		h = (h ^ uint64(g.Member(i))) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

// CreateGroup is Create that only the processes of the group call.
func (c *View) CreateGroup(g *Group, tag int) (*Comm, error) {
	const op = "mpi.CreateGroup"
	if err := c.usable(op); err != nil {
		return nil, err
	}
	if err := c.Intra(op); err != nil {
		return nil, err
	}
	set := g.members()
	if err := c.within(op, set); err != nil {
		return nil, err
	}
	if !set.Has(matching.Rank(c.process.rank)) {
		return nil, mpierr.Invalid(op, rpi.ErrArg, "this process is not in the group: only those call CreateGroup that are")
	}
	if tag < 0 || tag > MaxTag {
		return nil, mpierr.Invalid(op, rpi.ErrTag, "tag %d is not between 0 and %d", tag, MaxTag)
	}
	id, err := c.agree(op, set, tag, sum(set), nil)
	if err != nil {
		return nil, err
	}
	return newComm(c.process, id, set).inherit(c.Comm), nil
}
