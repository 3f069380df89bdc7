package mpi

import (
	"cmp"
	"errors"
	"slices"

	"github.com/sctpmpi/sctpmpi/matching"
)

// Dup returns a communicator with the same processes, in the same order, and
// a space of messages of its own (MPI_COMM_DUP; MPI 4.1, section 7.4.2): what
// a library takes so that its messages never meet its caller's. Collective.
// Give it back with Free: a process can have 20,000 communicators at a time
// (ErrOther).
func (c *Comm) Dup() (*Comm, error) {
	id := []matching.Context{0}
	k, err := c.begin(opDup, datatypeOf[matching.Context]())
	if err != nil {
		return nil, err
	}
	k.require(k.room())
	if c.rank == 0 {
		id[0] = c.process.newContext()
	}
	if k.agree(0, 0, 0) {
		k.bcastTree(view(id).bytes, 0)
	}
	if err := k.end(); err != nil {
		return nil, err
	}
	return newComm(c.process, id[0], c.rank, c.group), nil
}

// Split divides the processes into communicators: those that pass the same
// color get one together, in the order of their keys, and of their ranks in c
// where keys are equal (MPI_COMM_SPLIT; section 7.4.2). The color is not
// negative, or Undefined for a rank that wants none: it gets nil. Collective.
// Give the communicator back with Free.
func (c *Comm) Split(color, key int) (*Comm, error) {
	k, err := c.begin(opSplit, datatypeOf[member]())
	if err != nil {
		return nil, err
	}
	if color != Undefined {
		k.require(k.room())
	}
	if color < 0 && color != Undefined {
		k.require(invalid(k.op, ErrArg, "color %d is neither Undefined nor 0 or more", color))
	}
	// The first rank of each group supplies the context. Which ranks these are
	// is known only after the exchange, so all ranks bring one.
	mine := member{Color: int64(color), Key: int64(key), Rank: int64(c.rank), Context: c.process.newContext()}
	all := make([]member, c.group.size)
	if err := k.allgather(view([]member{mine}), view(all)); err != nil {
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
	rank := slices.IndexFunc(all, func(m member) bool { return m.Rank == mine.Rank })
	return newComm(c.process, all[0].Context, rank, newGroup(job, c.process.size)), nil
}

// member is what a rank tells the others in Split.
type member struct {
	Color, Key, Rank int64
	Context          matching.Context
}

// Free gives a communicator back (MPI_COMM_FREE; section 7.4.3). It is
// collective: it waits for the other ranks, so that no rank sends on c any more.
// Operations on c then fail with ErrComm. Requests that were started before
// complete normally. The world communicator cannot be freed.
//
// The communicator is freed even if Free fails because another rank is gone.
func (c *Comm) Free() error {
	const op = "mpi.Free"
	if err := c.usable(op); err != nil {
		return err
	}
	if c.context == worldContext {
		return invalid(op, ErrComm, "the world communicator cannot be freed; it ends with Finalize")
	}
	err := c.barrier(opFree)
	if errors.Is(err, ErrComm) {
		return err // another collective is under way
	}
	if c.freed.Swap(true) {
		return invalid(op, ErrComm, "the communicator has been freed")
	}
	c.release()
	return err
}
