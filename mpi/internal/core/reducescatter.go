package core

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// ReduceScatterBlock combines the vectors of all ranks, and gives each rank its part of the result, all of the length of recv.
func (c *View) ReduceScatterBlock(f Form, send, recv Buffer, op Op) (*Request, error) {
	if c.Inter() {
		return c.reduceScatterBetween(collective.ReduceScatterBlock, f, send, recv, slices.Repeat([]int{recv.Count}, c.group.Size()), op)
	}
	o, err := c.beginReducing(collective.ReduceScatterBlock, f, send.Type, op)
	if err != nil {
		return nil, err
	}
	c.even(o, "send", send, recv, true)
	c.congruent(o, send, recv)
	if o.Agree(0, recv.vector().Length(), op.Reduction) {
		b, in, out := scattered(o, send, recv)
		schedule.ReduceScatterBlock(b, c.ranks(), in, out, recv.vector(), c.grouping(op), schedule.Start)
	}
	return c.launch(f, o)
}

// ReduceScatter is ReduceScatterBlock of parts of different lengths: counts has that of each rank, in elements.
func (c *View) ReduceScatter(f Form, send, recv Buffer, counts []int, op Op) (*Request, error) {
	if c.Inter() {
		return c.reduceScatterBetween(collective.ReduceScatter, f, send, recv, counts, op)
	}
	o, err := c.beginReducing(collective.ReduceScatter, f, send.Type, op)
	if err != nil {
		return nil, err
	}
	layout := c.resolve(o, Layout{Counts: counts}, "send", send)
	c.own(o, layout, "send", send, recv, true)
	c.congruent(o, send, recv)
	lengths, total := 0, 0
	for _, n := range layout.Counts {
		lengths, total = collective.Mix(lengths, n), total+n
	}
	if total != send.Count {
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrCount, "the send buffer has %s, the counts make %d", mpierr.Plural(send.Count, "element"), total))
	}
	if o.Agree(0, lengths, op.Reduction) {
		b, in, out := scattered(o, send, recv)
		schedule.ReduceScatter(b, c.ranks(), in, out, counts, send.vector().Elem, c.grouping(op), schedule.Start)
	}
	return c.launch(f, o)
}

// scattered sets the memory of the operation. If recv is within send, as this rank's part or at the beginning (MPI_IN_PLACE), the
// result goes there over memory of the schedule.
func scattered(o *collective.Operation, send, recv Buffer) (b *schedule.Builder, in, out schedule.Part) {
	o.In, o.Out = slots(o, send, load), slots(o, recv, store)
	b = o.Builder()
	in, out = slotted(schedule.In, send), slotted(schedule.Out, recv)
	if overlapping(o.In, o.Out) {
		out.Offset = distance(o.Out, o.In)
		o.Out = o.In
		b.InPlace(0)
	}
	return b, in, out
}
