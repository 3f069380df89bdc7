package mpi_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// counts are lengths for which collectives have different algorithms.
var counts = []int{1, 300, 20_000}

// MPI 4.1, section 6.1: all ranks call the same operations in the same order. Where they
// do not, the ranks that meet get errors that name both, and the next call is in order.
func TestDifferentCollectivesDoNotMatch(t *testing.T) {
	type call = func(c *mpi.Comm, n int) error
	sum := func(c *mpi.Comm, n int) error { return mpi.Allreduce(c, make([]int, n), make([]int, n), mpi.Sum) }
	bcast := func(root int) call {
		return func(c *mpi.Comm, n int) error { return mpi.Bcast(c, make([]int, n), root) }
	}
	barrier := func(c *mpi.Comm, n int) error { return c.Barrier() }
	allgather := func(c *mpi.Comm, n int) error { return mpi.Allgather(c, make([]int, n), make([]int, 2*n)) }
	scan := func(c *mpi.Comm, n int) error { return mpi.Scan(c, make([]int, n), make([]int, n), mpi.Sum) }
	dup := func(c *mpi.Comm, n int) error { _, err := c.Dup(); return err }
	split := func(c *mpi.Comm, n int) error { _, err := c.Split(0, 0); return err }
	for _, test := range []struct {
		zero, one         call
		zeroName, oneName string
	}{
		{sum, bcast(1), "Allreduce", "Bcast"},
		{sum, barrier, "Allreduce", "Barrier"},
		{sum, allgather, "Allreduce", "Allgather"},
		{sum, scan, "Allreduce", "Scan"},
		{barrier, split, "Barrier", "Split"},
		{split, dup, "Split", "Dup"},
		{barrier, sum, "Barrier", "Allreduce"},
		{allgather, split, "Allgather", "Split"},
	} {
		t.Run(test.zeroName+" and "+test.oneName, func(t *testing.T) {
			disagreeing(t, 2, func(t *testing.T, world *mpi.Comm) {
				for _, n := range counts {
					calls, names := []call{test.zero, test.one}, []string{test.zeroName, test.oneName}
					me, other := world.Rank(), 1-world.Rank()
					err := calls[me](world, n)
					if err != nil || me == 0 {
						require.ErrorContains(t, err, fmt.Sprintf("rank %d called %s where this rank called %s", other, names[other], names[me]))
						require.ErrorIs(t, err, mpi.ErrOther)
					}
					require.NoError(t, sum(world, n))
				}
			})
		})
	}
}

// The same, for what the ranks must agree on in one operation.
func TestDifferentArgumentsDoNotMatch(t *testing.T) {
	askSoon(t)
	by := func(c *mpi.Comm, n int, op mpi.Op[int]) error {
		return mpi.Allreduce(c, make([]int, n), make([]int, n), op)
	}
	for name, test := range map[string]struct {
		class mpi.Class
		call  func(c *mpi.Comm, n int) error
		want  [2]string // of each rank
	}{
		"Sum and Max": {mpi.ErrOp, func(c *mpi.Comm, n int) error { return by(c, n, []mpi.Op[int]{mpi.Sum[int], mpi.Max[int]}[c.Rank()]) },
			[2]string{"rank 1 reduces by max where this rank reduces by sum", "rank 0 reduces by sum where this rank reduces by max"}},
		"LogicalOr and LogicalXor": {mpi.ErrOp, func(c *mpi.Comm, n int) error {
			v := make([]bool, n)
			return mpi.Allreduce(c, v, v, []mpi.Op[bool]{mpi.LogicalOr[bool], mpi.LogicalXor[bool]}[c.Rank()])
		}, [2]string{"by logical xor where this rank reduces by logical or", "by logical or where this rank reduces by logical xor"}},
		"Reduce to each its own root": {mpi.ErrRoot, func(c *mpi.Comm, n int) error {
			return mpi.Reduce(c, make([]int, n), make([]int, n), mpi.Sum, c.Rank())
		}, [2]string{"rank 1's root is 1 where this rank's is 0", "rank 0's root is 0 where this rank's is 1"}},
		"Alltoall of other types": {mpi.ErrType, func(c *mpi.Comm, n int) error {
			if c.Rank() == 0 {
				return mpi.Alltoall(c, make([]float64, 2*n), make([]float64, 2*n))
			}
			return mpi.Alltoall(c, make([]int16, 2*n), make([]int16, 2*n))
		}, [2]string{"of int16 where this rank passes", "of float64 where this rank passes"}},
		"Allreduce of no elements of other types": {mpi.ErrType, func(c *mpi.Comm, n int) error {
			if c.Rank() == 0 {
				return mpi.Allreduce(c, []float64{}, []float64{}, mpi.Sum)
			}
			return mpi.Allreduce(c, []int{}, []int{}, mpi.Sum)
		}, [2]string{"0 elements of int64 where this rank passes 0 of float64", "0 elements of float64 where this rank passes 0 of int64"}},
		// Of 16 KiB each rank sends half, of 8 KiB all.
		"Allreduce of other lengths": {mpi.ErrCount, func(c *mpi.Comm, n int) error { return by(c, 1024*(c.Rank()+1), mpi.Sum) },
			[2]string{"rank 1 passes 2048 elements where this rank passes 1024", "rank 0 passes 1024 elements where this rank passes 2048"}},
	} {
		t.Run(name, func(t *testing.T) {
			disagreeing(t, 2, func(t *testing.T, world *mpi.Comm) {
				for _, n := range counts {
					err := test.call(world, n)
					require.ErrorContains(t, err, test.want[world.Rank()])
					require.ErrorIs(t, err, test.class)
					require.NoError(t, by(world, n, mpi.Sum))
				}
			})
		})
	}
}

