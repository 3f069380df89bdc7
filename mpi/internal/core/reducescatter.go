package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// ReduceScatterBlock combines the vectors of all ranks, and gives each rank its part of the result, all of the length of recv.
func (c *View) ReduceScatterBlock(f Form, send, recv Buffer, op Op) (*Request, error) {
	o, err := c.begin(collective.ReduceScatterBlock, f, send.Type)
	if err != nil {
		return nil, err
	}
	c.combines(o, op)
	c.even(o, "send", send, recv)
	if o.Agree(0, recv.Len(), op.Reduction) {
		b, in, out := c.scattered(o, send, recv, c.rank*recv.Count)
		schedule.ReduceScatterBlock(b, c.ranks(), in, out, recv.vector(), c.grouping(op), schedule.Start)
	}
	return c.launch(f, o)
}

// ReduceScatter is ReduceScatterBlock of parts of different lengths: counts has that of each rank, in elements.
func (c *View) ReduceScatter(f Form, send, recv Buffer, counts []int, op Op) (*Request, error) {
	o, err := c.begin(collective.ReduceScatter, f, send.Type)
	if err != nil {
		return nil, err
	}
	c.combines(o, op)
	layout := c.resolve(o, Layout{Counts: counts}, "send", send)
	c.own(o, layout, "send", send, recv)
	lengths, total := 0, 0
	for _, n := range layout.Counts {
		lengths, total = collective.Mix(lengths, n), total+n
	}
	if total != send.Count {
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrCount, "the send buffer has %s, the counts make %d", mpierr.Plural(send.Count, "element"), total))
	}
	if o.Agree(0, lengths, op.Reduction) {
		b, in, out := c.scattered(o, send, recv, layout.Displs[c.rank])
		schedule.ReduceScatter(b, c.ranks(), in, out, counts, send.Type.Size, c.grouping(op), schedule.Start)
	}
	return c.launch(f, o)
}

// scattered sets the memory of the operation. If recv is this rank's part of send (MPI_IN_PLACE), which begins at the element
// first, the result goes there over memory of the schedule.
func (c *View) scattered(o *collective.Operation, send, recv Buffer, first int) (b *schedule.Builder, in, out schedule.Part) {
	o.In, o.Out = send.Bytes(), recv.Bytes()
	b = o.Builder()
	in, out = whole(schedule.In, send), whole(schedule.Out, recv)
	if overlapping(o.In, o.Out) {
		o.Out = o.In
		b.InPlace(0)
		out.Offset = first * recv.Type.Size
	}
	return b, in, out
}
