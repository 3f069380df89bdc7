package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/info"
)

//export sctpmpi_Comm_rank
func sctpmpi_Comm_rank(comm C.uintptr_t, rank *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	*rank = C.int(c.Rank())
	return 0
}

//export sctpmpi_Comm_size
func sctpmpi_Comm_size(comm C.uintptr_t, size *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	*size = C.int(c.Size())
	return 0
}

//export sctpmpi_Comm_remote_size
func sctpmpi_Comm_remote_size(comm C.uintptr_t, size *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	if !c.Inter() {
		return fail(c, faultf(errComm, "the communicator is no intercommunicator"))
	}
	*size = C.int(c.RemoteSize())
	return 0
}

//export sctpmpi_Comm_test_inter
func sctpmpi_Comm_test_inter(comm C.uintptr_t, flag *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	*flag = truth(c.Inter())
	return 0
}

// comparisons are the constants for results of comparisons.
var comparisons = [...]C.int{group.Identical: 201, group.Congruent: 202, group.Similar: 203, group.Unequal: 204}

//export sctpmpi_Comm_compare
func sctpmpi_Comm_compare(comm1, comm2 C.uintptr_t, result *C.int) C.int {
	c, err := commOf(comm1)
	if err != nil {
		return fail(nil, err)
	}
	d, err := commOf(comm2)
	if err != nil {
		return fail(c, err)
	}
	r, err := c.Compare(&d.View)
	*result = comparisons[r]
	return fail(c, err)
}

//export sctpmpi_Comm_dup
func sctpmpi_Comm_dup(comm C.uintptr_t, newcomm *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	return c.construct(collective.Dup, newcomm, nil, c.Dup)
}

//export sctpmpi_Comm_dup_with_info
func sctpmpi_Comm_dup_with_info(comm, info C.uintptr_t, newcomm *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	hints, err := infoOf(info)
	return c.construct(collective.Dup, newcomm, err, func() (*core.Comm, error) { return c.DupWithInfo(hints) })
}

//export sctpmpi_Comm_idup
func sctpmpi_Comm_idup(comm C.uintptr_t, newcomm, request *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	return c.idup(nil, newcomm, request)
}

//export sctpmpi_Comm_idup_with_info
func sctpmpi_Comm_idup_with_info(comm, info C.uintptr_t, newcomm, request *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	hints, err := infoOf(info)
	if err != nil {
		return c.refuse(collective.Dup, core.Nonblocking, err)
	}
	return c.idup(hints.Dup(), newcomm, request) // nil would be those of the communicator
}

// idup is the end of the functions that duplicate a communicator without waiting. hints are nil for those of the communicator.
func (c *comm) idup(hints *info.Info, newcomm, request *C.uintptr_t) C.int {
	if err := placed(newcomm, commNull, nil); err != nil {
		return c.refuse(collective.Dup, core.Nonblocking, err)
	}
	h, err := reserveRequest()
	if err != nil {
		return c.refuse(collective.Dup, core.Nonblocking, err)
	}
	made, r, err := c.Idup(hints)
	code := c.giveComm(newcomm, made, err)
	if code != 0 {
		requests.GiveBack(h)
		return code
	}
	return giveReserved(c, request, h, r, nil)
}

//export sctpmpi_Comm_split
func sctpmpi_Comm_split(comm C.uintptr_t, color, key C.int, newcomm *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	of := int(color)
	switch color {
	case undefined:
		of = core.Undefined
	case core.Undefined:
		of = noRank
	}
	return c.construct(collective.Split, newcomm, nil, func() (*core.Comm, error) { return c.Split(of, int(key)) })
}

// splitKinds are the constants for kinds of MPI_Comm_split_type.
var splitKinds = map[C.int]core.SplitKind{
	undefined: core.Undefined, 221: core.SplitShared, 222: core.SplitHWUnguided, 223: core.SplitHWGuided, 224: core.SplitHWGuided,
}

