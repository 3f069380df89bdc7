package core

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Probe waits for a message and returns its status, without receiving it.
func (c *View) Probe(op string, source, tag int) (Status, error) {
	if err := c.probing(op, source, tag); err != nil {
		return EmptyStatus, err
	}
	r := newOperation()
	defer recycle(r)
	c.prepareProbe(r, rpi.OpProbe, source, tag)
	return c.run(op, r)
}

// Iprobe is Probe without waiting.
func (c *View) Iprobe(op string, source, tag int) (Status, bool, error) {
	if err := c.probing(op, source, tag); err != nil {
		return EmptyStatus, false, err
	}
	if source == ProcNull {
		return nullStatus, true, nil
	}
	status, found, err := c.process.transport.Iprobe(c.context, c.jobRank(source), matching.Tag(tag))
	if err != nil {
		return EmptyStatus, false, c.probeFailure(op, source, tag, err)
	}
	if !found {
		return EmptyStatus, false, c.unanswerable(op, source, tag)
	}
	return c.message(status), true, nil
}

// Mprobe waits for a message and takes it.
func (c *View) Mprobe(op string, source, tag int) (*Message, Status, error) {
	if err := c.probing(op, source, tag); err != nil {
		return nil, EmptyStatus, err
	}
	r := newOperation()
	defer recycle(r)
	c.prepareProbe(r, rpi.OpMprobe, source, tag)
	status, err := c.run(op, r)
	if err != nil {
		return nil, status, err
	}
	return c.newMessage(r.Message, r.Status.Type, status), status, nil
}

// MprobeFor is Mprobe for a receive of elements of type t, with the errors of its arguments.
func (c *View) MprobeFor(op string, t *Type, source, tag int) (*Message, Status, error) {
	if err := c.receiving(op, Buffer{Type: t}, source, tag); err != nil {
		return nil, EmptyStatus, err
	}
	return c.Mprobe(op, source, tag)
}

// Improbe is Mprobe without waiting. The Message is nil if there is none.
func (c *View) Improbe(op string, source, tag int) (*Message, Status, bool, error) {
	if err := c.probing(op, source, tag); err != nil {
		return nil, EmptyStatus, false, err
	}
	if source == ProcNull {
		return c.newMessage(nil, 0, nullStatus), nullStatus, true, nil
	}
	raw, status, found, err := c.process.transport.Improbe(c.context, c.jobRank(source), matching.Tag(tag))
	if err != nil {
		return nil, EmptyStatus, false, c.probeFailure(op, source, tag, err)
	}
	if !found {
		return nil, EmptyStatus, false, c.unanswerable(op, source, tag)
	}
	m := c.newMessage(raw, status.Type, c.message(status))
	return m, m.status, true, nil
}

// probing checks the arguments of a probe.
func (c *View) probing(op string, source, tag int) error {
	if err := c.usable(op); err != nil {
		return err
	}
	return c.matching(op, source, tag)
}

func (c *Comm) prepareProbe(r *rpi.Request, op rpi.Op, source, tag int) {
	r.Op, r.Context, r.Peer, r.Tag = op, c.context, c.jobRank(source), matching.Tag(tag)
}

// unanswerable is the error of a probe that did not wait, and has found nothing, nil if it need not have one.
func (c *Comm) unanswerable(op string, source, tag int) error {
	if source != AnySource {
		return nil
	}
	r := newOperation()
	defer recycle(r)
	c.prepareProbe(r, rpi.OpProbe, source, tag)
	if err := c.failures.Interrupted(r); err != nil {
		return c.probeFailure(op, source, tag, err)
	}
	return nil
}

// probeFailure is the error of a probe that did not wait.
func (c *Comm) probeFailure(op string, source, tag int, err error) error {
	r := newOperation()
	defer recycle(r)
	c.prepareProbe(r, rpi.OpProbe, source, tag)
	r.Err = err
	return c.failure(op, r)
}
