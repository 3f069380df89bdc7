package core

import "github.com/sctpmpi/sctpmpi/mpi/rpi"

// Send sends a buffer.
func (c *View) Send(op string, mode rpi.Mode, e Buffer, dest, tag int) error {
	if err := c.sending(op, e, dest, tag); err != nil {
		return err
	}
	r := newOperation()
	defer recycle(r)
	c.prepareSend(r, mode, e, dest, tag)
	_, err := c.run(op, r)
	return err
}

// Isend starts to send a buffer.
func (c *View) Isend(op string, mode rpi.Mode, e Buffer, dest, tag int) (*Request, error) {
	if err := c.sending(op, e, dest, tag); err != nil {
		return nil, err
	}
	r := c.newRequest(op)
	c.prepareSend(r.raw, mode, e, dest, tag)
	c.start(r.raw)
	return r, nil
}
