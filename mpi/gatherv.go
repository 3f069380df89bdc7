package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// Gatherv is Gather of vectors of different lengths: root's layout says how
// long each rank's is and where in recv it goes (MPI_GATHERV; MPI 4.1, section
// 6.5). recv and layout are not used at other ranks. Collective.
func Gatherv[T any](c *Comm, send, recv []T, layout Layout, root int) error {
	return blocking(c.core().Gatherv(core.Blocking, view(send), view(recv), core.Layout(layout), root))
}

// Scatterv is Scatter of parts of different lengths: root's layout says where
// in send each rank's part is; its length must be that of the rank's recv
// (MPI_SCATTERV; section 6.6). send and layout are not used at other ranks.
// Collective.
func Scatterv[T any](c *Comm, send []T, layout Layout, recv []T, root int) error {
	return blocking(c.core().Scatterv(core.Blocking, view(send), core.Layout(layout), view(recv), root))
}
