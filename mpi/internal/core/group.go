package core

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
)

// Group is a group as this process sees it (MPI 4.1, section 7.3). Nil is the empty group.
type Group struct {
	process *process
	set     *group.Group
}

// Group is the group of the communicator's processes (MPI_COMM_GROUP); nil if c is the null communicator.
func (c *View) Group() *Group {
	if c.Null() {
		return nil
	}
	return &Group{c.process, c.group}
}

// members is what g consists of.
func (g *Group) members() *group.Group {
	if g == nil {
		return nil
	}
	return g.set
}

// of is the group of other processes of the same job.
func (g *Group) of(set *group.Group, err error) (*Group, error) {
	if err != nil {
		return nil, err
	}
	if g == nil {
		return &Group{set: set}, nil
	}
	return &Group{g.process, set}, nil
}

// Size is the number of processes.
func (g *Group) Size() int { return g.members().Size() }

// Rank is the rank of this process; Undefined if it is not in the group.
func (g *Group) Rank() int {
	if g == nil || g.process == nil {
		return Undefined
	}
	return g.set.Rank(matching.Rank(g.process.rank))
}

// Union is the processes of g, then those of h that are not in g.
func (g *Group) Union(h *Group) *Group { return g.with(h, g.members().Union(h.members())) }

// Intersection is the processes of g that are in h.
func (g *Group) Intersection(h *Group) *Group {
	return g.with(h, g.members().Intersection(h.members()))
}

// Difference is the processes of g that are not in h.
func (g *Group) Difference(h *Group) *Group { return g.with(h, g.members().Difference(h.members())) }

// with is a group made of g and h.
func (g *Group) with(h *Group, set *group.Group) *Group {
	if g == nil || g.process == nil {
		g = h
	}
	made, _ := g.of(set, nil)
	return made
}

// Include is the processes with these ranks, in this order.
func (g *Group) Include(ranks []int) (*Group, error) {
	return g.of(g.members().Include("mpi.Group.Include", ranks))
}

// Exclude is the processes without those with these ranks.
func (g *Group) Exclude(ranks []int) (*Group, error) {
	return g.of(g.members().Exclude("mpi.Group.Exclude", ranks))
}

// IncludeRanges is Include of the ranks of all ranges.
func (g *Group) IncludeRanges(ranges []group.Range) (*Group, error) {
	return g.of(g.members().IncludeRanges("mpi.Group.IncludeRanges", ranges))
}

// ExcludeRanges is Exclude of the ranks of all ranges.
func (g *Group) ExcludeRanges(ranges []group.Range) (*Group, error) {
	return g.of(g.members().ExcludeRanges("mpi.Group.ExcludeRanges", ranges))
}

// Translate returns the ranks in h of processes with these ranks in g.
func (g *Group) Translate(ranks []int, h *Group) ([]int, error) {
	return g.members().Translate("mpi.Group.Translate", ranks, h.members(), ProcNull)
}

// Compare compares two groups.
func (g *Group) Compare(h *Group) group.Comparison { return g.members().Compare(h.members()) }

// jobRank translates a rank of the communicator, which may be AnySource or ProcNull.
func (c *Comm) jobRank(rank int) matching.Rank {
	if rank < 0 {
		return matching.Rank(rank)
	}
	return c.peers.Member(rank)
}

// rankOf translates a rank of the job, which may be negative as in jobRank.
func (c *Comm) rankOf(job matching.Rank) int {
	if job < 0 {
		return int(job)
	}
	return c.peers.Rank(job)
}
