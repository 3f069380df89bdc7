package core

import (
	"reflect"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// The leaders of two groups that make an intercommunicator first exchange proposals, and then their groups, by messages that the
// program does not see. Each waits for the other. So one that fails, whatever the reason, still sends a proposal, which says so, and
// has a receive take that of the other.

// proposal is what the leaders of two groups tell each other, and then their groups.
type proposal struct {
	Context matching.Context
	Size    uint64 // of the group
	Leader  uint64 // rank in the job
	Failed  uint64 // the class of an error, 0 if there is none
}

var (
	proposalType = datatype.OfGo(reflect.TypeFor[proposal]())
	rankType     = Basic(datatype.Int32)
)

// trade exchanges proposals and groups with the leader of the other group, a rank of c.
func (c *View) trade(op string, mine proposal, near *group.Group, leader, tag int) (theirs proposal, members []matching.Rank, err error) {
	with, err := c.counterpart(op, leader, tag)
	if err != nil {
		return theirs, nil, err
	}
	failed := proposal{Failed: uint64(rpi.ErrCancelled)}
	if _, err := c.swap(op, with, tag, proposals(&mine), proposals(&theirs), proposals(&failed)); err != nil {
		return theirs, nil, err
	}
	switch {
	case theirs.Failed != 0:
		return theirs, nil, mpierr.Invalid(op, rpi.Class(theirs.Failed), "it failed on the leader of the other group, %s: %v", c.name(with), rpi.Class(theirs.Failed))
	case theirs.Size == 0 || theirs.Size > uint64(c.process.size):
		return theirs, nil, mpierr.Invalid(op, rpi.ErrIntern, "a group of %d in a job of %d", theirs.Size, c.process.size)
	}
	members = make([]matching.Rank, theirs.Size)
	got, err := c.swap(op, with, tag, Of(rankType, near.Members()), Of(rankType, members), Of(rankType, []matching.Rank{}))
	if err == nil && got.Count < len(members) {
		err = mpierr.Invalid(op, rpi.ErrCancelled, "it failed on the leader of the other group, %s: %v", c.name(with), rpi.ErrCancelled)
	}
	return theirs, members, err
}

func proposals(p *proposal) Buffer { return Of(proposalType, unsafe.Slice(p, 1)) }

// counterpart is the leader of the other group, a rank of c.
func (c *View) counterpart(op string, leader, tag int) (matching.Rank, error) {
	if err := c.usable(op); err != nil {
		return 0, err
	}
	if leader < 0 || leader >= c.peers.Size() {
		return 0, mpierr.Invalid(op, rpi.ErrRank, "the remote leader %d is not in a communicator of %s", leader, mpierr.Plural(c.peers.Size(), "rank"))
	}
	if tag < 0 || tag > MaxTag {
		return 0, mpierr.Invalid(op, rpi.ErrTag, "tag %d is not between 0 and %d", tag, MaxTag)
	}
	with := c.peers.Member(leader)
	if int(with) == c.process.rank {
		return 0, mpierr.Invalid(op, rpi.ErrRank, "the remote leader %d is this process", leader)
	}
	return with, nil
}

// refuse tells the leader of the other group, if it can be told, that this one has failed because of err before the trade.
func (c *View) refuse(op string, leader, tag int, err error) {
	with, unknown := c.counterpart(op, leader, tag)
	if unknown != nil {
		return
	}
	c.leaveTo(rpi.OpSend, with, tag, proposals(&proposal{Failed: uint64(mpierr.ClassOf(err))}))
	c.leaveTo(rpi.OpRecv, with, tag, proposals(new(proposal)))
}

// swap sends a buffer to a process that sends one to this one, and waits for both. If it is given up the process gets another
// message instead, unless it has got the first one.
func (c *View) swap(op string, with matching.Rank, tag int, out, in, instead Buffer) (Status, error) {
	send, recv := c.unseen(rpi.OpSend, with, tag, out), c.unseen(rpi.OpRecv, with, tag, in)
	defer recycle(send)
	defer recycle(recv)
	if err := c.expired(op, recv); err != nil {
		c.leaveTo(rpi.OpSend, with, tag, instead)
		c.leaveTo(rpi.OpRecv, with, tag, in)
		return EmptyStatus, err
	}
	c.start(recv)
	c.start(send)
	_, err := c.outcome(op, send, c.finish(send))
	if send.Status.Cancelled {
		c.leaveTo(rpi.OpSend, with, tag, instead)
	}
	status, failure := c.outcome(op, recv, c.finish(recv))
	if recv.Status.Cancelled {
		c.leaveTo(rpi.OpRecv, with, tag, in)
	}
	if err == nil {
		err = failure
	}
	return status, err
}
