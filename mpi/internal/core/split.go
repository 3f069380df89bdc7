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

// Split divides the processes into communicators: nil for the color Undefined.
func (c *View) Split(color, key int) (*Comm, error) {
	return c.split(collective.Split.Op(), color, key, nil)
}

// split is Split for an operation of this name. bad is what is wrong with its arguments, nil if nothing is.
func (c *View) split(op string, color, key int, bad *mpierr.Error) (*Comm, error) {
	if err := c.Intra(op); err != nil {
		return nil, err
	}
	o, err := c.begin(collective.Split, Blocking, memberType)
	if err != nil {
		return nil, err
	}
	o.Named(op)
	o.Require(bad)
	if color != Undefined {
		o.Require(c.process.room(o))
	}
	if color < 0 && color != Undefined {
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrArg, "color %d is neither Undefined nor 0 or more", color))
	}
	// The first rank of each group supplies the context. Which ranks these are
	// is known only after the exchange, so all ranks bring one.
	mine := member{Color: int64(color), Key: int64(key), Rank: int64(c.rank), Context: c.process.newContext()}
	all := make([]member, c.group.Size())
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
	job := make([]matching.Rank, len(all))
	for i, m := range all {
		job[i] = c.jobRank(int(m.Rank))
	}
	return newComm(c.process, all[0].Context, group.Of(job)).inherit(c.Comm), nil
}

// member is what a rank tells the others in Split.
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
// matter. Where hosts are not known each process has one of its own.
func (c *View) SplitType(kind SplitKind, key int) (*Comm, error) {
	const op = "mpi.SplitType"
	if err := c.usable(op); err != nil {
		return nil, err
	}
	color := Undefined
	if kind == SplitShared {
		color = c.rank
		if hosts := c.hosts(); hosts != nil {
			color = int(hosts[c.rank])
		}
	}
	return c.split(op, color, key, nil)
}
