package mpi

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Probe waits for a message that a receive with the same arguments would take
// now, and returns its status without receiving it (MPI_PROBE; MPI 4.1,
// section 3.8.1). Where several goroutines receive, another one may take the
// message in between: use Mprobe.
func (c *Comm) Probe(source, tag int) (Status, error) {
	const op = "mpi.Probe"
	if err := c.probing(op, source, tag); err != nil {
		return emptyStatus, err
	}
	r := newOperation()
	defer recycle(r)
	c.prepareProbe(r, rpi.OpProbe, source, tag)
	return c.run(op, r)
}

// Iprobe is Probe without waiting: it reports whether there is such a message
// (MPI_IPROBE; section 3.8.1).
func (c *Comm) Iprobe(source, tag int) (Status, bool, error) {
	const op = "mpi.Iprobe"
	if err := c.probing(op, source, tag); err != nil {
		return emptyStatus, false, err
	}
	if source == ProcNull {
		return nullStatus, true, nil
	}
	status, found, err := c.process.transport.Iprobe(c.context, c.jobRank(source), matching.Tag(tag))
	if err != nil {
		return emptyStatus, false, c.probeFailure(op, source, tag, err)
	}
	if !found {
		return emptyStatus, false, nil
	}
	return c.message(status), true, nil
}

// Mprobe waits for a message that a receive with the same arguments would
// take now, and takes it: only Mrecv or Imrecv of the Message receives it, and
// one of them must (MPI_MPROBE; section 3.8.2).
func (c *Comm) Mprobe(source, tag int) (*Message, Status, error) {
	const op = "mpi.Mprobe"
	if err := c.probing(op, source, tag); err != nil {
		return nil, emptyStatus, err
	}
	return c.mprobe(op, source, tag)
}

// Improbe is Mprobe without waiting (MPI_IMPROBE; section 3.8.2). The Message
// is nil if there is none.
func (c *Comm) Improbe(source, tag int) (*Message, Status, bool, error) {
	const op = "mpi.Improbe"
	if err := c.probing(op, source, tag); err != nil {
		return nil, emptyStatus, false, err
	}
	if source == ProcNull {
		return &Message{comm: c.untimed()}, nullStatus, true, nil
	}
	raw, status, found, err := c.process.transport.Improbe(c.context, c.jobRank(source), matching.Tag(tag))
	if err != nil {
		return nil, emptyStatus, false, c.probeFailure(op, source, tag, err)
	}
	if !found {
		return nil, emptyStatus, false, nil
	}
	return c.newMessage(raw, status), c.message(status), true, nil
}

func (c *Comm) mprobe(op string, source, tag int) (*Message, Status, error) {
	r := newOperation()
	defer recycle(r)
	c.prepareProbe(r, rpi.OpMprobe, source, tag)
	status, err := c.run(op, r)
	if err != nil {
		return nil, status, err
	}
	return c.newMessage(r.Message, r.Status), status, nil
}

// probing checks the arguments of a probe.
func (c *Comm) probing(op string, source, tag int) error {
	if err := c.usable(op); err != nil {
		return err
	}
	return c.matching(op, source, tag)
}

func (c *communicator) prepareProbe(r *rpi.Request, op rpi.Op, source, tag int) {
	r.Op, r.Context, r.Peer, r.Tag = op, c.context, c.jobRank(source), matching.Tag(tag)
}

// probeFailure is the error of a probe that did not wait.
func (c *communicator) probeFailure(op string, source, tag int, err error) error {
	r := newOperation()
	defer recycle(r)
	c.prepareProbe(r, rpi.OpProbe, source, tag)
	r.Err = err
	return c.failure(op, r)
}
