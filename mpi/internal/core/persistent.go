package core

import (
	"errors"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Starter is what a persistent request does each time that it is started (MPI 4.1, section 3.9). A run begins with
// Prepare and ends when what that has returned completes. There is one run at a time.
type Starter interface {
	// Prepare makes the operation ready for a run, and starts nothing yet. It must not wait, as the request is locked.
	Prepare() *rpi.Request
	// Start starts the run.
	Start()
}

// NewPersistent returns an inactive request that stands for work. op names the operation in errors. The communicator's
// context stays in use until Free.
func (c *Comm) NewPersistent(op string, work interface {
	Work
	Starter
}) *Request {
	return c.newPersistent(op, work, false)
}

func (c *Comm) newPersistent(op string, work Starter, message bool) *Request {
	c.refs.Add(1)
	r := &Request{comm: c, op: op, work: work, message: message, persistent: true, settled: true, status: EmptyStatus}
	r.returned.Store(true)
	return r
}

// Start starts a persistent request, which is inactive. It returns at once.
func (r *Request) Start(op string) error {
	if err := r.repeatable(op); err != nil {
		return err
	}
	if err := r.comm.process.usable(op); err != nil {
		return err
	}
	round, err := r.activate(op)
	if err != nil {
		return err
	}
	r.work.(Starter).Start()
	r.started(round)
	return nil
}

// repeatable is the error of a request that is not persistent.
func (r *Request) repeatable(op string) error {
	switch {
	case r.null():
		return mpierr.Invalid(op, rpi.ErrRequest, "the request is nil")
	case !r.persistent:
		return mpierr.Invalid(op, rpi.ErrRequest, "the request is of %s, and not persistent", r.op)
	}
	return nil
}

// activate makes a persistent request active, and used by its caller.
func (r *Request) activate(op string) (round uint32, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.freed:
		return 0, mpierr.Invalid(op, rpi.ErrRequest, "the request has been freed")
	case !r.returned.Load():
		return 0, mpierr.Invalid(op, rpi.ErrRequest, "the request of %s is active: Wait or Test must have returned its outcome before", r.op)
	}
	r.raw, r.users = r.work.(Starter).Prepare(), 1
	r.settled, r.starting = false, true
	r.round++
	r.returned.Store(false)
	return r.round, nil
}

// started ends what activate has begun. The run may have completed, and others may have begun.
func (r *Request) started(round uint32) {
	r.mu.Lock()
	if r.round == round {
		r.starting = false
		if r.freed {
			r.leave()
		}
	}
	r.mu.Unlock()
	r.release(round)
}

// StartAll starts requests in order. The error joins those of the requests that could not be started, each with its
// index; the others are active.
func StartAll(op string, reqs []*Request) error {
	var failed []error
	for i, r := range reqs {
		if err := r.Start(op); err != nil {
			failed = append(failed, &RequestError{i, err})
		}
	}
	return errors.Join(failed...)
}

// message is a send or receive that is started again and again.
type message struct {
	comm *Comm
	rpi.Op
	mode      rpi.Mode
	buffer    Buffer
	peer, tag int
	raw       *rpi.Request // of the run
}

// Prepare implements Starter.
func (m *message) Prepare() *rpi.Request {
	m.raw = newOperation()
	if m.Op == rpi.OpSend {
		m.comm.prepareSend(m.raw, m.mode, m.buffer, m.peer, m.tag)
	} else {
		m.comm.prepareReceive(m.raw, m.buffer, m.peer, m.tag)
	}
	return m.raw
}

// Start implements Starter.
func (m *message) Start() { m.comm.start(m.raw) }

// SendInit returns a request that sends a buffer each time that it is started.
func (c *View) SendInit(op string, mode rpi.Mode, e Buffer, dest, tag int) (*Request, error) {
	if err := c.sending(op, e, dest, tag); err != nil {
		return nil, err
	}
	return c.newPersistent(op, &message{comm: c.Comm, Op: rpi.OpSend, mode: mode, buffer: e, peer: dest, tag: tag}, true), nil
}

// RecvInit returns a request that receives a message into a buffer each time that it is started.
func (c *View) RecvInit(op string, e Buffer, source, tag int) (*Request, error) {
	if err := c.receiving(op, e, source, tag); err != nil {
		return nil, err
	}
	return c.newPersistent(op, &message{comm: c.Comm, Op: rpi.OpRecv, buffer: e, peer: source, tag: tag}, true), nil
}
