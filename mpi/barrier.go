package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// Barrier returns when all ranks have called it (MPI_BARRIER; MPI 4.1, section
// 6.3). Collective.
func (c *Comm) Barrier() error { return blocking(c.core().Barrier(core.Blocking)) }
