package main

/*
#include "sctpmpi.h"
*/
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
func giveGroup(of owner, to *C.uintptr_t, g *core.Group, from *session, err error) C.int {
	if err != nil {
		return fail(of, err)
	}
	if g.Size() == 0 {
		*to = groupEmpty
		return 0
	}
	h := groups.Add(&groupObject{g, from})
	if h == 0 {
		return fail(of, tooMany("groups"))
	}
	*to = C.uintptr_t(h)
	return 0
}

//export sctpmpi_Comm_group
func sctpmpi_Comm_group(comm C.uintptr_t, group *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	return giveGroup(c, group, c.Group(), nil, nil)
}

//export sctpmpi_Comm_remote_group
func sctpmpi_Comm_remote_group(comm C.uintptr_t, group *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	if !c.Inter() {
		return fail(c, faultf(errComm, "the communicator is no intercommunicator"))
	}
	return giveGroup(c, group, c.RemoteGroup(), nil, nil)
}

//export sctpmpi_Group_free
func sctpmpi_Group_free(group *C.uintptr_t) C.int {
	if *group != groupEmpty && groups.Remove(handle.Handle(*group)) == nil {
		_, err := groupOf(*group)
		return fail(nil, err)
	}
	*group = groupNull
	return 0
}

//export sctpmpi_Group_size
func sctpmpi_Group_size(group C.uintptr_t, size *C.int) C.int {
	g, err := groupOf(group)
	if err != nil {
		return fail(nil, err)
	}
	*size = C.int(g.Size())
	return 0
}

//export sctpmpi_Group_rank
func sctpmpi_Group_rank(group C.uintptr_t, rank *C.int) C.int {
	g, err := groupOf(group)
	if err != nil {
		return fail(nil, err)
	}
	*rank = rankFor(g.Rank())
	return 0
}

//export sctpmpi_Group_compare
func sctpmpi_Group_compare(group1, group2 C.uintptr_t, result *C.int) C.int {
	g, err := groupOf(group1)
	if err != nil {
		return fail(nil, err)
	}
	h, err := groupOf(group2)
	if err != nil {
		return fail(nil, err)
	}
	*result = comparisons[g.Compare(h.Group)]
	return 0
}

// combine makes a group of two.
func combine(group1, group2 C.uintptr_t, to *C.uintptr_t, how func(g, h *core.Group) *core.Group) C.int {
	g, err := groupOf(group1)
	if err != nil {
		return fail(nil, err)
	}
	h, err := groupOf(group2)
	if err != nil {
		return fail(nil, err)
	}
	from := g.session
	if from == nil {
		from = h.session
	}
	return giveGroup(nil, to, how(g.Group, h.Group), from, nil)
}

//export sctpmpi_Group_union
func sctpmpi_Group_union(group1, group2 C.uintptr_t, newgroup *C.uintptr_t) C.int {
	return combine(group1, group2, newgroup, (*core.Group).Union)
}

//export sctpmpi_Group_intersection
func sctpmpi_Group_intersection(group1, group2 C.uintptr_t, newgroup *C.uintptr_t) C.int {
	return combine(group1, group2, newgroup, (*core.Group).Intersection)
}

//export sctpmpi_Group_difference
func sctpmpi_Group_difference(group1, group2 C.uintptr_t, newgroup *C.uintptr_t) C.int {
	return combine(group1, group2, newgroup, (*core.Group).Difference)
}

// choose makes a group of another by an array of n elements, which read copies.
func choose[T any](h C.uintptr_t, n C.int, array *C.int, to *C.uintptr_t, read func(array *C.int, n C.int) ([]T, error), how func(g *core.Group, list []T) (*core.Group, error)) C.int {
	g, err := groupOf(h)
	if err != nil {
		return fail(nil, err)
	}
	list, err := read(array, n)
	if err != nil {
		return fail(nil, err)
	}
	chosen, err := how(g.Group, list)
	return giveGroup(nil, to, chosen, g.session, err)
}

//export sctpmpi_Group_incl
func sctpmpi_Group_incl(group C.uintptr_t, n C.int, ranks *C.int, newgroup *C.uintptr_t) C.int {
	return choose(group, n, ranks, newgroup, intsAt, (*core.Group).Include)
}

//export sctpmpi_Group_excl
func sctpmpi_Group_excl(group C.uintptr_t, n C.int, ranks *C.int, newgroup *C.uintptr_t) C.int {
	return choose(group, n, ranks, newgroup, intsAt, (*core.Group).Exclude)
}

//export sctpmpi_Group_range_incl
func sctpmpi_Group_range_incl(group C.uintptr_t, n C.int, ranges *C.int, newgroup *C.uintptr_t) C.int {
	return choose(group, n, ranges, newgroup, rangesAt, (*core.Group).IncludeRanges)
}

//export sctpmpi_Group_range_excl
func sctpmpi_Group_range_excl(group C.uintptr_t, n C.int, ranges *C.int, newgroup *C.uintptr_t) C.int {
	return choose(group, n, ranges, newgroup, rangesAt, (*core.Group).ExcludeRanges)
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

//export sctpmpi_Group_translate_ranks
func sctpmpi_Group_translate_ranks(group1 C.uintptr_t, n C.int, ranks1 *C.int, group2 C.uintptr_t, ranks2 *C.int) C.int {
	g, err := groupOf(group1)
	if err != nil {
		return fail(nil, err)
	}
	h, err := groupOf(group2)
	if err != nil {
		return fail(nil, err)
	}
	list, err := intsAt(ranks1, n)
	if err != nil {
		return fail(nil, err)
	}
	for i := range list {
		list[i] = rankOf(C.int(list[i]))
	}
	if list, err = g.Translate(list, h.Group); err != nil {
		return fail(nil, err)
	}
	if ranks2 == nil && n > 0 {
		return fail(nil, errNoPlace)
	}
	for i, rank := range list {
		unsafe.Slice(ranks2, n)[i] = rankFor(rank)
	}
	return 0
}
