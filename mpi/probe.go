package mpi

// Probe waits for a message that a receive with the same arguments would take
// now, and returns its status without receiving it (MPI_PROBE; MPI 4.1,
// section 3.8.1). Where several goroutines receive, another one may take the
// message in between: use Mprobe.
func (c *Comm) Probe(source, tag int) (Status, error) {
	return outcome(c.core().Probe("mpi.Probe", source, tag))
}

// Iprobe is Probe without waiting: it reports whether there is such a message
// (MPI_IPROBE; section 3.8.1).
func (c *Comm) Iprobe(source, tag int) (Status, bool, error) {
	status, found, err := c.core().Iprobe("mpi.Iprobe", source, tag)
	return Status(status), found, public(err)
}

// Mprobe waits for a message that a receive with the same arguments would
// take now, and takes it: only Mrecv or Imrecv of the Message receives it, and
// one of them must (MPI_MPROBE; section 3.8.2).
func (c *Comm) Mprobe(source, tag int) (*Message, Status, error) {
	m, status, err := c.core().Mprobe("mpi.Mprobe", source, tag)
	return newMessage(m), Status(status), public(err)
}

// Improbe is Mprobe without waiting (MPI_IMPROBE; section 3.8.2). The Message
// is nil if there is none.
func (c *Comm) Improbe(source, tag int) (*Message, Status, bool, error) {
	m, status, found, err := c.core().Improbe("mpi.Improbe", source, tag)
	return newMessage(m), Status(status), found, public(err)
}
