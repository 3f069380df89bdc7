package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Root is the root of a collective operation of an intercommunicator, as the root itself names it. The others of its group
// pass ProcNull and have no part in it; those of the other group pass its rank.
const Root = -4

// side is the part of a process in such an operation.
type side uint8

const (
	aside  side = iota
	atRoot      // it exchanges something with all of the other group
	facing      // it is in the other group
)

// onBoth are the operations that intercommunicators have.
var onBoth = [...]bool{
	collective.Barrier: true, collective.Bcast: true, collective.Gather: true, collective.Gatherv: true, collective.Scatter: true,
	collective.Scatterv: true, collective.Allgather: true, collective.Allgatherv: true, collective.Alltoall: true, collective.Alltoallv: true,
	collective.Alltoallw: true, collective.Reduce: true, collective.Allreduce: true, collective.ReduceScatter: true,
	collective.ReduceScatterBlock: true, collective.Dup: true, collective.Free: true, collective.Split: true, collective.Create: true,
	collective.SetInfo: true,
}

// facing finds the part of this process in an operation with a root, and the number of the root.
func (c *View) facing(o *collective.Operation, root int) (s side, number int32) {
	o.Pairwise() // those aside do not know what the others exchange
	switch {
	case root == Root:
		return atRoot, c.near[c.rank]
	case root == ProcNull:
		return aside, 0
	case root < 0 || root >= c.peers.Size():
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrRoot, "root %d is neither Root, ProcNull nor a rank of the other group, of %s", root, mpierr.Plural(c.peers.Size(), "rank")))
		return aside, 0
	}
	return facing, c.far[root]
}

// nearRanks is the group of this process, as algorithms see it.
func (c *Comm) nearRanks() schedule.Ranks {
	return schedule.Ranks{Me: c.rank, Size: len(c.near), In: c.near}
}

func (c *View) bcastBetween(f Form, buf Buffer, root int) (*Request, error) {
	o, err := c.begin(collective.Bcast, f, buf.Type)
	if err != nil {
		return nil, err
	}
	s, number := c.facing(o, root)
	if s != aside {
		c.valid(o, buf)
	}
	if o.Agree(int(number), buf.Len(), 0) {
		b := o.Builder()
		switch s {
		case atRoot:
			o.Out = memory(o, buf, load)
			schedule.Bcast(b, schedule.Ranks{Size: 1 + len(c.far), In: append([]int32{number}, c.far...)}, 0, whole(schedule.Out, buf), schedule.Start)
		case facing:
			o.Out = memory(o, buf, store)
			schedule.Bcast(b, schedule.Ranks{Me: 1 + c.rank, Size: 1 + len(c.near), In: append([]int32{number}, c.near...)}, 0, whole(schedule.Out, buf), schedule.Start)
		}
	}
	return c.launch(f, o)
}

// evenly is the layout of equal parts for the ranks of the other group.
func (c *View) evenly(o *collective.Operation, what string, buffer Buffer) Layout {
	n := c.peers.Size()
	if buffer.Count%n != 0 {
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrCount, "the %s buffer has %s, which cannot be divided evenly among the %d ranks of the other group",
			what, mpierr.Plural(buffer.Count, "element"), n))
	}
	counts := make([]int, n)
	for i := range counts {
		counts[i] = buffer.Count / n
	}
	return Layout{Counts: counts}
}

