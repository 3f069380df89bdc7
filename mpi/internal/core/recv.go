package core

import "time"

// Recv receives a message into a buffer.
func (c *View) Recv(op string, e Buffer, source, tag int) (Status, error) {
	status, looked, received := c.tryRecv(e, source, tag)
	if received {
		return status, nil
	}
	if err := c.receiving(op, e, source, tag); err != nil {
		return EmptyStatus, err
	}
	r := newOperation()
	defer recycle(r)
	c.prepareReceive(r, e, source, tag)
	r.Looked = looked
	return c.run(op, r)
}

// tryRecv receives a message the short way, and reports whether it has. If it has not nothing has happened, but that it has looked since looked, and there
// may be something wrong with the arguments.
func (c *View) tryRecv(e Buffer, source, tag int) (status Status, looked time.Duration, received bool) {
	m, short := c.short(e, source, tag)
	if !short {
		return status, 0, false
	}
	s, looked, received := c.process.short.TryRecv(c.ctx, m)
	if received {
		status = c.counted(&s, m.Elem)
	}
	return status, looked, received
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
