package core

import (
	"cmp"
	"errors"
	"reflect"
	"slices"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Dup returns a communicator with the same processes.
func (c *View) Dup() (*Comm, error) {
	id := []matching.Context{0}
	o, err := c.begin(collective.Dup, Blocking, contextType)
	if err != nil {
		return nil, err
	}
	o.Require(c.process.room(o))
	if c.rank == 0 {
		id[0] = c.process.newContext()
	}
	if o.Agree(0, 0, 0) {
		buf := Of(contextType, id)
		o.Out, _ = buf.Piece()
		schedule.Bcast(o.Builder(), c.ranks(), 0, whole(schedule.Out, buf), schedule.Start)
	}
	if err := o.Do(c.ctx); err != nil {
		return nil, err
	}
	dup := newComm(c.process, id[0], c.group)
	dup.arrange(c.topology)
	return dup, nil
}

// Split divides the processes into communicators: nil for the color Undefined.
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
	return newComm(c.process, all[0].Context, group.Of(job)), nil
}

// member is what a rank tells the others in Split.
type member struct {
	Color, Key, Rank int64
	Context          matching.Context
}

var (
	contextType = Basic(datatype.Uint64)
	memberType  = datatype.OfGo(reflect.TypeFor[member]())
)

// Free gives a communicator back. It is freed even if Free fails because another
// rank is gone.
func (c *View) Free() error {
	const op = "mpi.Free"
	if err := c.usable(op); err != nil {
		return err
	}
	if c.context == worldContext {
		return mpierr.Invalid(op, rpi.ErrComm, "the world communicator cannot be freed; it ends with Finalize")
	}
	err := c.barrier(collective.Free)
	if errors.Is(err, rpi.ErrComm) {
		return err // another collective is under way
	}
	if c.freed.Swap(true) {
		return mpierr.Invalid(op, rpi.ErrComm, "the communicator has been freed")
	}
	c.release()
	return err
}
