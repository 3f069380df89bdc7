package main

// #include "sctpmpi.h"
import "C"

import (
	"math"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

// User-level failure mitigation (ULFM), which is not in the standard: the names are those of MPICH and Open MPI. docs/failures.md says
// what the functions do.

func mpiCommRevoke(c *comm) error   { return c.Revoke() }
func mpiCommIsRevoked(c *comm) bool { return c.Revoked() }

func mpiCommShrink(c *comm, newcomm *C.uintptr_t) C.int {
	if err := placed(newcomm, commNull, nil); err != nil {
		return fail(c, err)
	}
	made, err := c.Shrink()
	return c.giveComm(newcomm, made, err)
}

func mpiCommIshrink(c *comm, newcomm, request *C.uintptr_t) C.int {
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

func mpiCommAgree(c *comm, flag *C.int) error {
	all, err := c.Agree(flagsOf(*flag))
	*flag = C.int(int32(all)) // with an error that is about deaths it is the result too
	return err
}

func mpiCommIagree(c *comm, flag *C.int) (*core.Request, error) {
	return c.IAgreeThen(flagsOf(*flag), func(all uint64) { *flag = C.int(int32(all)) })
}

func mpiCommGetFailed(c *comm) (*core.Group, error) { return c.GetFailed("MPIX_Comm_get_failed") }

// MPIX_Comm_get_suspected is of this library alone: what its transports know before a rank counts as dead.
func mpiCommGetSuspected(c *comm) (*core.Group, error) {
	return c.GetSuspected("MPIX_Comm_get_suspected")
}
func mpiCommAckFailed(c *comm, n int) (int, error) { return c.AckFailed("MPIX_Comm_ack_failed", n) }

func mpiCommFailureAck(c *comm) error {
	_, err := c.AckFailed("MPIX_Comm_failure_ack", math.MaxInt)
	return err
}

func mpiCommFailureGetAcked(c *comm) (*core.Group, error) {
	return c.GetAcked("MPIX_Comm_failure_get_acked")
}
