package mpi

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
)

// Group is an ordered set of processes (MPI 4.1, section 7.3). It is a value: its methods return new groups and change none,
// send nothing, and may be called at any time. A group need not be freed. The nil Group is the empty one
// (MPI_GROUP_EMPTY). Get the first from Comm.Group; Comm.Create and Comm.CreateGroup make a communicator of one.
type Group struct{ group core.Group }

func (g *Group) core() *core.Group { return (*core.Group)(unsafe.Pointer(g)) }

func newGroup(g *core.Group) *Group { return (*Group)(unsafe.Pointer(g)) }

func groupOr(g *core.Group, err error) (*Group, error) { return newGroup(g), public(err) }

// Group is the group of the communicator's processes (MPI_COMM_GROUP; MPI 4.1, section 7.3.2).
func (c *Comm) Group() *Group { return newGroup(c.core().Group()) }

// Size is the number of processes (MPI_GROUP_SIZE; section 7.3.1).
func (g *Group) Size() int { return g.core().Size() }

// Rank is the rank of this process in the group (MPI_GROUP_RANK; section 7.3.1); Undefined if it is not in it.
func (g *Group) Rank() int { return g.core().Rank() }

// Translate returns the ranks in h of the processes that have these ranks in g, Undefined for those that are not in h
// (MPI_GROUP_TRANSLATE_RANKS; section 7.3.1). ProcNull stays ProcNull. ErrRank: a rank is not in g.
func (g *Group) Translate(ranks []int, h *Group) ([]int, error) {
	return valueOr(g.core().Translate(ranks, h.core()))
}

// Compare tells whether two groups are Identical, Similar or Unequal (MPI_GROUP_COMPARE; section 7.3.1).
func (g *Group) Compare(h *Group) Comparison { return Comparison(g.core().Compare(h.core())) }

// Union is the processes of g, in its order, then those of h that are not in g, in its order (MPI_GROUP_UNION;
// section 7.3.2).
func (g *Group) Union(h *Group) *Group { return newGroup(g.core().Union(h.core())) }

// Intersection is the processes of g that are in h too, in the order of g (MPI_GROUP_INTERSECTION; section 7.3.2).
func (g *Group) Intersection(h *Group) *Group { return newGroup(g.core().Intersection(h.core())) }

// Difference is the processes of g that are not in h, in the order of g (MPI_GROUP_DIFFERENCE; section 7.3.2).
func (g *Group) Difference(h *Group) *Group { return newGroup(g.core().Difference(h.core())) }

// Include is the processes with these ranks, in this order (MPI_GROUP_INCL; section 7.3.2). ErrRank: a rank is not in g, or
// named twice.
func (g *Group) Include(ranks ...int) (*Group, error) { return groupOr(g.core().Include(ranks)) }

// Exclude is the processes of g without those with these ranks (MPI_GROUP_EXCL; section 7.3.2). ErrRank: a rank is not in g,
// or named twice.
func (g *Group) Exclude(ranks ...int) (*Group, error) { return groupOr(g.core().Exclude(ranks)) }

// Range stands for the ranks First, First+Stride, First+2·Stride and so on, up to Last. The stride may be negative, not 0.
type Range struct{ First, Last, Stride int }

// IncludeRanges is Include of the ranks of all ranges, one after the other (MPI_GROUP_RANGE_INCL; section 7.3.2). ErrArg:
// a stride is 0 or leads away from Last.
func (g *Group) IncludeRanges(ranges ...Range) (*Group, error) {
	return groupOr(g.core().IncludeRanges(coreRanges(ranges)))
}

// ExcludeRanges is Exclude of the ranks of all ranges (MPI_GROUP_RANGE_EXCL; section 7.3.2).
func (g *Group) ExcludeRanges(ranges ...Range) (*Group, error) {
	return groupOr(g.core().ExcludeRanges(coreRanges(ranges)))
}

func coreRanges(r []Range) []group.Range { return *(*[]group.Range)(unsafe.Pointer(&r)) }

// Comparison is how two groups or communicators compare.
type Comparison uint8

// The results of comparisons (MPI 4.1, sections 7.3.1 and 7.4.1).
const (
	// Identical: groups of the same processes in the same order; one and the same communicator.
	Identical = Comparison(group.Identical)
	// Congruent: two communicators of identical groups.
	Congruent = Comparison(group.Congruent)
	// Similar: the same processes in another order.
	Similar = Comparison(group.Similar)
	// Unequal: other processes.
	Unequal = Comparison(group.Unequal)
)

func (c Comparison) String() string { return group.Comparison(c).String() }
