package mpi

import (
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Message is a message that Mprobe or Improbe has taken (MPI 4.1, section
// 3.8.2). It is received exactly once, by any goroutine.
type Message struct {
	comm     Comm
	kind     matching.Type
	raw      *matching.Message // nil: from ProcNull
	received atomic.Bool
}

func (c *Comm) newMessage(raw *matching.Message, s rpi.Status) *Message {
	return &Message{comm: c.untimed(), raw: raw, kind: s.Type}
}

// Mrecv receives a message that a matched probe has taken (MPI_MRECV; section
// 3.8.3), with the errors of Recv. The message is used up, whether or not it
// fits into buf: a second receive of it is ErrRequest.
//
// The context of the view on which the message was probed does not end Mrecv:
// the message is here or on its way.
func Mrecv[T any](m *Message, buf []T) (Status, error) {
	return m.recv("mpi.Mrecv", view(buf))
}

// Imrecv starts to receive a message that a matched probe has taken
// (MPI_IMRECV; section 3.8.3). See Mrecv and Irecv.
func Imrecv[T any](m *Message, buf []T) (*Request, error) {
	const op = "mpi.Imrecv"
	e := view(buf)
	if err := m.take(op, e); err != nil {
		return nil, err
	}
	r := m.comm.newRequest(op)
	m.prepare(r.raw, e)
	m.comm.start(r.raw)
	return r, nil
}

func (m *Message) recv(op string, e elements) (Status, error) {
	if err := m.take(op, e); err != nil {
		return emptyStatus, err
	}
	r := newOperation()
	defer recycle(r)
	m.prepare(r, e)
	return m.comm.run(op, r)
}

// take checks the arguments of a receive of m and claims m for it.
func (m *Message) take(op string, e elements) error {
	if m == nil || m.comm.null() {
		return invalid(op, ErrRequest, "the message is nil")
	}
	if err := m.comm.usable(op); err != nil {
		return err
	}
	if e.unsendable != "" {
		return invalid(op, ErrType, "%s", e.unsendable)
	}
	if m.received.Swap(true) {
		return invalid(op, ErrRequest, "the message has been received already")
	}
	return nil
}

// prepare fills in a request for the receive of m.
func (m *Message) prepare(r *rpi.Request, e elements) {
	if m.raw == nil {
		m.comm.prepareReceive(r, e, ProcNull, AnyTag)
		return
	}
	m.comm.prepareReceive(r, e, m.comm.rankOf(m.raw.Source), int(m.raw.Tag))
	r.Message, m.raw = m.raw, nil
}
