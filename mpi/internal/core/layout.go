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

// resolve checks the layout of a buffer and returns it with its Displs. what
// is "send" or "receive".
func (l Layout) resolve(op, what string, ranks int, buffer Buffer) (Layout, *mpierr.Error) {
	length := buffer.Count
	if len(l.Counts) != ranks {
		return l, mpierr.Invalid(op, rpi.ErrCount, "the %s layout has %s for %s", what, mpierr.Plural(len(l.Counts), "count"), mpierr.Plural(ranks, "rank"))
	}
	packed := l.Displs == nil
	if packed {
		l.Displs = make([]int, ranks)
	}
	if len(l.Displs) != ranks {
		return l, mpierr.Invalid(op, rpi.ErrArg, "the %s layout has %s for %s", what, mpierr.Plural(len(l.Displs), "displacement"), mpierr.Plural(ranks, "rank"))
	}
	end := 0
	for i, count := range l.Counts {
		if packed {
			l.Displs[i] = end
		}
		first := l.Displs[i]
		switch {
		case count < 0:
			return l, mpierr.Invalid(op, rpi.ErrCount, "the %s count of rank %d is %d", what, i, count)
		case first < 0 || first > length || count > length-first:
			return l, mpierr.Invalid(op, rpi.ErrArg, "the %s part of rank %d, %s from %d on, is not within the buffer of %d",
				what, i, mpierr.Plural(count, "element"), first, length)
		}
		end = first + count
	}
	if what == "receive" && !packed {
		return l, l.disjoint(op)
	}
	return l, nil
}

// disjoint checks that no element belongs to two ranks.
func (l Layout) disjoint(op string) *mpierr.Error {
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
			return mpierr.Invalid(op, rpi.ErrArg, "the receive parts of ranks %d and %d overlap: %s from %d on, %s from %d on",
				a, b, mpierr.Plural(l.Counts[a], "element"), l.Displs[a], mpierr.Plural(l.Counts[b], "element"), l.Displs[b])
		}
	}
	return nil
}

// part is the part of rank i.
func (l Layout) part(buffer Buffer, i int) []byte {
	return buffer.part(l.Displs[i], l.Counts[i])
}

// parts says which part of a buffer belongs to each rank.
func (l Layout) parts(as schedule.Buffer, buffer Buffer) func(rank int) schedule.Part {
	size := buffer.Type.Size
	return func(rank int) schedule.Part {
		return schedule.Part{Buffer: as, Offset: l.Displs[rank] * size, Length: l.Counts[rank] * size}
	}
}

// resolve checks l with Layout.resolve. An error becomes that of the call.
func (c *Comm) resolve(o *collective.Operation, l Layout, what string, buffer Buffer) Layout {
	if o.Err() == nil {
		var err *mpierr.Error
		l, err = l.resolve(o.Op(), what, c.group.Size(), buffer)
		o.Require(err)
	}
	return l
}

// even checks that buffer has a block for each rank, of the length of block,
// and that the two do not overlap unless block is this rank's own.
func (c *Comm) even(o *collective.Operation, what string, buffer, block Buffer) {
	if o.Err() != nil {
		return
	}
	size := c.group.Size()
	if want := block.Count * size; buffer.Count != want {
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrCount, "the %s buffer has %s; %d ranks with %d each make %d",
			what, mpierr.Plural(buffer.Count, "element"), size, block.Count, want))
		return
	}
	o.Require(apart(o.Op(), buffer, block, buffer.part(c.rank*block.Count, block.Count)))
}

// own checks that this rank's own part of buffer has the length of block, and
// that the two do not overlap unless they are the same (MPI_IN_PLACE).
func (c *Comm) own(o *collective.Operation, l Layout, what string, buffer, block Buffer) {
	if o.Err() != nil {
		return
	}
	if l.Counts[c.rank] != block.Count {
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrCount, "the %s count of rank %d, this one, is %d, but its buffer has %s",
			what, c.rank, l.Counts[c.rank], mpierr.Plural(block.Count, "element")))
		return
	}
	o.Require(apart(o.Op(), buffer, block, l.part(buffer, c.rank)))
}

// apart checks that block does not overlap buffer, unless it is its own part
// of it (MPI_IN_PLACE).
func apart(op string, buffer, block Buffer, own []byte) *mpierr.Error {
	if overlapping(buffer.Bytes(), block.Bytes()) && !same(own, block.Bytes()) {
		return mpierr.Invalid(op, rpi.ErrBuffer, "the send and the receive buffer overlap, but not at this rank's own part")
	}
	return nil
}
