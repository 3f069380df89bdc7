package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Reductions of intercommunicators: what a group combines goes to the other one. It is combined at the first rank of
// the group, in the order of its ranks.

// combined combines the vectors of the group of this process at its first rank, in memory of the schedule.
func (c *View) combined(b *schedule.Builder, send Buffer, op Op) (result schedule.Part, done schedule.Ref) {
	v := send.vector()
	result = schedule.Part{Buffer: schedule.Scratch, Length: v.Length()} // not used
	if c.rank == 0 {
		result = b.Scratch(v.Length())
	}
	return result, schedule.Reduce(b, c.nearRanks(), 0, slotted(schedule.In, send), result, v, c.grouping(op), schedule.Start)
}

func (c *View) reduceBetween(f Form, send, recv Buffer, op Op, root int) (*Request, error) {
	t := send.Type
	if root == Root {
		t = recv.Type
	}
	o, err := c.beginReducing(collective.Reduce, f, t, op)
	if err != nil {
		return nil, err
	}
	s, number := c.facing(o, root)
	used := send
	if s == atRoot {
		used = recv
	}
	if s != aside {
		c.valid(o, used)
	}
	if o.Agree(int(number), used.vector().Length(), op.Reduction) {
		b := o.Builder()
		switch s {
		case atRoot:
			o.Out = slots(o, recv, store)
			b.Recv(int(c.far[0]), slotted(schedule.Out, recv), schedule.Start)
		case facing:
			o.In = slots(o, send, load)
			if result, done := c.combined(b, send, op); c.rank == 0 {
				b.Send(int(number), result, done)
			}
		}
	}
	return c.launch(f, o)
}

func (c *View) allreduceBetween(f Form, send, recv Buffer, op Op) (*Request, error) {
	o, err := c.reducing(collective.Allreduce, f, send, recv, op)
	if err != nil {
		return nil, err
	}
	if o.Err() == nil {
		o.Require(send.apart(o.Op(), recv))
	}
	if o.Agree(0, send.vector().Length(), op.Reduction) {
		o.In, o.Out = slots(o, send, load), slots(o, recv, store)
		b, out := o.Builder(), slotted(schedule.Out, recv)
		here := schedule.Start
		if result, done := c.combined(b, send, op); c.rank == 0 {
			b.Send(int(c.far[0]), result, done)
			here = b.Recv(int(c.far[0]), out, schedule.Start)
		}
		schedule.Bcast(b, c.nearRanks(), 0, out, here)
	}
	return c.launch(f, o)
}

// reduceScatterBetween is ReduceScatter. counts has the lengths of the parts of the ranks of this group.
func (c *View) reduceScatterBetween(r collective.Routine, f Form, send, recv Buffer, counts []int, op Op) (*Request, error) {
	o, err := c.beginReducing(r, f, send.Type, op)
	if err != nil {
		return nil, err
	}
	layout := c.resolve(o, Layout{Counts: counts}, "send", send)
	c.own(o, layout, "send", send, recv, false)
	c.congruent(o, send, recv)
	total := 0
	for _, n := range layout.Counts {
		total += n
	}
	if o.Err() == nil {
		if total != send.Count {
			o.Require(mpierr.Invalid(o.Op(), rpi.ErrCount, "the send buffer has %s, the counts make %d", mpierr.Plural(send.Count, "element"), total))
		}
		o.Require(send.apart(o.Op(), recv))
	}
	if o.Agree(0, send.vector().Length(), op.Reduction) {
		o.In, o.Out = slots(o, send, load), slots(o, recv, store)
		b, elem := o.Builder(), send.vector().Elem
		theirs, here := schedule.Part{}, schedule.Start
		if result, done := c.combined(b, send, op); c.rank == 0 {
			b.Send(int(c.far[0]), result, done)
			theirs = b.Scratch(result.Length)
			here = b.Recv(int(c.far[0]), theirs, schedule.Start)
		}
		at := func(i int) schedule.Part { return theirs.Sub(layout.Displs[i]*elem, layout.Counts[i]*elem) }
		schedule.Scatterv(b, c.nearRanks(), 0, slotted(schedule.Out, recv), at, here)
	}
	return c.launch(f, o)
}