// However many ranks there are, all of them end when one differs from the
// others, and their next call is in order.
func TestOneRankThatDiffersHangsNoOther(t *testing.T) {
	askSoon(t)
	for _, size := range []int{3, 4, 7} {
		disagreeing(t, size, func(t *testing.T, world *mpi.Comm) {
			for _, n := range counts {
				v, w, all := make([]int, n), make([]int, n), make([]int, n*size)
				calls := []func() error{
					world.Barrier,
					func() error { return mpi.Allreduce(world, v, w, mpi.Sum) },
					func() error { return mpi.Allgather(world, v, all) },
					func() error { return mpi.Alltoall(world, all, make([]int, n*size)) },
					func() error { return mpi.Reduce(world, v, w, mpi.Sum, 0) },
					func() error { _, err := world.Split(0, 0); return err },
				}
				for i, usual := range calls {
					odd, differs := i%size, calls[(i+1)%len(calls)]
					call := usual
					if world.Rank() == odd {
						call = differs
					}
					err := call()
					failed := make([]bool, size)
					require.NoError(t, mpi.Allgather(world, []bool{err != nil}, failed))
					require.Contains(t, failed, true, "call %d", i)
				}
			}
		})
	}
}

// askSoon has calls ask early in a test.
func askSoon(t *testing.T) {
	mpi.SetAskAfter(10 * time.Millisecond)
	t.Cleanup(func() { mpi.SetAskAfter(time.Second) })
}

// Ranks that wait for each other in different calls find out by asking.
func TestRanksThatWaitForEachOtherForEverAsk(t *testing.T) {
	askSoon(t)
	disagreeing(t, 2, func(t *testing.T, world *mpi.Comm) {
		for _, n := range counts {
			other := 1 - world.Rank()
			err := mpi.Bcast(world, make([]int, n), other)
			require.ErrorIs(t, err, mpi.ErrRoot)
			require.ErrorContains(t, err, fmt.Sprintf("rank %d's root is %d where this rank's is %d", other, world.Rank(), other))
			require.NoError(t, world.Barrier())
		}
	})
	// Here the other rank is in a later call when it is asked.
	disagreeing(t, 3, func(t *testing.T, world *mpi.Comm) {
		root := 0
		if world.Rank() == 2 {
			root = 1
		}
		err := mpi.Bcast(world, []int{1}, root)
		if world.Rank() == 2 {
			require.ErrorContains(t, err, "'s root is 0 where this rank's is 1")
		} else if err != nil { // it was not done yet
			require.ErrorIs(t, err, mpi.ErrRoot)
		}
		require.NoError(t, world.Barrier())
	})
}

