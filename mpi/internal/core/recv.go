package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Recv receives a message into a buffer.
func (c *View) Recv(op string, e Buffer, source, tag int) (Status, error) {
	if err := c.receiving(op, e, source, tag); err != nil {
		return EmptyStatus, err
	}
	r := newOperation()
	defer recycle(r)
	c.prepareReceive(r, e, source, tag)
	return c.run(op, r)
}

// Irecv starts to receive a message into a buffer.
func (c *View) Irecv(op string, e Buffer, source, tag int) (*Request, error) {
	if err := c.receiving(op, e, source, tag); err != nil {
		return nil, err
	}
	r := c.newRequest(op)
	c.prepareReceive(r.raw, e, source, tag)
	c.start(r.raw)
	return r, nil
}

// Sendrecv sends a buffer and receives a message into another at the same time.
func (c *View) Sendrecv(op string, out Buffer, dest, sendTag int, in Buffer, source, recvTag int) (Status, error) {
	if err := c.sending(op, out, dest, sendTag); err != nil {
		return EmptyStatus, err
	}
	if err := c.receiving(op, in, source, recvTag); err != nil {
		return EmptyStatus, err
	}
	if err := out.apart(op, in); err != nil {
		return EmptyStatus, err
	}
	send, recv := newOperation(), newOperation()
	defer recycle(send)
	defer recycle(recv)
	c.prepareSend(send, rpi.Standard, out, dest, sendTag)
	c.prepareReceive(recv, in, source, recvTag)
	if err := c.expired(op, recv); err != nil {
		return EmptyStatus, err
	}
	c.start(recv)
	c.start(send)
	_, sendErr := c.outcome(op, send, c.finish(send))
	status, err := c.outcome(op, recv, c.finish(recv))
	if err == nil {
		err = sendErr
	}
	return status, err
}
