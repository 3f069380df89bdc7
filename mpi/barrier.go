package mpi

// Barrier returns when all ranks have called it (MPI_BARRIER; MPI 4.1, section
// 6.3). Collective.
func (c *Comm) Barrier() error { return public(c.core().Barrier()) }
