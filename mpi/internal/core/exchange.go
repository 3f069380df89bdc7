package core

import (
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// exchange is a send and a receive at the same time (MPI 4.1, section 3.10). As the Work of a request it completes when
// both have.
type exchange struct {
	comm       *Comm
	op         string
	send, recv rpi.Request
	whole      rpi.Request
	left       atomic.Int32
	copied     *image // what is sent, if one buffer is for both
}

var exchanges = sync.Pool{New: func() any { return new(exchange) }}

// Sendrecv sends a buffer and receives a message into another at the same time.
func (c *View) Sendrecv(op string, out Buffer, dest, sendTag int, in Buffer, source, recvTag int) (Status, error) {
	x, err := c.both(op, out, dest, sendTag, in, source, recvTag)
	if err != nil {
		return EmptyStatus, err
	}
	return c.do(x)
}

// SendrecvReplace is Sendrecv with one buffer for both messages.
func (c *View) SendrecvReplace(op string, e Buffer, dest, sendTag, source, recvTag int) (Status, error) {
	x, err := c.replacing(op, e, dest, sendTag, source, recvTag)
	if err != nil {
		return EmptyStatus, err
	}
	return c.do(x)
}

// Isendrecv starts to send a buffer and to receive a message into another.
func (c *View) Isendrecv(op string, out Buffer, dest, sendTag int, in Buffer, source, recvTag int) (*Request, error) {
	x, err := c.both(op, out, dest, sendTag, in, source, recvTag)
	if err != nil {
		return nil, err
	}
	return x.begin(), nil
}

// IsendrecvReplace is Isendrecv with one buffer for both messages.
func (c *View) IsendrecvReplace(op string, e Buffer, dest, sendTag, source, recvTag int) (*Request, error) {
	x, err := c.replacing(op, e, dest, sendTag, source, recvTag)
	if err != nil {
		return nil, err
	}
	return x.begin(), nil
}

// both returns an exchange that has not been started.
func (c *View) both(op string, out Buffer, dest, sendTag int, in Buffer, source, recvTag int) (*exchange, error) {
	if err := c.sending(op, out, dest, sendTag); err != nil {
		return nil, err
	}
	if err := c.receiving(op, in, source, recvTag); err != nil {
		return nil, err
	}
	if err := out.apart(op, in); err != nil {
		return nil, err
	}
	return c.prepareExchange(op, out, dest, sendTag, in, source, recvTag), nil
}

// replacing is both with one buffer, which is copied.
func (c *View) replacing(op string, e Buffer, dest, sendTag, source, recvTag int) (*exchange, error) {
	if err := c.sending(op, e, dest, sendTag); err != nil {
		return nil, err
	}
	if err := c.receiving(op, e, source, recvTag); err != nil {
		return nil, err
	}
	x := c.prepareExchange(op, e, dest, sendTag, e, source, recvTag)
	detach(&x.send)
	x.copied = imageOf(e, e.Len())
	x.copied.Pack(x.copied.bytes, 0) // now, as the message may be received before the other one leaves
	x.send.Buf, x.send.Matcher = x.copied.bytes, (*matcher)(e.Type)
	return x, nil
}

func (c *View) prepareExchange(op string, out Buffer, dest, sendTag int, in Buffer, source, recvTag int) *exchange {
	x := exchanges.Get().(*exchange)
	x.comm, x.op = c.Comm, op
	c.prepareSend(&x.send, rpi.Standard, out, dest, sendTag)
	c.prepareReceive(&x.recv, in, source, recvTag)
	return x
}

// do runs an exchange to its end.
func (c *View) do(x *exchange) (Status, error) {
	defer x.Release()
	if err := c.expired(x.op, &x.recv); err != nil {
		return EmptyStatus, err
	}
	c.start(&x.recv)
	c.start(&x.send)
	_, sendErr := c.outcome(x.op, &x.send, c.finish(&x.send))
	status, err := c.outcome(x.op, &x.recv, c.finish(&x.recv))
	if err == nil {
		err = sendErr
	}
	return status, err
}

// begin starts an exchange, and returns the request for it.
func (x *exchange) begin() *Request {
	x.left.Store(2)
	x.send.Then, x.recv.Then = x, x
	r := x.comm.NewRequest(x.op, &x.whole, x)
	x.comm.start(&x.recv)
	x.comm.start(&x.send)
	return r
}

// Completed implements rpi.Continuation.
func (x *exchange) Completed(*rpi.Request) {
	if x.left.Add(-1) == 0 {
		x.whole.Complete(nil)
	}
}

// Whole implements rpi.Continuation.
func (x *exchange) Whole() *rpi.Request { return &x.whole }

// Outcome implements Work: it is that of the receive, but for an error of the send.
func (x *exchange) Outcome() (Status, error) {
	unpack(&x.recv)
	unpack(&x.send)
	if t := x.comm.process.trace; t != nil {
		t.received(&x.recv)
	}
	status := x.comm.status(&x.recv)
	switch {
	case x.recv.Err != nil:
		return status, x.comm.failure(x.op, &x.recv)
	case x.send.Err != nil:
		return status, x.comm.failure(x.op, &x.send)
	}
	return status, nil
}

// Cancel implements Work.
func (x *exchange) Cancel(op string) error {
	return mpierr.Invalid(op, rpi.ErrRequest, "a send and receive in one cannot be cancelled")
}

// Release implements Work.
func (x *exchange) Release() {
	detach(&x.send)
	detach(&x.recv)
	if x.copied != nil {
		x.copied.release()
		x.copied = nil
	}
	x.send.Reset()
	x.recv.Reset()
	x.whole.Reset()
	x.comm = nil
	exchanges.Put(x)
}
