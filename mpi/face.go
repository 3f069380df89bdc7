package mpi

import (
	"context"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// This package is the face of package core that Go programs see: types for
// buffers, and documentation. Its types hold those of core as their first and
// only field, so that a pointer to one is a pointer to the other, nil too, and
// nothing is allocated on the way down or up.

func (c *Comm) core() *core.View { return (*core.View)(unsafe.Pointer(c)) }

func (r *Request) core() *core.Request { return (*core.Request)(unsafe.Pointer(r)) }

func (m *Message) core() *core.Message { return (*core.Message)(unsafe.Pointer(m)) }

func coreRequests(r []*Request) []*core.Request { return *(*[]*core.Request)(unsafe.Pointer(&r)) }

// newComm returns a view that never ends of c; nil if c is nil.
func newComm(c *core.Comm) *Comm {
	if c == nil {
		return nil
	}
	return &Comm{c.View(context.Background())}
}

func newRequest(r *core.Request, err error) (*Request, error) {
	return (*Request)(unsafe.Pointer(r)), public(err)
}

func newMessage(m *core.Message) *Message { return (*Message)(unsafe.Pointer(m)) }

func newStatuses(s []core.Status) []Status { return *(*[]Status)(unsafe.Pointer(&s)) }

func coreStatuses(s []Status) []core.Status { return *(*[]core.Status)(unsafe.Pointer(&s)) }

// public returns an error of core as programs see it.
func public(err error) error {
	if e, ok := err.(*mpierr.Error); ok {
		return (*Error)(withObject(e))
	}
	return err
}

// withObject adds to the error of a receive that one side meant an object and the other did not.
func withObject(e *mpierr.Error) *mpierr.Error {
	differ, ok := e.Err.(*rpi.TypeError)
	if !ok {
		return e
	}
	said := *e
	switch object := matching.Type(datatypeOf[object]().Signature()); object {
	case differ.Sent:
		said.Detail += "; it is an object that SendObject has sent: receive it by RecvObject"
	case differ.Wanted:
		said.Detail += "; it is no object: send it by SendObject, or receive it by Recv, RecvValue or RecvSlice"
	}
	return &said
}

// commOr and valueOr return the result of a call of core as programs see it.
func commOr(c *core.Comm, err error) (*Comm, error) { return newComm(c), public(err) }

func valueOr[T any](value T, err error) (T, error) { return value, public(err) }

// blocking returns the error of a collective operation that has no request.
func blocking(_ *core.Request, err error) error { return public(err) }

// outcome returns the results of an operation as programs see them.
func outcome(s core.Status, err error) (Status, error) {
	if err != nil {
		err = public(err)
	}
	return Status(s), err
}
