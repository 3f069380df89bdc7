package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// Alltoall sends part i of each rank's send to rank i, which puts it at the
// sender's place in recv (MPI_ALLTOALL; MPI 4.1, section 6.8). Both buffers
// have the same length, a multiple of Size, on all ranks. They must not
// overlap, or be the same on all ranks (MPI_IN_PLACE). Collective.
func Alltoall[T any](c *Comm, send, recv []T) error {
	return blocking(c.core().Alltoall(core.Blocking, view(send), view(recv)))
}

// Alltoallv is Alltoall of parts of different lengths: the layouts say where
// the part for each rank is in send, and where that from each rank goes in
// recv (MPI_ALLTOALLV; section 6.8). What rank i sends to rank j must have the
// length that j expects from i. The buffers must not overlap, or be the same
// on all ranks, with the same layout (MPI_IN_PLACE). Collective.
func Alltoallv[T any](c *Comm, send []T, sendLayout Layout, recv []T, recvLayout Layout) error {
	return blocking(c.core().Alltoallv(core.Blocking, view(send), core.Layout(sendLayout), view(recv), core.Layout(recvLayout)))
}
