package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// Allgather puts the vectors of all ranks, which have the same length, one
// after the other into every rank's recv, in the order of ranks
// (MPI_ALLGATHER; MPI 4.1, section 6.7). recv has Size times the length of
// send, which may be this rank's own part of it. Collective.
func Allgather[T any](c *Comm, send, recv []T) error {
	return blocking(c.core().Allgather(core.Blocking, view(send), view(recv)))
}

// Allgatherv is Allgather of vectors of different lengths: the layout, the
// same on all ranks, says how long each rank's is and where in recv it goes
// (MPI_ALLGATHERV; section 6.7). Collective.
func Allgatherv[T any](c *Comm, send, recv []T, layout Layout) error {
	return blocking(c.core().Allgatherv(core.Blocking, view(send), view(recv), core.Layout(layout)))
}
