package core

import (
	"cmp"
	"reflect"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// The leaders of two groups that make an intercommunicator first exchange proposals, and then their groups, by messages that the
// program does not see. Each waits for the other. So each sends exactly two messages, and receives two, whatever fails. A leader that
// has failed sends, instead of what it has not sent yet, a proposal that says so and a group without members, and has receives take
// what it has not got of the other's. Thus the other leader hears of it, and the next call finds none of these messages.

// proposal is what the leaders of two groups tell each other, and then their groups.
type proposal struct {
	Context matching.Context
	Size    uint64 // of the group
	Leader  uint64 // rank in the job
	Failed  uint64 // see process.word
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
	_, err = c.swap(op, with, tag, proposals(&mine), proposals(&theirs), proposals(&failed))
	switch {
	case err != nil:
	case theirs.Failed != 0:
		err = c.toldBy(op, with, theirs.Failed)
	case theirs.Size == 0 || theirs.Size > uint64(c.process.size):
		err = mpierr.Invalid(op, rpi.ErrIntern, "a group of %d in a job of %d", theirs.Size, c.process.size)
	}
	if err != nil {
		c.leaveSwap(with, tag, noMembers)
		return theirs, nil, err
	}
	members = make([]matching.Rank, theirs.Size)
	got, err := c.swap(op, with, tag, Of(rankType, near.Members()), Of(rankType, members), noMembers)
	if err == nil && got.Count < len(members) {
		err = c.elsewhere(op, rpi.ErrCancelled, with, with)
	}
	return theirs, members, err
}

// noMembers is what a leader that has failed sends in place of its group.
var noMembers = Buffer{Type: rankType}

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
	c.leaveSwap(with, tag, proposals(&proposal{Failed: c.process.word(err)}))
	c.leaveSwap(with, tag, noMembers)
}

// swap sends a buffer to a process that sends one to this one, and waits for both. If it is given up the process gets another
// message instead, unless it has got the first one. in is not used any more afterwards.
func (c *View) swap(op string, with matching.Rank, tag int, out, in, instead Buffer) (Status, error) {
	send, recv := c.unseen(rpi.OpSend, with, tag, out), c.unseen(rpi.OpRecv, with, tag, in)
	defer recycle(send)
	defer recycle(recv)
	if err := c.expired(op, recv); err != nil {
		c.leaveSwap(with, tag, instead)
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
		c.leaveRecv(with, tag, in.Type)
	}
	return status, cmp.Or(err, failure)
}

// leaveSwap is a swap that nothing waits for. What comes is thrown away.
func (c *View) leaveSwap(with matching.Rank, tag int, instead Buffer) {
	c.leaveTo(rpi.OpSend, with, tag, instead)
	c.leaveRecv(with, tag, instead.Type)
}

// leaveRecv has a message thrown away: its receive has no memory, so that it ends with ErrTruncate, which nothing looks at.
func (c *View) leaveRecv(with matching.Rank, tag int, t *Type) {
	c.leaveTo(rpi.OpRecv, with, tag, Buffer{Type: t})
}
