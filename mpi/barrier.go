package mpi

// Barrier returns when all ranks have called it (MPI_BARRIER; MPI 4.1, section
// 6.3). Collective.
func (c *Comm) Barrier() error { return c.barrier("mpi.Barrier") }

// barrier is the dissemination algorithm: in round i each rank tells the rank
// 2^i after it that it, and all of whom it has heard, are there.
func (c *Comm) barrier(op string) error {
	k, err := c.begin(op, datatypeOf[byte]())
	if err != nil {
		return err
	}
	size, rank := c.group.size, c.rank
	for distance := 1; distance < size; distance *= 2 {
		k.exchange((rank+distance)%size, nil, (rank-distance+size)%size, nil)
	}
	return k.end()
}
