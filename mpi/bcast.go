package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// Bcast sends root's buf to all ranks, whose buf must have the same length
// (MPI_BCAST; MPI 4.1, section 6.4). Collective.
func Bcast[T any](c *Comm, buf []T, root int) error {
	return blocking(c.core().Bcast(core.Blocking, view(buf), root))
}
