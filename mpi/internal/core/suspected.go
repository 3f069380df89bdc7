package core

import (
	"github.com/sctpmpi/sctpmpi/internal/hang"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// suspected are the processes of the job that this one suspects to be dead, by rank.
func (p *process) suspected() []matching.Rank {
	if w, ok := untraced(p.transport).(rpi.Watchful); ok {
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
