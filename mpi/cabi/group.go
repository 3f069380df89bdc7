package main

// #include "sctpmpi.h"
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
)

var groups = handle.NewTable[groupObject](handle.Group)

// groupObject is a group, and the session that it is from; nil if there is none.
type groupObject struct {
	*core.Group
	session *session
}

// emptyGroup is MPI_GROUP_EMPTY.
var emptyGroup groupObject

// groupOf is the group with a handle.
func groupOf(h C.uintptr_t) (*groupObject, error) {
	if h == groupEmpty {
		return &emptyGroup, nil
	}
	if g := groups.Get(handle.Handle(h)); g != nil {
		return g, nil
	}
	if h == groupNull {
		return nil, faultf(errGroup, "the group is MPI_GROUP_NULL")
	}
	return nil, noHandle(errGroup, handle.Group, uintptr(h), "group", "freed")
}

// giveGroup passes a new group to the program. of is the object whose error handler counts.
func giveGroup(of owner, to *C.uintptr_t, g *core.Group, err error) C.int {
	return giveGroupObject(of, to, &groupObject{Group: g}, err)
}

// giveGroupObject is giveGroup for groups from sessions.
func giveGroupObject(of owner, to *C.uintptr_t, g *groupObject, err error) C.int {
	if err != nil {
		return fail(of, err)
	}
	if g.Size() == 0 {
		*to = groupEmpty
		return 0
	}
	h := groups.Add(g)
	if h == 0 {
		return fail(of, tooMany("groups"))
	}
	*to = C.uintptr_t(h)
	return 0
}

func mpiCommGroup(c *comm) *core.Group { return c.Group() }

func mpiCommRemoteGroup(c *comm) (*core.Group, error) {
	if err := c.needsInter(); err != nil {
		return nil, err
	}
	return c.RemoteGroup(), nil
}

func mpiGroupFree(h *C.uintptr_t) error {
	if *h != groupEmpty && groups.Remove(handle.Handle(*h)) == nil {
		_, err := groupOf(*h)
		return err
	}
	*h = groupNull
	return nil
}

func mpiGroupSize(g *groupObject) int         { return g.Size() }
func mpiGroupRank(g *groupObject) C.int       { return rankFor(g.Rank()) }
func mpiGroupCompare(g, h *groupObject) C.int { return comparisons[g.Compare(h.Group)] }

// combined is a group of two others, and from the session of one.
func combined(g, h *groupObject, made *core.Group) *groupObject {
	from := g.session
	if from == nil {
		from = h.session
	}
	return &groupObject{made, from}
}

func mpiGroupUnion(g, h *groupObject) *groupObject { return combined(g, h, g.Union(h.Group)) }
func mpiGroupIntersection(g, h *groupObject) *groupObject {
	return combined(g, h, g.Intersection(h.Group))
}
func mpiGroupDifference(g, h *groupObject) *groupObject { return combined(g, h, g.Difference(h.Group)) }

// chosen is a group of some ranks of another.
func chosen(g *groupObject, made *core.Group, err error) (*groupObject, error) {
	return &groupObject{made, g.session}, err
}

func mpiGroupIncl(g *groupObject, ranks []int) (*groupObject, error) {
	made, err := g.Include(ranks)
	return chosen(g, made, err)
}

func mpiGroupExcl(g *groupObject, ranks []int) (*groupObject, error) {
	made, err := g.Exclude(ranks)
	return chosen(g, made, err)
}

func mpiGroupRangeIncl(g *groupObject, ranges []group.Range) (*groupObject, error) {
	made, err := g.IncludeRanges(ranges)
	return chosen(g, made, err)
}

func mpiGroupRangeExcl(g *groupObject, ranges []group.Range) (*groupObject, error) {
	made, err := g.ExcludeRanges(ranges)
	return chosen(g, made, err)
}

// rangesAt are ranges of ranks, three ints each.
func rangesAt(array *C.int, n C.int) ([]group.Range, error) {
	if n < 0 || n > 0 && array == nil {
		return nil, faultf(errArg, "an array of %d ranges", int(n))
	}
	list := make([]group.Range, n)
	for i, r := range unsafe.Slice((*[3]C.int)(unsafe.Pointer(array)), n) {
		list[i] = group.Range{First: int(r[0]), Last: int(r[1]), Stride: int(r[2])}
	}
	return list, nil
}

func mpiGroupTranslateRanks(g *groupObject, list []int, h *groupObject, to *C.int) error {
	for i := range list {
		list[i] = rankOf(C.int(list[i]))
	}
	list, err := g.Translate(list, h.Group)
	if err != nil {
		return err
	}
	if to == nil && len(list) > 0 {
		return errNoPlace
	}
	for i, rank := range list {
		unsafe.Slice(to, len(list))[i] = rankFor(rank)
	}
	return nil
}