//export sctpmpi_Comm_split_type
func sctpmpi_Comm_split_type(comm C.uintptr_t, splitType, key C.int, info C.uintptr_t, newcomm *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	hints, wrong := infoOf(info)
	kind, ok := splitKinds[splitType]
	if !ok && wrong == nil {
		wrong = faultf(errArg, "%d is no type of MPI_Comm_split_type", int(splitType))
	}
	if resource, _ := hints.Get("mpi_hw_resource_type"); resource == "mpi_shared_memory" && kind == core.SplitHWGuided {
		kind = core.SplitShared // MPI 4.1, section 7.4.2: the one resource that has a name in MPI
	}
	return c.construct(collective.Split, newcomm, wrong, func() (*core.Comm, error) { return c.SplitType(kind, int(key)) })
}

//export sctpmpi_Comm_create
func sctpmpi_Comm_create(comm, group C.uintptr_t, newcomm *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	g, err := groupOf(group)
	return c.construct(collective.Create, newcomm, err, func() (*core.Comm, error) { return c.Create(g.Group) })
}

//export sctpmpi_Comm_create_group
func sctpmpi_Comm_create_group(comm, group C.uintptr_t, tag C.int, newcomm *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	g, err := groupOf(group)
	if err := placed(newcomm, commNull, err); err != nil {
		return fail(c, err) // which ranks wait is not known, or by which tag
	}
	made, err := c.CreateGroup(g.Group, tagOf(tag))
	return c.giveComm(newcomm, made, err)
}

//export sctpmpi_Comm_free
func sctpmpi_Comm_free(comm *C.uintptr_t) C.int { return freeComm(comm) }

//export sctpmpi_Comm_disconnect
func sctpmpi_Comm_disconnect(comm *C.uintptr_t) C.int { return freeComm(comm) }

func freeComm(h *C.uintptr_t) C.int {
	c, err := commOf(*h)
	if err != nil {
		return fail(nil, err)
	}
	if err := c.Free(); err != nil {
		return fail(c, err)
	}
	c.forget()
	*h = commNull
	return 0
}

//export sctpmpi_Comm_set_name
func sctpmpi_Comm_set_name(comm C.uintptr_t, name *C.char) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	return fail(c, c.SetName(C.GoString(name)))
}

//export sctpmpi_Comm_get_name
func sctpmpi_Comm_get_name(comm C.uintptr_t, name *C.char, room C.int64_t, length *C.int) C.int {
	c, err := commOf(comm)
	if err != nil && comm != commNull {
		return fail(nil, err)
	}
	text := "MPI_COMM_NULL"
	if err == nil {
		text = c.Name()
	}
	*length = textTo(name, room, text)
	return 0
}

//export sctpmpi_Comm_set_info
func sctpmpi_Comm_set_info(comm, info C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	hints, err := infoOf(info)
	if err != nil {
		return c.refuse(collective.SetInfo, core.Blocking, err)
	}
	return fail(c, c.SetHints(hints))
}

//export sctpmpi_Comm_get_info
func sctpmpi_Comm_get_info(comm C.uintptr_t, info *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	hints, err := c.Hints()
	return giveInfo(c, info, hints, err)
}

//export sctpmpi_Intercomm_create
func sctpmpi_Intercomm_create(local C.uintptr_t, leader C.int, peer C.uintptr_t, remoteLeader, tag C.int, newcomm *C.uintptr_t) C.int {
	c, err := commOf(local)
	if err != nil {
		return fail(nil, err)
	}
	var between *core.View // only leaders pass it
	if c.Rank() == int(leader) {
		var p *comm
		if p, err = commOf(peer); err == nil {
			between = &p.View
		}
	}
	return c.construct(collective.Create, newcomm, err, func() (*core.Comm, error) {
		return c.CreateIntercomm(int(leader), between, int(remoteLeader), tagOf(tag))
	})
}

//export sctpmpi_Intercomm_merge
func sctpmpi_Intercomm_merge(comm C.uintptr_t, high C.int, newcomm *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	if !c.Inter() {
		return fail(c, faultf(errComm, "the communicator is no intercommunicator"))
	}
	return c.construct(collective.Dup, newcomm, nil, func() (*core.Comm, error) { return c.Merge(high != 0) })
}

//export sctpmpi_Comm_get_parent
func sctpmpi_Comm_get_parent(parent *C.uintptr_t) C.int {
	*parent = commNull // processes are not spawned
	return 0
}
