package mpi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
)

// The collective operations of this file move slices of lengths that only
// their owners know. Each is two collective operations of MPI: one tells the
// lengths, the other moves the elements. A rank that cannot take part tells the
// class of its error in place of a length, and all ranks fail. A rank on which
// the first operation has failed makes the second one all the same, so that the
// ranks on which it has not do not wait for it.

// BcastSlice returns root's slice on all ranks: root itself gets buf back,
// others a new slice of its length. The buf of other ranks is not used.
// Collective.
//
// It is Bcast (MPI 4.1, section 6.4) of the length and then of the elements,
// with the errors of Bcast.
func BcastSlice[T any](c *Comm, buf []T, root int) ([]T, error) {
	const op = "mpi.BcastSlice"
	buf, err := bcastSlice(c, op, buf, nil, root)
	return buf, named(op, err)
}

// GatherSlices returns the slices of all ranks at root, in the order of ranks,
// and nil elsewhere. They may have different lengths, which root need not know.
// What root gets is one block of memory: that of a rank ends where the next
// one's begins. Collective.
//
// It is Allgather of the lengths and Gatherv of the elements (MPI 4.1, sections
// 6.7 and 6.5), with the errors of Gatherv.
func GatherSlices[T any](c *Comm, send []T, root int) ([][]T, error) {
	const op = "mpi.GatherSlices"
	all, err := gatherSlices(c, op, send, nil, root)
	return all, named(op, err)
}

// AllgatherSlices returns the slices of all ranks, in the order of ranks, on
// all of them: GatherSlices to every rank. Collective.
//
// It is Allgather of the lengths and Allgatherv of the elements (MPI 4.1,
// section 6.7), with the errors of Allgatherv.
func AllgatherSlices[T any](c *Comm, send []T) ([][]T, error) {
	const op = "mpi.AllgatherSlices"
	all, err := allgatherSlices(c, op, send, nil)
	return all, named(op, err)
}

// ScatterSlices returns on each rank the slice at its place in root's send, of
// which there are as many as ranks (else ErrCount). They may have different
// lengths. The send of other ranks is not used. Collective.
//
// It is Scatter of the lengths and Scatterv of the elements (MPI 4.1, section
// 6.6), with the errors of Scatterv.
func ScatterSlices[T any](c *Comm, send [][]T, root int) ([]T, error) {
	const op = "mpi.ScatterSlices"
	mine, err := scatterSlices(c, op, send, nil, root)
	return mine, named(op, err)
}

// AlltoallSlices sends slice i of each rank's send to rank i and returns what
// this one has got, in the order of the senders. There are as many slices as
// ranks (else ErrCount), of whatever lengths. What is returned is one block of
// memory. Collective.
//
// It is Alltoall of the lengths and Alltoallv of the elements (MPI 4.1, section
// 6.8), with the errors of Alltoallv.
func AlltoallSlices[T any](c *Comm, send [][]T) ([][]T, error) {
	const op = "mpi.AlltoallSlices"
	all, err := alltoallSlices(c, op, send, nil)
	return all, named(op, err)
}

// What follows takes the error with which this rank has come, nil if it can
// take part.

func bcastSlice[T any](c *Comm, op string, buf []T, mine error, root int) ([]T, error) {
	if err := c.core().Intra(op); err != nil {
		return nil, public(err)
	}
	n, err := BcastValue(c, extent(len(buf), mine), root)
	if err = firstOf(mine, err); err == nil && c.Rank() != root {
		buf, err = room[T](op, root, n)
	}
	return buf, finish(c, err, func(c *Comm) error { return Bcast(c, buf, root) })
}

func gatherSlices[T any](c *Comm, op string, send []T, mine error, root int) ([][]T, error) {
	if err := c.core().Intra(op); err != nil {
		return nil, public(err)
	}
	counts, err := AllgatherValues(c, extent(len(send), mine))
	var all []T
	if err = firstOf(mine, err); err == nil {
		if c.Rank() == root {
			all, err = room[T](op, 0, counts...)
		} else {
			err = refused(op, 0, counts...)
		}
	}
	if err = finish(c, err, func(c *Comm) error { return Gatherv(c, send, all, Layout{Counts: counts}, root) }); err != nil || c.Rank() != root {
		return nil, err
	}
	return parts(all, counts), nil
}

func allgatherSlices[T any](c *Comm, op string, send []T, mine error) ([][]T, error) {
	if err := c.core().Intra(op); err != nil {
		return nil, public(err)
	}
	counts, err := AllgatherValues(c, extent(len(send), mine))
	var all []T
	if err = firstOf(mine, err); err == nil {
		all, err = room[T](op, 0, counts...)
	}
	if err = finish(c, err, func(c *Comm) error { return Allgatherv(c, send, all, Layout{Counts: counts}) }); err != nil {
		return nil, err
	}
	return parts(all, counts), nil
}

