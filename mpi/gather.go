package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// Gather puts the vectors of all ranks, which have the same length, one after
// the other into root's recv, in the order of ranks (MPI_GATHER; MPI 4.1,
// section 6.5). At root, recv has Size times the length of send, and send may
// be root's own part of it; at other ranks it is not used. Collective.
func Gather[T any](c *Comm, send, recv []T, root int) error {
	return blocking(c.core().Gather(core.Blocking, view(send), view(recv), root))
}
