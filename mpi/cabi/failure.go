package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"math"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

// User-level failure mitigation (ULFM), which is not in the standard: the names are those of MPICH and Open MPI. docs/failures.md says
// what the functions do.

//export sctpmpi_Comm_revoke
func sctpmpi_Comm_revoke(comm C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	return fail(c, c.Revoke())
}

//export sctpmpi_Comm_is_revoked
func sctpmpi_Comm_is_revoked(comm C.uintptr_t, flag *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	*flag = truth(c.Revoked())
	return 0
}

//export sctpmpi_Comm_shrink
func sctpmpi_Comm_shrink(comm C.uintptr_t, newcomm *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	if err := placed(newcomm, commNull, nil); err != nil {
		return fail(c, err)
	}
	made, err := c.Shrink()
	return c.giveComm(newcomm, made, err)
}

//export sctpmpi_Comm_ishrink
func sctpmpi_Comm_ishrink(comm C.uintptr_t, newcomm, request *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	if err := placed(newcomm, commNull, nil); err != nil {
		return fail(c, err)
	}
	h, err := reserveRequest()
	if err != nil {
		return fail(c, err)
	}
	made, r, err := c.IShrink()
	code := c.giveComm(newcomm, made, err)
	if code != 0 {
		requests.GiveBack(h)
		return code
	}
	return giveReserved(c, request, h, r, nil)
}

// flagsOf are the flags of an agreement, of which C has 32.
func flagsOf(flag C.int) uint64 { return uint64(uint32(flag)) }

//export sctpmpi_Comm_agree
func sctpmpi_Comm_agree(comm C.uintptr_t, flag *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	all, err := c.Agree(flagsOf(*flag))
	*flag = C.int(int32(all)) // with an error that is about deaths it is the result too
	return fail(c, err)
}

//export sctpmpi_Comm_iagree
func sctpmpi_Comm_iagree(comm C.uintptr_t, flag *C.int, request *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	return c.giveRequest(request, func() (*core.Request, error) {
		return c.IAgreeThen(flagsOf(*flag), func(all uint64) { *flag = C.int(int32(all)) })
	})
}

//export sctpmpi_Comm_get_failed
func sctpmpi_Comm_get_failed(comm C.uintptr_t, failed *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	g, err := c.GetFailed("MPIX_Comm_get_failed")
	return giveGroup(c, failed, g, nil, err)
}

// MPIX_Comm_get_suspected is of this library alone: what its transports know before a rank counts as dead.
//
//export sctpmpi_Comm_get_suspected
func sctpmpi_Comm_get_suspected(comm C.uintptr_t, suspected *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	g, err := c.GetSuspected("MPIX_Comm_get_suspected")
	return giveGroup(c, suspected, g, nil, err)
}

//export sctpmpi_Comm_ack_failed
func sctpmpi_Comm_ack_failed(comm C.uintptr_t, n C.int, acked *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	all, err := c.AckFailed("MPIX_Comm_ack_failed", int(n))
	if err == nil {
		*acked = C.int(all)
	}
	return fail(c, err)
}

//export sctpmpi_Comm_failure_ack
func sctpmpi_Comm_failure_ack(comm C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	_, err = c.AckFailed("MPIX_Comm_failure_ack", math.MaxInt)
	return fail(c, err)
}

//export sctpmpi_Comm_failure_get_acked
func sctpmpi_Comm_failure_get_acked(comm C.uintptr_t, failed *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	g, err := c.GetAcked("MPIX_Comm_failure_get_acked")
	return giveGroup(c, failed, g, nil, err)
}
