package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// ReduceScatterBlock combines the vectors of all ranks with op, as Allreduce does, and gives each rank its part of the
// result in recv (MPI_REDUCE_SCATTER_BLOCK; MPI 4.1, section 6.10.1). send has Size times the length of recv, which
// may be this rank's own part of it. Collective.
func ReduceScatterBlock[T any](c *Comm, send, recv []T, op Op[T]) error {
	return blocking(c.core().ReduceScatterBlock(core.Blocking, view(send), view(recv), reduction(op)))
}

// ReduceScatter is ReduceScatterBlock of parts of different lengths: counts, the same on all ranks, has the length of
// each rank's (MPI_REDUCE_SCATTER; section 6.10.2). Collective.
func ReduceScatter[T any](c *Comm, send, recv []T, counts []int, op Op[T]) error {
	return blocking(c.core().ReduceScatter(core.Blocking, view(send), view(recv), counts, reduction(op)))
}
