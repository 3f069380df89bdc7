package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// Reduce combines the vectors of all ranks with op, in the order of ranks, and
// gives root the result in recv (MPI_REDUCE; MPI 4.1, section 6.9.1). All
// ranks pass a send of the same length; recv has that length too, may be the
// same slice, and is not used except at root. Collective.
func Reduce[T any](c *Comm, send, recv []T, op Op[T], root int) error {
	return blocking(c.core().Reduce(core.Blocking, view(send), view(recv), reduction(op), root))
}
