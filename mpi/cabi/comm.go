package main

// #include "sctpmpi.h"
import "C"

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/info"
)

func mpiCommRank(c *comm) int                { return c.Rank() }
func mpiCommSize(c *comm) int                { return c.Size() }
func mpiCommRemoteSize(c *comm) (int, error) { return c.RemoteSize(), c.needsInter() }

// needsInter is the error of a communicator that is no intercommunicator.
func (c *comm) needsInter() error {
	if c.Inter() {
		return nil
	}
	return faultf(errComm, "the communicator is no intercommunicator")
}

func mpiCommTestInter(c *comm) bool { return c.Inter() }

// comparisons are the constants for results of comparisons.
var comparisons = [...]C.int{group.Identical: 201, group.Congruent: 202, group.Similar: 203, group.Unequal: 204}

func mpiCommCompare(c, d *comm) (C.int, error) {
	r, err := c.Compare(&d.View)
	return comparisons[r], err
}

func mpiCommDup(c *comm) (*core.Comm, error)                           { return c.Dup() }
func mpiCommDupWithInfo(c *comm, hints *info.Info) (*core.Comm, error) { return c.DupWithInfo(hints) }
func mpiCommIdup(c *comm, newcomm, request *C.uintptr_t) C.int         { return c.idup(nil, newcomm, request) }

func mpiCommIdupWithInfo(c *comm, info C.uintptr_t, newcomm, request *C.uintptr_t) C.int {
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

func mpiCommSplit(c *comm, color C.int, key int) (*core.Comm, error) {
	of := int(color)
	switch color {
	case undefined:
		of = core.Undefined
	case core.Undefined:
		of = noRank
	}
	return c.Split(of, key)
}

// splitKinds are the constants for kinds of MPI_Comm_split_type.
var splitKinds = map[C.int]core.SplitKind{
	undefined: core.Undefined, 221: core.SplitShared, 222: core.SplitHWUnguided, 223: core.SplitHWGuided, 224: core.SplitHWGuided,
}

func mpiCommSplitType(c *comm, splitType C.int, key int, hints *info.Info) (*core.Comm, error) {
	kind, ok := splitKinds[splitType]
	if !ok {
		return nil, faultf(errArg, "%d is no type of MPI_Comm_split_type", int(splitType))
	}
	if resource, _ := hints.Get("mpi_hw_resource_type"); resource == "mpi_shared_memory" && kind == core.SplitHWGuided {
		kind = core.SplitShared // MPI 4.1, section 7.4.2: the one resource that has a name in MPI
	}
	return c.SplitType(kind, key)
}

func mpiCommCreate(c *comm, g *groupObject) (*core.Comm, error) { return c.Create(g.Group) }

func mpiCommCreateGroup(c *comm, group C.uintptr_t, tag int, newcomm *C.uintptr_t) C.int {
	g, err := groupOf(group)
	if err := placed(newcomm, commNull, err); err != nil {
		return fail(c, err) // which ranks wait is not known, or by which tag
	}
	made, err := c.CreateGroup(g.Group, tag)
	return c.giveComm(newcomm, made, err)
}

func mpiCommFree(c *comm, h *C.uintptr_t) error {
	if err := c.Free(); err != nil {
		return err
	}
	c.forget()
	*h = commNull
	return nil
}

func mpiCommDisconnect(c *comm, h *C.uintptr_t) error { return mpiCommFree(c, h) }
func mpiCommSetName(c *comm, name string) error       { return c.SetName(name) }

func mpiCommGetName(h C.uintptr_t) (string, error) {
	if h == commNull {
		return "MPI_COMM_NULL", nil
	}
	c, err := commOf(h)
	if err != nil {
		return "", err
	}
	return c.Name(), nil
}

func mpiCommSetInfo(c *comm, hints *info.Info) error { return c.SetHints(hints) }
func mpiCommGetInfo(c *comm) (*info.Info, error)     { return c.Hints() }

func mpiIntercommCreate(c *comm, leader C.int, peer C.uintptr_t, remoteLeader C.int, tag int) (*core.Comm, error) {
	var between *core.View // only leaders pass it
	if c.Rank() == int(leader) {
		p, err := commOf(peer)
		if err != nil {
			return nil, err
		}
		between = &p.View
	}
	return c.CreateIntercomm(int(leader), between, int(remoteLeader), tag)
}

func mpiIntercommMerge(c *comm, high bool, newcomm *C.uintptr_t) C.int {
	if err := c.needsInter(); err != nil {
		return fail(c, err)
	}
	if err := placed(newcomm, commNull, nil); err != nil {
		return c.refuse(collective.Dup, core.Blocking, err)
	}
	made, err := c.Merge(high)
	return c.giveComm(newcomm, made, err)
}

func mpiCommGetParent() C.uintptr_t { return commNull } // processes are not spawned
