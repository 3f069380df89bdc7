package mpitest

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// kind is a collective operation as the standard defines it.
type kind[T comparable] struct {
	name string
	// lengths are those of the vectors of a rank.
	lengths func(x *example[T], rank int) (send, recv int)
	// place is where the shorter one may be in the longer one, negative for nowhere; nil: nowhere at all.
	place func(x *example[T], rank int) int
	// want makes out, what a rank has in recv before, what it has there afterwards.
	want func(x *example[T], rank int, out []T)
	// now, later and keep are its forms: blocking, nonblocking and persistent.
	now   func(x *example[T], c *mpi.Comm, send, recv []T) error
	later func(x *example[T], c *mpi.Comm, send, recv []T) (*mpi.Request, error)
	keep  func(x *example[T], c *mpi.Comm, send, recv []T) (*mpi.Request, error)
}

// kinds is how many kindsOf has.
const kinds = 17

// layout has parts of lengths that differ, with an element between them that belongs to no rank.
func layout(counts []int) (l mpi.Layout, span int) {
	l.Counts = counts
	for _, n := range counts {
		l.Displs = append(l.Displs, span)
		span += n + 1
	}
	return l, span
}

// atRoot is n at the root, nothing elsewhere.
func (x *example[T]) atRoot(rank, n int) int {
	if rank == x.root {
		return n
	}
	return 0
}

// onlyRoot is a place at the root, nowhere elsewhere.
func (x *example[T]) onlyRoot(rank, at int) int {
	if rank == x.root {
		return at
	}
	return -1
}

func same[T comparable](x *example[T], _ int) (send, recv int) { return x.length, x.length }

func begin[T comparable](*example[T], int) int { return 0 }

// blocks puts what all ranks send one after the other.
func (x *example[T]) blocks(out []T) { copy(out, slices.Concat(x.send...)) }

// parts puts what all ranks send where the layout says.
func (x *example[T]) parts(out []T) {
	l, _ := layout(x.counts)
	for i, at := range l.Displs {
		copy(out[at:], x.send[i])
	}
}

// kindsOf are all kinds, in the order of their numbers.
func kindsOf[T comparable]() []kind[T] {
	return slices.Concat(rootedKinds[T](), exchangingKinds[T](), reducingKinds[T]())
}

func sum(counts []int) (n int) {
	for _, count := range counts {
		n += count
	}
	return n
}