// rootBetween is Gather and Gatherv if it gathers, else Scatter and Scatterv. all is the buffer of the root, with a part for each
// rank of the other group: equal parts if layout is nil. own is the buffer of each of these.
func (c *View) rootBetween(r collective.Routine, f Form, gathers bool, all Buffer, layout *Layout, own Buffer, root int) (*Request, error) {
	t, what := own.Type, "send"
	if root == Root {
		t = all.Type
	}
	if gathers {
		what = "receive"
	}
	o, err := c.begin(r, f, t)
	if err != nil {
		return nil, err
	}
	s, number := c.facing(o, root)
	var parts Layout
	switch s {
	case atRoot:
		parts = c.partsFor(o, what, all, layout)
	case facing:
		c.valid(o, own)
	}
	if o.Agree(int(number), 0, 0) {
		b := o.Builder()
		move, bytes, as, u := b.Send, &o.In, schedule.In, load
		if gathers == (s == atRoot) {
			move, bytes, as, u = b.Recv, &o.Out, schedule.Out, store
		}
		switch s {
		case atRoot:
			*bytes = memoryOf(o, all, parts, u)
			at := parts.parts(as, all)
			for i, peer := range c.far {
				move(int(peer), at(i), schedule.Start)
			}
		case facing:
			*bytes = memory(o, own, u)
			move(int(number), whole(as, own), schedule.Start)
		}
	}
	return c.launch(f, o)
}

// partsFor is the layout of a buffer with a part for each rank of the other group: equal parts if layout is nil.
func (c *View) partsFor(o *collective.Operation, what string, buffer Buffer, layout *Layout) Layout {
	c.valid(o, buffer)
	if layout == nil {
		equal := c.evenly(o, what, buffer)
		layout = &equal
	}
	if o.Err() != nil {
		return *layout
	}
	resolved, err := layout.resolve(o.Op(), what, c.peers.Size(), "rank", buffer)
	o.Require(err)
	return resolved
}

// cross sends a part to each rank of the other group, and receives one from it. Each begins with another one.
func (c *Comm) cross(b *schedule.Builder, out, in func(i int) schedule.Part) {
	n := len(c.far)
	for step := range n {
		i := (c.rank + step) % n
		b.Send(int(c.far[i]), out(i), schedule.Start)
		b.Recv(int(c.far[i]), in(i), schedule.Start)
	}
}

// allgatherBetween is Allgather if layout is nil, else Allgatherv: each rank gets what those of the other group send.
func (c *View) allgatherBetween(r collective.Routine, f Form, send, recv Buffer, layout *Layout) (*Request, error) {
	o, err := c.begin(r, f, noType)
	if err != nil {
		return nil, err
	}
	c.valid(o, send)
	parts := c.partsFor(o, "receive", recv, layout)
	if o.Err() == nil {
		o.Require(send.apart(o.Op(), recv))
	}
	if o.Agree(0, 0, 0) {
		o.In, o.Out = memory(o, send, load), memoryOf(o, recv, parts, store)
		c.cross(o.Builder(), func(int) schedule.Part { return whole(schedule.In, send) }, parts.parts(schedule.Out, recv))
	}
	return c.launch(f, o)
}

// alltoallBetween is Alltoall if the layouts are nil, else Alltoallv.
func (c *View) alltoallBetween(r collective.Routine, f Form, send Buffer, sendLayout *Layout, recv Buffer, recvLayout *Layout) (*Request, error) {
	o, err := c.begin(r, f, noType)
	if err != nil {
		return nil, err
	}
	out, in := c.partsFor(o, "send", send, sendLayout), c.partsFor(o, "receive", recv, recvLayout)
	if o.Err() == nil {
		o.Require(send.apart(o.Op(), recv))
	}
	if o.Agree(0, 0, 0) {
		o.In, o.Out = memoryOf(o, send, out, load), memoryOf(o, recv, in, store)
		c.cross(o.Builder(), out.parts(schedule.In, send), in.parts(schedule.Out, recv))
	}
	return c.launch(f, o)
}

func (c *View) alltoallwBetween(f Form, send, recv []Buffer) (*Request, error) {
	o, err := c.begin(collective.Alltoallw, f, noType)
	if err != nil {
		return nil, err
	}
	from, to := blocks{n: len(send), list: send}, blocks{n: len(recv), list: recv}
	perPeer(o, "send", len(send), c.peers.Size(), "rank of the other group")
	perPeer(o, "receive", len(recv), c.peers.Size(), "rank of the other group")
	checked(o, &from, &to)
	if exchanged(o, &from, &to) {
		c.cross(o.Builder(), o.Block, func(i int) schedule.Part { return o.Block(from.n + i) })
	}
	return c.launch(f, o)
}
