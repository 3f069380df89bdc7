package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// Scatter gives each rank its part of root's send: recv gets as many elements
// as it has, which is the same for all ranks, from rank times that on
// (MPI_SCATTER; MPI 4.1, section 6.6). At root, send has Size times the length
// of recv, and recv may be root's own part of it; at other ranks it is not
// used. Collective.
func Scatter[T any](c *Comm, send, recv []T, root int) error {
	return blocking(c.core().Scatter(core.Blocking, view(send), view(recv), root))
}