func scatterSlices[T any](c *Comm, op string, send [][]T, mine error, root int) ([]T, error) {
	if err := c.core().Intra(op); err != nil {
		return nil, public(err)
	}
	var counts []int
	var all, recv []T
	if c.Rank() == root {
		mine = cmp.Or(mine, perRank(c, op, len(send)))
		counts, all = joined(c, send, mine)
	}
	n, err := ScatterValues(c, counts, root)
	if err = firstOf(mine, err); err == nil {
		recv, err = room[T](op, root, n)
	}
	err = finish(c, err, func(c *Comm) error { return Scatterv(c, all, Layout{Counts: counts}, recv, root) })
	if err != nil {
		return nil, err
	}
	return recv, nil
}

func alltoallSlices[T any](c *Comm, op string, send [][]T, mine error) ([][]T, error) {
	if err := c.core().Intra(op); err != nil {
		return nil, public(err)
	}
	mine = cmp.Or(mine, perRank(c, op, len(send)))
	out, all := joined(c, send, mine)
	in := make([]int, c.Size())
	err := firstOf(mine, Alltoall(c, out, in))
	var got []T
	if err == nil {
		got, err = room[T](op, 0, in...)
	}
	err = finish(c, err, func(c *Comm) error { return Alltoallv(c, all, Layout{Counts: out}, got, Layout{Counts: in}) })
	if err != nil {
		return nil, err
	}
	return parts(got, in), nil
}

// firstOf is the error of this rank: mine, with which it has come, or err, that
// of the first operation. If no operation can be made on the communicator that
// comes first.
func firstOf(mine, err error) error {
	if mine == nil || unusable(err) {
		return err
	}
	return mine
}

// unusable reports whether err means that a communicator takes no operations.
func unusable(err error) bool { return errors.Is(err, ErrComm) || errors.Is(err, ErrClosed) }

// extent is what a rank tells of its slice: the length, or less than 0 if it
// fails with err.
func extent(length int, err error) int {
	if err == nil {
		return length
	}
	var e *Error
	if errors.As(err, &e) {
		return -int(e.Class)
	}
	return -int(ErrOther)
}

// refused is the error that ranks have told in place of lengths, nil if they
// have not. The first extent is that of rank first.
func refused(op string, first int, extents ...int) error {
	for i, n := range extents {
		if n < 0 {
			return invalid(op, Class(-n), "%s", mpierr.FailedOn(fmt.Sprintf("rank %d", first+i), Class(-n))).about(first + i)
		}
	}
	return nil
}

// room returns a slice for the elements of all ranks, unless one has told that
// it fails.
func room[T any](op string, first int, extents ...int) ([]T, error) {
	if err := refused(op, first, extents...); err != nil {
		return nil, err
	}
	var zero T
	size, total := uint64(unsafe.Sizeof(zero)), uint64(0)
	if size == 0 { // an element that cannot be sent, which the operation says
		return nil, nil
	}
	const limit uint64 = matching.MaxLength
	for _, n := range extents {
		if uint64(n) > (limit-total)/size {
			return nil, invalid(op, ErrCount, "the slices of all ranks exceed the limit of %d bytes", limit)
		}
		total += uint64(n) * size
	}
	return make([]T, total/size), nil
}

// perRank is the error of a number of slices that is not the number of ranks.
func perRank(c *Comm, op string, n int) error {
	if n == c.Size() {
		return nil
	}
	return invalid(op, ErrCount, "%s for %s", plural(n, "slice"), plural(c.Size(), "rank"))
}

// joined returns the lengths of the slices for all ranks, and their elements
// one after the other. If err is not nil it is what all ranks are told.
func joined[T any](c *Comm, slices [][]T, err error) (counts []int, all []T) {
	counts = make([]int, c.Size())
	var zero T
	total := 0
	for i := range counts {
		if err != nil {
			counts[i] = extent(0, err)
			continue
		}
		counts[i] = len(slices[i])
		total += counts[i]
	}
	if err == nil && unsafe.Sizeof(zero) > 0 { // else the operation refuses them
		all = make([]T, 0, total)
		for _, s := range slices {
			all = append(all, s...)
		}
	}
	return counts, all
}

// parts cuts all into slices of the given lengths.
func parts[T any](all []T, counts []int) [][]T {
	slices := make([][]T, len(counts))
	for i, n := range counts {
		slices[i], all = all[:n:n], all[n:]
	}
	return slices
}

// finish makes the second operation. If this rank has failed, with err, it
// takes part only so that others do not wait for it.
func finish(c *Comm, err error, second func(c *Comm) error) error {
	if err == nil {
		return second(c)
	}
	if unusable(err) {
		return err
	}
	ended, cancel := context.WithCancelCause(context.Background())
	cancel(err)
	_ = second(c.WithContext(ended))
	return err
}
