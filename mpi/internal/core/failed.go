package core

import (
	"github.com/sctpmpi/sctpmpi/internal/hang"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// GetFailed is the group of those processes of the communicator that this process knows to be dead, in the order in which it has
// learned of them.
func (c *View) GetFailed(op string) (*Group, error) {
	if err := c.usable(op); err != nil {
		return nil, err
	}
	return &Group{c.process, group.Of(c.failures.Failed())}, nil
}

// GetAcked is the group of those of GetFailed whose death has been acknowledged.
func (c *View) GetAcked(op string) (*Group, error) {
	if err := c.usable(op); err != nil {
		return nil, err
	}
	return &Group{c.process, group.Of(c.failures.Acked())}, nil
}

// AckFailed acknowledges the first n of GetFailed, all of them if n is larger, and returns how many are acknowledged now.
func (c *View) AckFailed(op string, n int) (acked int, err error) {
	if err := c.usable(op); err != nil {
		return 0, err
	}
	if n < 0 {
		return 0, mpierr.Invalid(op, rpi.ErrArg, "%d failures are to be acknowledged", n)
	}
	return c.failures.Ack(n), nil
}

// suspected are the processes of the job that this one suspects to be dead, by rank.
func (p *process) suspected() []matching.Rank {
	if w, ok := bare(p.transport).(rpi.Watchful); ok {
		return w.Suspected()
	}
	return nil
}

// GetSuspected is the group of those processes of the communicator that this process suspects to be dead, by their rank in the job.
func (c *View) GetSuspected(op string) (*Group, error) {
	if err := c.usable(op); err != nil {
		return nil, err
	}
	var members []matching.Rank
	for _, peer := range c.process.suspected() {
		if c.group.Has(peer) || c.peers.Has(peer) {
			members = append(members, peer)
		}
	}
	return &Group{c.process, group.Of(members)}, nil
}

// numbers words ranks of the job.
func numbers(ranks []matching.Rank) string {
	list := make([]int, len(ranks))
	for i, rank := range ranks {
		list[i] = int(rank)
	}
	word := "rank "
	if len(list) > 1 {
		word = "ranks "
	}
	return word + hang.List(list) + " of the job"
}
