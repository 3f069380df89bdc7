package mpi

import (
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Send sends buf to the rank dest. It returns when buf may be used again,
// which says nothing about the receiver: short messages are buffered there,
// long ones wait for their receive (MPI_SEND; MPI 4.1, sections 3.2 and 3.4).
//
// T is any fixed-size type without pointers; the receive must name the same
// type. Errors: ErrComm, ErrType, ErrRank, ErrTag for the arguments,
// ErrProcFailed, ErrCancelled (see Comm.WithContext), ErrClosed. ErrProcFailed is
// also the error if dest has called Finalize without receiving the message, unless
// that was buffered there.
func Send[T any](c *Comm, buf []T, dest, tag int) error {
	return c.send("mpi.Send", rpi.Standard, view(buf), dest, tag)
}

// Ssend is Send in synchronous mode: it returns when the message has been
// matched by a receive (MPI_SSEND; section 3.4).
func Ssend[T any](c *Comm, buf []T, dest, tag int) error {
	return c.send("mpi.Ssend", rpi.Synchronous, view(buf), dest, tag)
}

// Bsend is Send in buffered mode: it copies buf and returns at once
// (MPI_BSEND; section 3.4). There is no buffer to attach; the copies of one
// process together are bounded by WithUnexpectedLimit, beyond which Bsend
// returns ErrBuffer.
func Bsend[T any](c *Comm, buf []T, dest, tag int) error {
	return c.send("mpi.Bsend", rpi.Buffered, view(buf), dest, tag)
}

// Rsend is Send in ready mode: the caller knows that the receive is posted
// (MPI_RSEND; section 3.4). If it is not, Rsend does what Send does.
func Rsend[T any](c *Comm, buf []T, dest, tag int) error {
	return c.send("mpi.Rsend", rpi.Ready, view(buf), dest, tag)
}

// Isend starts to send buf, which must not be written to until the request
// has completed (MPI_ISEND; section 3.7.2). Errors of the arguments are
// returned at once, others by the request.
func Isend[T any](c *Comm, buf []T, dest, tag int) (*Request, error) {
	return c.isend("mpi.Isend", rpi.Standard, view(buf), dest, tag)
}

// Issend is Isend in synchronous mode (MPI_ISSEND; section 3.7.2).
func Issend[T any](c *Comm, buf []T, dest, tag int) (*Request, error) {
	return c.isend("mpi.Issend", rpi.Synchronous, view(buf), dest, tag)
}

// Ibsend is Isend in buffered mode (MPI_IBSEND; section 3.7.2): the request
// is complete when Ibsend returns. Bsend says how much is buffered.
func Ibsend[T any](c *Comm, buf []T, dest, tag int) (*Request, error) {
	return c.isend("mpi.Ibsend", rpi.Buffered, view(buf), dest, tag)
}

// Irsend is Isend in ready mode (MPI_IRSEND; section 3.7.2).
func Irsend[T any](c *Comm, buf []T, dest, tag int) (*Request, error) {
	return c.isend("mpi.Irsend", rpi.Ready, view(buf), dest, tag)
}

func (c *Comm) send(op string, mode rpi.Mode, e elements, dest, tag int) error {
	if err := c.sending(op, e, dest, tag); err != nil {
		return err
	}
	r := newOperation()
	defer recycle(r)
	c.prepareSend(r, mode, e, dest, tag)
	_, err := c.run(op, r)
	return err
}

func (c *Comm) isend(op string, mode rpi.Mode, e elements, dest, tag int) (*Request, error) {
	if err := c.sending(op, e, dest, tag); err != nil {
		return nil, err
	}
	r := c.newRequest(op)
	c.prepareSend(r.raw, mode, e, dest, tag)
	c.start(r.raw)
	return r, nil
}
