package mpi

// Dup returns a communicator with the same processes, in the same order, and
// a space of messages of its own (MPI_COMM_DUP; MPI 4.1, section 7.4.2): what
// a library takes so that its messages never meet its caller's. Collective.
// Give it back with Free: a process can have 20,000 communicators at a time
// (ErrOther).
func (c *Comm) Dup() (*Comm, error) {
	dup, err := c.core().Dup()
	return newComm(dup), public(err)
}

// Split divides the processes into communicators: those that pass the same
// color get one together, in the order of their keys, and of their ranks in c
// where keys are equal (MPI_COMM_SPLIT; section 7.4.2). The color is not
// negative, or Undefined for a rank that wants none: it gets nil. Collective.
// Give the communicator back with Free.
func (c *Comm) Split(color, key int) (*Comm, error) {
	part, err := c.core().Split(color, key)
	return newComm(part), public(err)
}

// Free gives a communicator back (MPI_COMM_FREE; section 7.4.3). It is
// collective: it waits for the other ranks, so that no rank sends on c any more.
// Operations on c then fail with ErrComm. Requests that were started before
// complete normally. The world communicator cannot be freed.
//
// The communicator is freed even if Free fails because another rank is gone.
func (c *Comm) Free() error { return public(c.core().Free()) }
