package mpi

import (
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Send sends buf to the rank dest. It returns when buf may be used again,
// which says nothing about the receiver: short messages are buffered there,
// long ones wait for their receive (MPI_SEND; MPI 4.1, sections 3.2 and 3.4).
//
// T is any fixed-size type without pointers; the receive must name one that has
// the same numbers in the same order. Errors: ErrComm, ErrType, ErrRank, ErrTag for the arguments,
// ErrProcFailed, ErrCancelled (see Comm.WithContext), ErrClosed. ErrProcFailed is
// also the error if dest has called Finalize without receiving the message, unless
// that was buffered there.
func Send[T any](c *Comm, buf []T, dest, tag int) error {
	return public(c.core().Send("mpi.Send", rpi.Standard, view(buf), dest, tag))
}

// Ssend is Send in synchronous mode: it returns when the message has been
// matched by a receive (MPI_SSEND; section 3.4).
func Ssend[T any](c *Comm, buf []T, dest, tag int) error {
	return public(c.core().Send("mpi.Ssend", rpi.Synchronous, view(buf), dest, tag))
}

// Bsend is Send in buffered mode: it copies buf and returns at once
// (MPI_BSEND; section 3.4). There is no buffer to attach; the copies of one
// process together are bounded by WithUnexpectedLimit, and those of a communicator
// by Comm.LimitBuffer, beyond which Bsend returns ErrBuffer.
func Bsend[T any](c *Comm, buf []T, dest, tag int) error {
	return public(c.core().Send("mpi.Bsend", rpi.Buffered, view(buf), dest, tag))
}

// Rsend is Send in ready mode: the caller knows that the receive is posted
// (MPI_RSEND; section 3.4). If it is not, Rsend does what Send does.
func Rsend[T any](c *Comm, buf []T, dest, tag int) error {
	return public(c.core().Send("mpi.Rsend", rpi.Ready, view(buf), dest, tag))
}

// Isend starts to send buf, which must not be written to until the request
// has completed (MPI_ISEND; section 3.7.2). Errors of the arguments are
// returned at once, others by the request.
func Isend[T any](c *Comm, buf []T, dest, tag int) (*Request, error) {
	return newRequest(c.core().Isend("mpi.Isend", rpi.Standard, view(buf), dest, tag))
}

// Issend is Isend in synchronous mode (MPI_ISSEND; section 3.7.2).
func Issend[T any](c *Comm, buf []T, dest, tag int) (*Request, error) {
	return newRequest(c.core().Isend("mpi.Issend", rpi.Synchronous, view(buf), dest, tag))
}

// Ibsend is Isend in buffered mode (MPI_IBSEND; section 3.7.2): the request
// is complete when Ibsend returns. Bsend says how much is buffered.
func Ibsend[T any](c *Comm, buf []T, dest, tag int) (*Request, error) {
	return newRequest(c.core().Isend("mpi.Ibsend", rpi.Buffered, view(buf), dest, tag))
}

// Irsend is Isend in ready mode (MPI_IRSEND; section 3.7.2).
func Irsend[T any](c *Comm, buf []T, dest, tag int) (*Request, error) {
	return newRequest(c.core().Isend("mpi.Irsend", rpi.Ready, view(buf), dest, tag))
}
