// Package group is the algebra of groups, which are ordered sets of processes (MPI 4.1, section 7.3). A group is a value:
// it never changes, so communicators share it. It names processes by their ranks in the job, and knows nothing else of
// them.
package group

import (
	"cmp"
	"slices"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
)

// Undefined is the rank of a process that is not in a group.
const Undefined = mpierr.NoRank

// Group is an ordered set of processes. The nil Group and the zero Group are empty (MPI_GROUP_EMPTY).
type Group struct {
	size int
	// members has the rank in the job of each. Nil: they are the first size processes of the job, in order, so that a
	// communicator of all processes needs no memory for them.
	members []matching.Rank
	// sorted has the places of members, in the order of their ranks in the job. Nil: members are in that order.
	sorted []int32
}

// First is the group of the first n processes of the job.
func First(n int) *Group { return &Group{size: n} }

// Of is the group of these processes, which differ from each other. It keeps the slice.
func Of(members []matching.Rank) *Group {
	g := &Group{size: len(members)}
	ascending, first := true, true
	for i, m := range members {
		first = first && int(m) == i
		ascending = ascending && (i == 0 || members[i-1] < m)
	}
	if first {
		return g
	}
	g.members = members
	if !ascending {
		g.sorted = make([]int32, len(members))
		for i := range g.sorted {
			g.sorted[i] = int32(i)
		}
		slices.SortFunc(g.sorted, func(a, b int32) int { return cmp.Compare(members[a], members[b]) })
	}
	return g
}

// Size is the number of processes (MPI_GROUP_SIZE).
func (g *Group) Size() int {
	if g == nil {
		return 0
	}
	return g.size
}

// Member is the rank in the job of the process with a rank in the group, which must be one.
func (g *Group) Member(rank int) matching.Rank {
	if g.members == nil {
		return matching.Rank(rank)
	}
	return g.members[rank]
}

// Lookup is Member of any number, and whether it is a rank in the group.
func (g *Group) Lookup(rank int) (matching.Rank, bool) {
	switch {
	case g == nil || uint(rank) >= uint(g.size):
		return 0, false
	case g.members == nil:
		return matching.Rank(rank), true
	}
	return g.members[rank], true
}

// Members are the ranks in the job of all, in order. The caller does not change them.
func (g *Group) Members() []matching.Rank {
	if g.Size() == 0 || g.members != nil {
		return g.list()
	}
	all := make([]matching.Rank, g.size)
	for i := range all {
		all[i] = matching.Rank(i)
	}
	return all
}

func (g *Group) list() []matching.Rank {
	if g == nil {
		return nil
	}
	return g.members
}

// Rank is the rank in the group of the process with a rank in the job (MPI_GROUP_RANK); Undefined if it is not in it.
func (g *Group) Rank(job matching.Rank) int {
	if g != nil && g.members == nil && uint(job) < uint(g.size) { // most often; this much is inlined
		return int(job)
	}
	return g.search(job)
}

func (g *Group) search(job matching.Rank) int {
	switch {
	case g == nil || job < 0 || g.members == nil:
		return Undefined
	case g.sorted == nil:
		if i, found := slices.BinarySearch(g.members, job); found {
			return i
		}
		return Undefined
	}
	i, found := slices.BinarySearchFunc(g.sorted, job, func(place int32, job matching.Rank) int { return cmp.Compare(g.members[place], job) })
	if !found {
		return Undefined
	}
	return int(g.sorted[i])
}

// Has reports whether a process is in the group.
func (g *Group) Has(job matching.Rank) bool { return g.Rank(job) != Undefined }

// IsFirst reports whether the group is the first n processes of the job.
func (g *Group) IsFirst(n int) bool { return g.Size() == n && g.list() == nil }

// Comparison is how two groups compare.
type Comparison uint8

// The results of comparisons (MPI 4.1, sections 7.3.1 and 7.4.1). Congruent is for communicators only.
const (
	Identical Comparison = iota // the same processes in the same order
	Congruent                   // the same, but other contexts
	Similar                     // the same processes in another order
	Unequal
)

func (c Comparison) String() string {
	if int(c) >= len(comparisons) {
		return "unknown comparison"
	}
	return comparisons[c]
}

var comparisons = [...]string{"identical", "congruent", "similar", "unequal"}

// Compare compares two groups (MPI_GROUP_COMPARE).
func (g *Group) Compare(h *Group) Comparison {
	if g == h {
		return Identical
	}
	if g.Size() != h.Size() {
		return Unequal
	}
	result := Identical
	for i := range g.Size() {
		if m := g.Member(i); m != h.Member(i) {
			if !h.Has(m) {
				return Unequal
			}
			result = Similar
		}
	}
	return result
}
