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
func (l Layout) resolve(op, what string, ranks int, buffer elements) (Layout, error) {
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
func (l Layout) disjoint(op string) error {
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

// even checks that buffer has a block for each rank, of the length of block,
// and that the two do not overlap unless block is this rank's own.
func (c *Comm) even(op, what string, buffer, block elements) error {
	if want := block.count() * c.group.size; buffer.count() != want {
		return invalid(op, ErrCount, "the %s buffer has %s; %d ranks with %d each make %d",
			what, plural(buffer.count(), "element"), c.group.size, block.count(), want)
	}
	return apart(op, buffer, block, buffer.part(c.rank*block.count(), block.count()))
}

// own checks that a rank's own part of buffer has the length of block, and
// that the two do not overlap unless they are the same (MPI_IN_PLACE).
func (l Layout) own(op, what string, buffer, block elements, rank int) error {
	if l.Counts[rank] != block.count() {
		return invalid(op, ErrCount, "the %s count of rank %d, this one, is %d, but its buffer has %s",
			what, rank, l.Counts[rank], plural(block.count(), "element"))
	}
	return apart(op, buffer, block, l.part(buffer, rank))
}

// apart checks that block does not overlap buffer, unless it is its own part
// of it (MPI_IN_PLACE).
func apart(op string, buffer, block elements, own []byte) error {
	if overlapping(buffer.bytes, block.bytes) && !same(own, block.bytes) {
		return invalid(op, ErrBuffer, "the send and the receive buffer overlap, but not at this rank's own part")
	}
	return nil
}
