package mpi

import (
	"cmp"
	"slices"
)

// Layout says which part of a buffer belongs to which rank, in elements: rank
// i has Counts[i] elements from Displs[i] on. Without Displs the parts follow
// each other in the order of ranks. The buffer may have gaps, and elements
// after the last part; parts that are received must not overlap.
type Layout struct {
	Counts []int
	Displs []int
}

// resolve checks the layout of a buffer and returns it with its Displs. what
// is "send" or "receive".
func (l Layout) resolve(op, what string, ranks int, buffer elements) (Layout, *Error) {
	length := buffer.count()
	if len(l.Counts) != ranks {
		return l, invalid(op, ErrCount, "the %s layout has %s for %s", what, plural(len(l.Counts), "count"), plural(ranks, "rank"))
	}
	packed := l.Displs == nil
	if packed {
		l.Displs = make([]int, ranks)
	}
	if len(l.Displs) != ranks {
		return l, invalid(op, ErrArg, "the %s layout has %s for %s", what, plural(len(l.Displs), "displacement"), plural(ranks, "rank"))
	}
	end := 0
	for i, count := range l.Counts {
		if packed {
			l.Displs[i] = end
		}
		first := l.Displs[i]
		switch {
		case count < 0:
			return l, invalid(op, ErrCount, "the %s count of rank %d is %d", what, i, count)
		case first < 0 || first > length || count > length-first:
			return l, invalid(op, ErrArg, "the %s part of rank %d, %s from %d on, is not within the buffer of %d",
				what, i, plural(count, "element"), first, length)
		}
		end = first + count
	}
	if what == "receive" && !packed {
		return l, l.disjoint(op)
	}
	return l, nil
}

// disjoint checks that no element belongs to two ranks.
func (l Layout) disjoint(op string) *Error {
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
			return invalid(op, ErrArg, "the receive parts of ranks %d and %d overlap: %s from %d on, %s from %d on",
				a, b, plural(l.Counts[a], "element"), l.Displs[a], plural(l.Counts[b], "element"), l.Displs[b])
		}
	}
	return nil
}

// part is the part of rank i.
func (l Layout) part(buffer elements, i int) []byte {
	return buffer.part(l.Displs[i], l.Counts[i])
}

// resolve checks l with Layout.resolve. An error becomes that of the call.
func (k *call) resolve(l Layout, what string, buffer elements) Layout {
	if k.err == nil {
		l, k.err = l.resolve(k.op, what, k.comm.group.size, buffer)
	}
	return l
}

// even checks that buffer has a block for each rank, of the length of block,
// and that the two do not overlap unless block is this rank's own.
func (k *call) even(what string, buffer, block elements) *Error {
	if k.err != nil {
		return k.err
	}
	size := k.comm.group.size
	if want := block.count() * size; buffer.count() != want {
		return invalid(k.op, ErrCount, "the %s buffer has %s; %d ranks with %d each make %d",
			what, plural(buffer.count(), "element"), size, block.count(), want)
	}
	return apart(k.op, buffer, block, buffer.part(k.comm.rank*block.count(), block.count()))
}

// own checks that this rank's own part of buffer has the length of block, and
// that the two do not overlap unless they are the same (MPI_IN_PLACE).
func (k *call) own(l Layout, what string, buffer, block elements) {
	if k.err != nil {
		return
	}
	rank := k.comm.rank
	if l.Counts[rank] != block.count() {
		k.err = invalid(k.op, ErrCount, "the %s count of rank %d, this one, is %d, but its buffer has %s",
			what, rank, l.Counts[rank], plural(block.count(), "element"))
		return
	}
	k.err = apart(k.op, buffer, block, l.part(buffer, rank))
}

// apart checks that block does not overlap buffer, unless it is its own part
// of it (MPI_IN_PLACE).
func apart(op string, buffer, block elements, own []byte) *Error {
	if overlapping(buffer.bytes, block.bytes) && !same(own, block.bytes) {
		return invalid(op, ErrBuffer, "the send and the receive buffer overlap, but not at this rank's own part")
	}
	return nil
}
