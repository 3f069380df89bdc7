package core

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Message is a message that a matched probe has taken: it is received once.
type Message struct {
	comm     View
	kind     matching.Type
	status   Status
	raw      *matching.Message // nil: from ProcNull
	received atomic.Bool
}

// newMessage returns a message of a type. raw is nil if it is from ProcNull.
func (c *View) newMessage(raw *matching.Message, kind matching.Type, status Status) *Message {
	return &Message{comm: c.Comm.View(context.Background()), raw: raw, kind: kind, status: status}
}

// Type is the signature of the message's elements.
func (m *Message) Type() datatype.Signature { return datatype.Signature(m.kind) }

// Room is how many elements of type t take the message, the last one perhaps in part; 0 if it is of another type.
func (m *Message) Room(t *Type) int {
	if t.Size() == 0 {
		return 0
	}
	count := (int64(m.status.Bytes) + t.Size() - 1) / t.Size()
	if !t.Matches(m.Type(), int64(m.status.Bytes), count) {
		return 0
	}
	return int(count)
}

// Status is what the probe has returned; EmptyStatus if m is nil.
func (m *Message) Status() Status {
	if m == nil || m.comm.Null() {
		return EmptyStatus
	}
	return m.status
}

// Recv receives m into a buffer.
func (m *Message) Recv(op string, e Buffer) (Status, error) {
	if err := m.take(op, e); err != nil {
		return EmptyStatus, err
	}
	r := newOperation()
	defer recycle(r)
	m.prepare(r, e)
	return m.comm.run(op, r)
}

// Irecv starts to receive m into a buffer.
func (m *Message) Irecv(op string, e Buffer) (*Request, error) {
	if err := m.take(op, e); err != nil {
		return nil, err
	}
	r := m.comm.newRequest(op)
	m.prepare(r.raw, e)
	m.comm.start(r.raw)
	return r, nil
}

// Discard drops m: its sender gets the same answer as if it had been received.
func (m *Message) Discard(op string) error {
	_, err := m.Recv(op, Buffer{Type: noType})
	if errors.Is(err, rpi.ErrTruncate) || errors.Is(err, rpi.ErrType) {
		return nil // which is how it is dropped
	}
	return err
}

// take checks the arguments of a receive of m and claims m for it.
func (m *Message) take(op string, e Buffer) error {
	if m == nil || m.comm.Null() {
		return mpierr.Invalid(op, rpi.ErrRequest, "the message is nil")
	}
	if err := m.comm.usable(op); err != nil {
		return err
	}
	if err := e.wrong(op); err != nil {
		return err
	}
	if m.received.Swap(true) {
		return mpierr.Invalid(op, rpi.ErrRequest, "the message has been received already")
	}
	return nil
}

// prepare fills in a request for the receive of m.
func (m *Message) prepare(r *rpi.Request, e Buffer) {
	if m.raw == nil {
		m.comm.prepareReceive(r, e, ProcNull, AnyTag)
		return
	}
	m.comm.prepareReceive(r, e, m.comm.rankOf(m.raw.Source), int(m.raw.Tag))
	r.Message, m.raw = m.raw, nil
}
