package core

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Alltoall sends part i of each rank's send to rank i.
func (c *View) Alltoall(f Form, send, recv Buffer) (*Request, error) {
	if c.Inter() {
		return c.alltoallBetween(collective.Alltoall, f, send, nil, recv, nil)
	}
	o, err := c.begin(collective.Alltoall, f, send.Type)
	if err != nil {
		return nil, err
	}
	c.divisible(o, send, recv)
	if o.Agree(0, send.Len(), 0) {
		schedule.Alltoall(buffers(o, send, recv), c.ranks(), send.Len()/c.group.Size(), schedule.Start)
	}
	return c.launch(f, o)
}

// divisible checks the buffers of Alltoall.
func (c *View) divisible(o *collective.Operation, send, recv Buffer) {
	size := c.group.Size()
	c.valid(o, send)
	c.valid(o, recv)
	switch {
	case o.Err() != nil:
	case send.Count%size != 0:
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrCount, "the send buffer has %s, which cannot be divided evenly among %d ranks", mpierr.Plural(send.Count, "element"), size))
	case send.Len() != recv.Len():
		o.Require(lengths(o, send, recv))
	default:
		c.alike(o, "receive", recv, send)
		replaces(o, send, recv, send == recv)
	}
}

// replaces notes that what is received replaces what is sent, or else checks that they do not overlap. Where there is
// nothing that cannot be told, and does not matter.
func replaces(o *collective.Operation, send, recv Buffer, does bool) {
	if does && send.Len() > 0 {
		o.SetInPlace()
	} else {
		o.Require(send.apart(o.Op(), recv))
	}
}

// lengths is the error of buffers of different lengths.
func lengths(o *collective.Operation, send, recv Buffer) *mpierr.Error {
	return mpierr.Invalid(o.Op(), rpi.ErrCount, "the receive buffer has %s, the send buffer %d: they must have the same length",
		mpierr.Plural(recv.Count, "element"), send.Count)
}

// Alltoallv is Alltoall of parts of different lengths.
func (c *View) Alltoallv(f Form, send Buffer, sendLayout Layout, recv Buffer, recvLayout Layout) (*Request, error) {
	if c.Inter() {
		return c.alltoallBetween(collective.Alltoallv, f, send, &sendLayout, recv, &recvLayout)
	}
	o, err := c.begin(collective.Alltoallv, f, send.Type)
	if err != nil {
		return nil, err
	}
	o.Pairwise()
	sendLayout = c.resolve(o, sendLayout, "send", send)
	recvLayout = c.resolve(o, recvLayout, "receive", recv)
	if o.Err() == nil {
		c.alike(o, "receive", recv, send)
		if out, in := sendLayout.part(send, c.rank), recvLayout.part(recv, c.rank); out.Len() != in.Len() {
			o.Require(mpierr.Invalid(o.Op(), rpi.ErrCount, "this rank sends itself %s, but expects %d", mpierr.Plural(out.items(), "element"), in.items()))
		}
		replaces(o, send, recv, send == recv && slices.Equal(sendLayout.Counts, recvLayout.Counts) && slices.Equal(sendLayout.Displs, recvLayout.Displs))
	}
	if o.Agree(0, 0, 0) {
		b := placed(o, memoryOf(o, send, sendLayout, load), memoryOf(o, recv, recvLayout, store))
		schedule.Alltoallv(b, c.ranks(), sendLayout.parts(schedule.In, send), recvLayout.parts(schedule.Out, recv), schedule.Start)
	}
	return c.launch(f, o)
}
