package core

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
