package core

import (
	"errors"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// bridge is what an intercommunicator has (MPI 4.1, section 7.6): a second group, that of its peers, with which this
// process exchanges messages. Its collective operations number the processes of both groups: those of the first group, then
// those of the second. All agree which one is the first. The zero bridge is that of other communicators.
type bridge struct {
	union     *group.Group // of all these processes; nil: it is no intercommunicator
	near, far []int32      // the numbers of the processes of this group, and of the other
}

// join makes c, which has no context yet, an intercommunicator.
func (c *Comm) join(remote *group.Group, first bool) {
	c.peers = remote
	numbers := make([]int32, c.group.Size()+remote.Size())
	for i := range numbers {
		numbers[i] = int32(i)
	}
	if first {
		n := c.group.Size()
		c.bridge = bridge{c.group.Union(remote), numbers[:n], numbers[n:]}
	} else {
		n := remote.Size()
		c.bridge = bridge{remote.Union(c.group), numbers[n:], numbers[:n]}
	}
}

// Inter reports whether c is an intercommunicator.
func (c *View) Inter() bool { return !c.Null() && c.union != nil }

// Intra is the error of an operation that intercommunicators do not have.
func (c *View) Intra(op string) error {
	if c.Inter() {
		return mpierr.Invalid(op, rpi.ErrComm, "%s is an intercommunicator, which has no such operation", c.title())
	}
	return nil
}

// RemoteSize is the number of processes of the other group; 0 if there is none.
func (c *View) RemoteSize() int {
	if !c.Inter() {
		return 0
	}
	return c.peers.Size()
}

// RemoteGroup is the other group; nil if there is none.
func (c *View) RemoteGroup() *Group {
	if !c.Inter() {
		return nil
	}
	return &Group{c.process, c.peers}
}

// CreateIntercomm returns an intercommunicator of the group of c and another one. The leaders of both can talk with each other on
// the communicator between, which only they pass.
func (c *View) CreateIntercomm(leader int, between *View, remoteLeader, tag int) (*Comm, error) {
	const op = "mpi.CreateIntercomm"
	if err := c.bridges(op, leader); err != nil {
		if !c.Null() && c.rank == leader {
			between.refuse(op, remoteLeader, tag, err)
		}
		if e, ok := errors.AsType[*mpierr.Error](err); ok && e.Class == rpi.ErrRank {
			c.Refuse(collective.Create, Blocking, e.Class, e.Detail) // the others may have another leader, and wait
		}
		return nil, err
	}
	var (
		theirs  proposal
		members []matching.Rank
		failure error
	)
	mine := proposal{Context: c.process.newContext(), Size: uint64(c.group.Size()), Leader: uint64(c.group.Member(leader))}
	if c.rank == leader {
		if full := c.process.full(op); full != nil {
			failure = full
			between.refuse(op, remoteLeader, tag, full)
		} else {
			theirs, members, failure = between.trade(op, mine, c.group, remoteLeader, tag)
		}
		if failure != nil {
			theirs.Failed = c.process.word(failure)
		} else if theirs.Leader > mine.Leader {
			theirs.Context = mine.Context
		}
	}
	if err := c.gatherIn(op, leader, bytesOf(&theirs)); err != nil { // which only the leader has
		return nil, err
	}
	switch {
	case failure != nil:
		return nil, failure
	case theirs.Failed != 0:
		return nil, c.toldBy(op, c.group.Member(leader), theirs.Failed)
	}
	if c.rank != leader {
		members = make([]matching.Rank, theirs.Size)
	}
	if err := c.share(op, Of(rankType, members), leader); err != nil {
		return nil, err
	}
	remote := group.Of(members)
	if n := c.group.Intersection(remote).Size(); n > 0 {
		return nil, mpierr.Invalid(op, rpi.ErrArg, "%s in both groups", mpierr.Plural(n, "process"))
	}
	return c.joined(theirs.Context, c.group, remote, mine.Leader < theirs.Leader), nil
}

// bridges is the error of CreateIntercomm that the leader's group sees.
func (c *View) bridges(op string, leader int) error {
	if err := c.usable(op); err != nil {
		return err
	}
	if err := c.Intra(op); err != nil {
		return err
	}
	if leader < 0 || leader >= c.group.Size() {
		return mpierr.Invalid(op, rpi.ErrRank, "the leader %d is not in a communicator of %s", leader, mpierr.Plural(c.group.Size(), "rank"))
	}
	return nil
}

// joined makes an intercommunicator of two groups. first says whether that of this process is the first one.
func (c *Comm) joined(id matching.Context, near, remote *group.Group, first bool) *Comm {
	made := makeComm(c.process, near).inherit(c)
	made.join(remote, first)
	made.context = id
	made.open()
	return made
}

// gatherIn is collect for an operation of this name, of ranks that pass the same leader.
func (c *View) gatherIn(op string, leader int, memory []byte) error {
	return c.found(op, contextType, func(o *collective.Operation) { c.collectAgreed(o, leader, memory) })
}

// share broadcasts a buffer for an operation of this name.
func (c *View) share(op string, b Buffer, root int) error {
	return c.found(op, b.Type, func(o *collective.Operation) {
		if o.Agree(root, b.Len(), 0) {
			o.Out, _ = b.Piece()
			schedule.Bcast(o.Builder(), c.ranks(), root, whole(schedule.Out, b), schedule.Start)
		}
	})
}

// found runs a collective operation of this name, one of those that a new communicator takes.
func (c *View) found(op string, of *Type, plan func(o *collective.Operation)) error {
	o, err := c.begin(collective.Create, Blocking, of)
	if err != nil {
		return err
	}
	o.Named(op)
	o.Require(c.process.full(o.Op()))
	plan(o)
	return o.Do(c.ctx)
}

// terms of Merge: which groups want to be first and which do not.
const (
	firstLow = 1 << iota
	firstHigh
	secondLow
	secondHigh
)

// Merge returns a communicator of both groups. Those that say high come behind the others.
func (c *View) Merge(high bool) (*Comm, error) {
	const op = "mpi.Merge"
	if err := c.usable(op); err != nil {
		return nil, err
	}
	if !c.Inter() {
		return nil, mpierr.Invalid(op, rpi.ErrComm, "%s is no intercommunicator", c.title())
	}
	o, err := c.begin(collective.Dup, Blocking, contextType)
	if err != nil {
		return nil, err
	}
	o.Named(op)
	o.Require(c.process.full(o.Op()))
	var words [2]uint64 // the context, and what the groups want
	words[1] = firstLow
	if c.near[0] != 0 {
		words[1] = secondLow
	}
	if high {
		words[1] <<= 1
	}
	if c.ranks().Me == 0 {
		words[0] = uint64(c.process.newContext())
	}
	c.collect(o, bytesOf(&words))
	if err := o.Do(c.ctx); err != nil {
		return nil, err
	}
	wishes := words[1]
	if wishes&(firstLow|firstHigh) == firstLow|firstHigh || wishes&(secondLow|secondHigh) == secondLow|secondHigh {
		return nil, mpierr.Invalid(op, rpi.ErrArg, "the ranks of a group pass different values of high")
	}
	all := c.union
	if wishes == firstHigh|secondLow {
		n := int(max(c.near[0], c.far[0])) // the size of the first group
		all = group.Of(append(append([]matching.Rank(nil), all.Members()[n:]...), all.Members()[:n]...))
	}
	return newComm(c.process, matching.Context(words[0]), all).inherit(c.Comm), nil
}
