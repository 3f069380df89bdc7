package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// Scan combines, for each rank, the vectors of the ranks up to and including
// it, in their order, into its recv (MPI_SCAN; MPI 4.1, section 6.11.1). All
// ranks pass a send of the same length, and a recv of that length too, which
// may be the same slice. Collective.
func Scan[T any](c *Comm, send, recv []T, op Op[T]) error {
	return blocking(c.core().Scan(core.Blocking, view(send), view(recv), reduction(op)))
}

// Exscan is Scan of the ranks before this one (MPI_EXSCAN; section 6.11.2).
// The recv of rank 0 is left as it is.
func Exscan[T any](c *Comm, send, recv []T, op Op[T]) error {
	return blocking(c.core().Exscan(core.Blocking, view(send), view(recv), reduction(op)))
}
