package core

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/failure"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Shrink returns a communicator of the processes that live, in the same order. All of them call it.
func (c *View) Shrink() (*Comm, error) {
	made, r, err := c.shrinking("mpi.Comm.Shrink")
	if err != nil {
		return nil, err
	}
	if _, err := r.Wait(c.ctx); err != nil {
		return nil, err
	}
	return made, nil
}

// IShrink is Shrink that does not wait. The communicator can be used when the request has completed.
func (c *View) IShrink() (*Comm, *Request, error) { return c.shrinking("mpi.Comm.IShrink") }

func (c *View) shrinking(op string) (*Comm, *Request, error) {
	if err := c.usable(op); err != nil {
		return nil, nil, err
	}
	if err := c.Intra(op); err != nil {
		return nil, nil, err
	}
	p := c.process
	room := uint64(1)
	if p.full(op) != nil {
		room = 0
	}
	made := makeComm(p, c.group).inherit(c.Comm)
	comm := c.Comm
	r := c.accord(op, failure.ForShrink, room, uint64(p.newContext()), func(a *failure.Agreement) error {
		if a.Result.Flags == 0 {
			return mpierr.Invalid(op, rpi.ErrOther, "a process has too many communicators: free some with Free")
		}
		living := comm.living(a.Result.Failed.Has)
		made.group, made.peers, made.rank = living, living, living.Rank(matching.Rank(p.rank))
		made.context = matching.Context(a.Result.Choice)
		made.open()
		return nil
	})
	return made, r, nil
}

// living is the group without the ranks that are dead.
func (c *Comm) living(dead func(rank int) bool) *group.Group {
	var members []matching.Rank
	for rank := range c.group.Size() {
		if !dead(rank) {
			members = append(members, c.group.Member(rank))
		}
	}
	return group.Of(members)
}