// A rank that comes late, or is slow, is asked by the others, but no call fails.
func TestSlownessIsNoDisagreement(t *testing.T) {
	askSoon(t)
	var worlds [3]atomic.Pointer[mpi.Comm]
	// asked waits until the other ranks have asked three times in their call: see watch.
	asked := func(late int) {
		for other := range worlds {
			for other != late && mpi.Looks(worlds[other].Load()) < 4 {
				time.Sleep(time.Millisecond)
			}
		}
	}
	disagreeing(t, 3, func(t *testing.T, world *mpi.Comm) {
		worlds[world.Rank()].Store(world)
		require.NoError(t, world.Barrier())
		for late := range 3 {
			if world.Rank() == late {
				asked(late)
			}
			require.NoError(t, world.Barrier())
			sum := make([]int, 20_000)
			require.NoError(t, mpi.Allreduce(world, sum, sum, mpi.Sum))
		}
	})
}

// A rank whose arguments are wrong has taken part in the call all the same: the others
// hear of it, and its next call is that of the others too.
func TestWrongArgumentsDoNotShiftCollectives(t *testing.T) {
	disagreeing(t, 3, func(t *testing.T, world *mpi.Comm) {
		for i, call := range []func(wrong int) error{ // by wrong, which is 1 on one rank
			func(wrong int) error { return mpi.Allreduce(world, []int{1}, make([]int, 1-wrong), mpi.Sum) },
			func(wrong int) error { return mpi.Bcast(world, []int{1}, 3*wrong) },
			func(wrong int) error { return mpi.Reduce(world, []int{1}, []int{1}, mpi.Sum, -wrong) },
			func(wrong int) error { return mpi.Allgather(world, []int{1}, make([]int, 3-wrong)) },
			func(wrong int) error { return mpi.Alltoall(world, make([]int, 3), make([]int, 3-wrong)) },
			func(wrong int) error {
				return mpi.Allgatherv(world, []int{1}, make([]int, 3), mpi.Layout{Counts: make([]int, 3-wrong)[:3-wrong], Displs: []int{0, 1, 2}})
			},
			func(wrong int) error { _, err := world.Split(-wrong, 0); return err },
			func(wrong int) error {
				if wrong == 1 {
					return mpi.Bcast(world, []string{""}, 0)
				}
				return mpi.Bcast(world, []int{1}, 0)
			},
		} {
			for odd := range 3 {
				wrong := 0
				if world.Rank() == odd {
					wrong = 1
				}
				err := call(wrong)
				if wrong == 1 {
					require.Error(t, err, "call %d", i)
				}
				sum := make([]int, 1)
				require.NoError(t, mpi.Allreduce(world, []int{100*i + odd}, sum, mpi.Sum))
				require.Equal(t, 3*(100*i+odd), sum[0])
			}
		}
	})
	// Those that need the rank fail with its error.
	disagreeing(t, 2, func(t *testing.T, world *mpi.Comm) {
		err := mpi.Allreduce(world, []int{7}, make([]int, world.Rank()), mpi.Sum)
		require.ErrorIs(t, err, mpi.ErrCount)
		if world.Rank() == 1 {
			assert.ErrorContains(t, err, "it failed on rank 0: invalid count")
		}
		sum := make([]int, 1)
		require.NoError(t, mpi.Allreduce(world, []int{100}, sum, mpi.Sum))
		require.Equal(t, 200, sum[0])
	})
}

// What ranks may do differently: their own functions for one operation, a
// function of this package in a generic one of theirs, and types of one layout.
func TestWhatNeedNotAgree(t *testing.T) {
	type celsius float64
	type number int64
	disagreeing(t, 2, func(t *testing.T, world *mpi.Comm) {
		sum := make([]int, 1)
		if world.Rank() == 0 {
			require.NoError(t, mpi.Allreduce(world, []int{1}, sum, mpi.Sum))
			require.NoError(t, mpi.Allreduce(world, []int{1}, sum, func(left, right []int) { mpi.Sum(left, right) }))
			require.NoError(t, mpi.Bcast(world, []celsius{1}, 0))
			require.NoError(t, mpi.Reduce(world, []int{1}, sum, mpi.Sum, 0))
		} else {
			require.NoError(t, generic(world, []number{1}))
			require.NoError(t, mpi.Allreduce(world, []int{1}, sum, func(left, right []int) { left[0] += right[0] }))
			require.NoError(t, mpi.Bcast(world, []float64{1}, 0))
			require.NoError(t, mpi.Reduce(world, []int{1}, nil, mpi.Op[int](mpi.Sum[int]), 0))
		}
	})
}

func generic[T mpi.Number](c *mpi.Comm, v []T) error { return mpi.Allreduce(c, v, v, mpi.Sum) }
