package core

import (
	"sync"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

// levels are the ranks of a communicator by hosts, as algorithms of two levels see them. They are found at the first
// collective operation.
type levels struct {
	once  sync.Once
	hosts *schedule.Hosts // nil if one level is better, or the hosts are not known
}

// hosts returns the number of each rank's host, equal on all ranks; nil if the launcher has not said it. It is not to
// be changed.
func (c *Comm) hosts() []int32 {
	all := c.process.hosts
	if all == nil || c.group.IsFirst(len(all)) {
		return all
	}
	hosts := make([]int32, c.group.Size())
	for rank := range hosts {
		hosts[rank] = all[c.group.Member(rank)]
	}
	return hosts
}

// ranks are the ranks of the communicator, as algorithms see them: of both groups if there are two.
func (c *Comm) ranks() schedule.Ranks {
	if c.union != nil {
		return schedule.Ranks{Me: int(c.near[c.rank]), Size: c.union.Size()}
	}
	c.levels.once.Do(func() { c.levels.hosts = schedule.NewHosts(c.hosts(), c.rank) })
	return schedule.Ranks{Me: c.rank, Size: c.group.Size(), Hosts: c.levels.hosts}
}

// grouping are the properties of op, for which the grouping does not matter either if the user has said so.
func (c *Comm) grouping(op Op) schedule.Op {
	properties := op.Op
	properties.Exact = properties.Exact || c.process.regroups
	return properties
}
