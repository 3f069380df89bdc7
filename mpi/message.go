package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// Message is a message that Mprobe or Improbe has taken (MPI 4.1, section
// 3.8.2). It is received exactly once, by any goroutine.
type Message struct{ message core.Message }

// Status says from which rank the message is, with which tag, and how long: it
// is what the probe has returned.
func (m *Message) Status() Status { return Status(m.core().Status()) }

// Mrecv receives a message that a matched probe has taken (MPI_MRECV; section
// 3.8.3), with the errors of Recv. The message is used up, whether or not it
// fits into buf: a second receive of it is ErrRequest.
//
// The context of the view on which the message was probed does not end Mrecv:
// the message is here or on its way.
func Mrecv[T any](m *Message, buf []T) (Status, error) {
	return outcome(m.core().Recv("mpi.Mrecv", view(buf)))
}

// Imrecv starts to receive a message that a matched probe has taken
// (MPI_IMRECV; section 3.8.3). See Mrecv and Irecv.
func Imrecv[T any](m *Message, buf []T) (*Request, error) {
	return newRequest(m.core().Irecv("mpi.Imrecv", view(buf)))
}

// Discard drops the message without receiving it, so that it takes no memory any more: it is used up, and its sender
// gets the same answer as if it had been received. MPI has no such function; a receive into a buffer that is too short
// does the same.
func (m *Message) Discard() error { return public(m.core().Discard("mpi.Discard")) }
