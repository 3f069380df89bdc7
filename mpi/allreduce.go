package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// Allreduce combines the vectors of all ranks with op, in the order of ranks,
// and gives every rank the result in recv (MPI_ALLREDUCE; MPI 4.1, section
// 6.9.6). All ranks pass a send of the same length, and a recv of that length
// too, which may be the same slice (MPI_IN_PLACE). All get the same result to
// the bit. Collective.
func Allreduce[T any](c *Comm, send, recv []T, op Op[T]) error {
	return blocking(c.core().Allreduce(core.Blocking, view(send), view(recv), reduction(op)))
}
