package core

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Split divides the processes into communicators: nil for the color Undefined. Those of an intercommunicator have the
// processes of a color in both groups: nil if one group has none.
func (c *View) Split(color, key int) (*Comm, error) {
	return c.split(collective.Split.Op(), color, key, nil)
}

// split is Split for an operation of this name. bad is what is wrong with its arguments, nil if nothing is.
func (c *View) split(op string, color, key int, bad *mpierr.Error) (*Comm, error) {
	o, err := c.begin(collective.Split, Blocking, memberType)
	if err != nil {
		return nil, err
	}
	o.Named(op)
	o.Require(bad)
	if color != Undefined {
		o.Require(c.process.full(o.Op()))
	}
	if color < 0 && color != Undefined {
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrArg, "color %d is neither Undefined nor 0 or more", color))
	}
	// The first rank of each color supplies the context. Which ranks these are
	// is known only after the exchange, so all ranks bring one.
	ranks := c.ranks()
	mine := member{Color: int64(color), Key: int64(key), Rank: int64(ranks.Me), Context: c.process.newContext()}
	all := make([]member, ranks.Size)
	c.allgather(o, Of(memberType, []member{mine}), Of(memberType, all))
	if err := o.Do(c.ctx); err != nil {
		return nil, err
	}
	if color == Undefined {
		return nil, nil
	}
	all = slices.DeleteFunc(all, func(m member) bool { return m.Color != mine.Color })
	slices.SortFunc(all, func(a, b member) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Rank, b.Rank))
	})
	numbers := make([]int, len(all))
	for i, m := range all {
		numbers[i] = int(m.Rank)
	}
	if c.Inter() {
		return c.between(all[0].Context, numbers), nil
	}
	return newComm(c.process, all[0].Context, c.jobGroup(numbers)).inherit(c.Comm), nil
}

// jobGroup is the group of the processes with these ranks, which collective operations know them by.
func (c *Comm) jobGroup(ranks []int) *group.Group {
	members := make([]matching.Rank, len(ranks))
	for i, rank := range ranks {
		members[i] = c.JobRank(rank)
	}
	return group.Of(members)
}

// member is what a rank tells the others in Split: Rank is the one that collective operations know it by.
type member struct {
	Color, Key, Rank int64
	Context          matching.Context
}

var memberType = datatype.OfGo(reflect.TypeFor[member]())

// SplitKind says how SplitType divides.
type SplitKind int

// The kinds (MPI 4.1, section 7.4.2). Undefined is one too.
const (
	SplitShared SplitKind = iota // by host
	SplitHWGuided
	SplitHWUnguided
)

// SplitType divides the processes by what they share. No hardware within a host is known, so that all get nil where it would
// matter. Where the hosts are not known each process counts as alone on one.
func (c *View) SplitType(kind SplitKind, key int) (*Comm, error) {
	const op = "mpi.SplitType"
	if err := c.usable(op); err != nil {
		return nil, err
	}
	color := Undefined
	if kind == SplitShared {
		color = c.process.rank
		if hosts := c.process.hosts; hosts != nil {
			color = int(hosts[c.process.rank])
		}
	}
	return c.split(op, color, key, nil)
}
