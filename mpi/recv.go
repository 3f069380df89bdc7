package mpi

import (
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Recv receives a message from the rank source, or AnySource, with the given
// tag, or AnyTag, into buf (MPI_RECV; MPI 4.1, section 3.2.4). The message may
// be shorter than buf: Status.Count tells. If it is longer the error is
// ErrTruncate; if its elements are of another type, or would be if it had any,
// the error is ErrType. Both times buf is left as it was, the message is gone,
// and the Status describes it.
//
// Messages from one rank on one communicator are received in the order in
// which they were sent, as far as the receives could take either.
//
// Other errors: ErrComm, ErrType, ErrRank, ErrTag for the arguments,
// ErrProcFailed, ErrCancelled (see Comm.WithContext), ErrClosed.
func Recv[T any](c *Comm, buf []T, source, tag int) (Status, error) {
	return c.recv("mpi.Recv", view(buf), source, tag)
}

// Irecv starts a receive into buf, which must not be used until the request
// has completed (MPI_IRECV; section 3.7.2). Errors of the arguments are
// returned at once, others by the request.
func Irecv[T any](c *Comm, buf []T, source, tag int) (*Request, error) {
	const op = "mpi.Irecv"
	e := view(buf)
	if err := c.receiving(op, e, source, tag); err != nil {
		return nil, err
	}
	r := c.newRequest(op)
	c.prepareReceive(r.raw, e, source, tag)
	c.start(r.raw)
	return r, nil
}

// RecvSlice receives a message of any length into a slice that it allocates,
// with the errors of Recv except ErrTruncate. It matches the message first,
// with Mprobe, so that several goroutines may use it at once. The sender
// decides how much is allocated: use Mprobe and Mrecv to look first.
func RecvSlice[T any](c *Comm, source, tag int) ([]T, Status, error) {
	const op = "mpi.RecvSlice"
	if err := c.receiving(op, view[T](nil), source, tag); err != nil {
		return nil, emptyStatus, err
	}
	m, status, err := c.mprobe(op, source, tag)
	if err != nil {
		return nil, status, err
	}
	var buf []T
	if m.kind == datatypeOf[T]().sig {
		buf = make([]T, status.Count)
	}
	status, err = m.recv(op, view(buf))
	if err != nil {
		return nil, status, err
	}
	return buf, status, nil
}

// Sendrecv sends and receives at the same time (MPI_SENDRECV; section 3.10),
// so that ranks that exchange messages do not wait for each other in a
// circle. The two buffers must not overlap (ErrBuffer). Both halves are always
// brought to their end; the error is that of the receive if both fail. The
// Status is that of the receive, and says what was received even if the send
// has failed.
func Sendrecv[S, R any](c *Comm, send []S, dest, sendTag int, recv []R, source, recvTag int) (Status, error) {
	return c.sendrecv("mpi.Sendrecv", view(send), dest, sendTag, view(recv), source, recvTag)
}

func (c *Comm) recv(op string, e elements, source, tag int) (Status, error) {
	if err := c.receiving(op, e, source, tag); err != nil {
		return emptyStatus, err
	}
	r := newOperation()
	defer recycle(r)
	c.prepareReceive(r, e, source, tag)
	return c.run(op, r)
}

func (c *Comm) sendrecv(op string, out elements, dest, sendTag int, in elements, source, recvTag int) (Status, error) {
	if err := c.sending(op, out, dest, sendTag); err != nil {
		return emptyStatus, err
	}
	if err := c.receiving(op, in, source, recvTag); err != nil {
		return emptyStatus, err
	}
	if overlapping(out.bytes, in.bytes) {
		return emptyStatus, invalid(op, ErrBuffer, "the send and the receive buffer overlap")
	}
	send, recv := newOperation(), newOperation()
	defer recycle(send)
	defer recycle(recv)
	c.prepareSend(send, rpi.Standard, out, dest, sendTag)
	c.prepareReceive(recv, in, source, recvTag)
	if err := c.expired(op, recv); err != nil {
		return emptyStatus, err
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
