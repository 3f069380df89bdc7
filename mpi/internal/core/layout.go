package core

import (
	"cmp"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Layout says which part of a buffer belongs to which rank, in elements: a number of them for
// each rank, and where they begin. Without Displs the parts follow each other.
type Layout struct {
	Counts []int
	Displs []int
}

// resolve checks the layout of a buffer, which has parts for n things of a kind, and returns it with its Displs. what
// is "send" or "receive". Parts of loose types may overlap, as other libraries let programs in C have it: what such an
// element holds in the end is one of the values.
func (l Layout) resolve(op, what string, n int, kind string, buffer Buffer) (Layout, *mpierr.Error) {
	length := buffer.Count
	if len(l.Counts) != n {
		return l, mpierr.Invalid(op, rpi.ErrCount, "the %s layout has %s for %s", what, mpierr.Plural(len(l.Counts), "count"), mpierr.Plural(n, kind))
	}
	packed := l.Displs == nil
	if packed {
		l.Displs = make([]int, n)
	}
	if len(l.Displs) != n {
		return l, mpierr.Invalid(op, rpi.ErrArg, "the %s layout has %s for %s", what, mpierr.Plural(len(l.Displs), "displacement"), mpierr.Plural(n, kind))
	}
	end := 0
	for i, count := range l.Counts {
		if packed {
			l.Displs[i] = end
		}
		first := l.Displs[i]
		switch {
		case count < 0:
			return l, mpierr.Invalid(op, rpi.ErrCount, "the %s count of %s %d is %d", what, kind, i, count)
		case first < 0 || first > length || count > length-first:
			return l, mpierr.Invalid(op, rpi.ErrArg, "the %s part of %s %d, %s from %d on, is not within the buffer of %d",
				what, kind, i, mpierr.Plural(count, "element"), first, length)
		}
		end = first + count
	}
	if what == "receive" && !packed && !buffer.Type.Loose() {
		return l, l.disjoint(op, kind)
	}
	return l, nil
}

// disjoint checks that no element belongs to two parts.
func (l Layout) disjoint(op, kind string) *mpierr.Error {
	order := make([]int, 0, len(l.Counts))
	for i, count := range l.Counts {
		if count > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(l.Displs[a], l.Displs[b]) })
	for i := 1; i < len(order); i++ {
		a, b := order[i-1], order[i]
		if l.Displs[a]+l.Counts[a] > l.Displs[b] {
			return mpierr.Invalid(op, rpi.ErrArg, "the receive parts of %ss %d and %d overlap: %s from %d on, %s from %d on",
				kind, a, b, mpierr.Plural(l.Counts[a], "element"), l.Displs[a], mpierr.Plural(l.Counts[b], "element"), l.Displs[b])
		}
	}
	return nil
}

// part is the part of rank i.
func (l Layout) part(buffer Buffer, i int) Buffer {
	return buffer.section(l.Displs[i], l.Counts[i])
}

// parts says which part of a buffer, or of the image that load or store has made of it, belongs to each rank.
func (l Layout) parts(as schedule.Buffer, buffer Buffer) func(rank int) schedule.Part {
	size := int(buffer.Type.Size())
	starts := l.Displs
	if !buffer.Type.Dense() {
		starts = make([]int, len(l.Counts))
		for i := 1; i < len(starts); i++ {
			starts[i] = starts[i-1] + l.Counts[i-1]
		}
	}
	return func(rank int) schedule.Part {
		return schedule.Part{Buffer: as, Offset: starts[rank] * size, Length: l.Counts[rank] * size}
	}
}

// resolve checks l with Layout.resolve. An error becomes that of the call.
func (c *Comm) resolve(o *collective.Operation, l Layout, what string, buffer Buffer) Layout {
	c.valid(o, buffer)
	if o.Err() == nil {
		var err *mpierr.Error
		l, err = l.resolve(o.Op(), what, c.group.Size(), "rank", buffer)
		o.Require(err)
	}
	return l
}

// even checks that buffer has a block for each rank, each as long as block, and that buffer and block do not overlap. They may if block is this
// rank's own part of buffer. If top is set, block may also be at the beginning of buffer.
func (c *Comm) even(o *collective.Operation, what string, buffer, block Buffer, top bool) {
	c.valid(o, buffer)
	c.valid(o, block)
	if o.Err() != nil {
		return
	}
	size := c.group.Size()
	if want := block.Len() * size; buffer.Len() != want || buffer.Count%size != 0 {
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrCount, "the %s buffer has %s; %d ranks with %d each make %d",
			what, mpierr.Plural(buffer.items(), "element"), size, block.items(), block.items()*size))
		return
	}
	c.alike(o, what, buffer, block)
	if each := buffer.Count / size; !(top && block.Addr == buffer.Addr) {
		o.Require(apart(o.Op(), buffer, block, buffer.section(c.rank*each, each)))
	}
}

// own checks that this rank's own part of buffer has the length of block, and that the two do not overlap unless they are the same
// (MPI_IN_PLACE), or as even allows.
func (c *Comm) own(o *collective.Operation, l Layout, what string, buffer, block Buffer, top bool) {
	c.valid(o, block)
	if o.Err() != nil {
		return
	}
	part := l.part(buffer, c.rank)
	if part.Len() != block.Len() {
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrCount, "the %s count of rank %d, this one, is %d, but its buffer has %s",
			what, c.rank, part.items(), mpierr.Plural(block.items(), "element")))
		return
	}
	c.alike(o, what, buffer, block)
	if !(top && block.Addr == buffer.Addr) {
		o.Require(apart(o.Op(), buffer, block, part))
	}
}

// valid checks a buffer.
func (c *Comm) valid(o *collective.Operation, b Buffer) {
	if o.Err() == nil {
		o.Require(b.wrong(o.Op()))
	}
}

// alike checks that the two buffers of a rank, of which one is the what buffer, have elements of the same kinds. One without any
// matches all.
func (c *Comm) alike(o *collective.Operation, what string, buffer, other Buffer) {
	if a, b := buffer.Type, other.Type; buffer.Count > 0 && other.Count > 0 && !a.Alike(b) {
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrType, "the %s buffer has elements of %s, the other buffer of %s", what, a.Name(), b.Name()))
	}
}

// apart checks that block does not overlap buffer, unless it is its own part of it (MPI_IN_PLACE). Memory that is not one piece
// is not checked.
func apart(op string, buffer, block, own Buffer) *mpierr.Error {
	all, ok := buffer.Piece()
	some, both := block.Piece()
	if ok && both && overlapping(all, some) {
		if mine, one := own.Piece(); !one || !same(mine, some) {
			return mpierr.Invalid(op, rpi.ErrBuffer, "the send and the receive buffer overlap, but not at this rank's own part")
		}
	}
	return nil
}
