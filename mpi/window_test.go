package mpi_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// window makes a window of n elements, each with the rank's number.
func window(t *testing.T, world *mpi.Comm, n int) *mpi.Win[int64] {
	t.Helper()
	w, err := mpi.WinAllocate[int64](world, n)
	require.NoError(t, err)
	for i := range w.Memory() {
		w.Memory()[i] = int64(world.Rank())
	}
	require.NoError(t, w.Fence())
	return w
}

// Lengths of one message, of the longest message with its data, and of long data, in elements of 8 bytes.
var windowLengths = []int{1, 2049, 20_000}

func TestPutIsThereAfterFence(t *testing.T) {
	const n = 3
	ranks(t, n, func(t *testing.T, world *mpi.Comm) {
		w := window(t, world, n*windowLengths[len(windowLengths)-1])
		me := world.Rank()
		for _, length := range windowLengths {
			mine := sequence64(1000*me, length)
			for target := range n { // each rank has a part of each other's memory
				require.NoError(t, w.Put(mine, target, me*length))
			}
			require.NoError(t, w.Fence())
			for origin := range n {
				require.Equal(t, sequence64(1000*origin, length), w.Memory()[origin*length:(origin+1)*length])
			}
			require.NoError(t, w.Fence())
		}
		require.NoError(t, w.Fence(mpi.NoSucceed))
		require.NoError(t, w.Free())
	})
}

func TestGetIsThereAfterFence(t *testing.T) {
	const n = 3
	onFast(t, n, func(t *testing.T, world *mpi.Comm) {
		for _, length := range windowLengths {
			w := window(t, world, length)
			got := make([][]int64, n)
			for target := range n {
				got[target] = make([]int64, length)
				require.NoError(t, w.Get(got[target], target, 0))
			}
			require.NoError(t, w.Fence(mpi.NoSucceed))
			for target := range n {
				require.Equal(t, slices.Repeat([]int64{int64(target)}, length), got[target])
			}
			require.NoError(t, w.Free())
		}
	})
}

func TestAccumulateAddsWhatAllRanksBring(t *testing.T) {
	const n = 3
	ranks(t, n, func(t *testing.T, world *mpi.Comm) {
		for _, length := range windowLengths {
			w := window(t, world, length)
			mine := sequence64(0, length)
			for target := range n {
				require.NoError(t, w.Accumulate(mine, mpi.Sum, target, 0))
				require.NoError(t, w.Accumulate(mine, mpi.Sum[int64], target, 0))
			}
			require.NoError(t, w.Fence())
			want := make([]int64, length)
			for i := range want {
				want[i] = int64(world.Rank() + 2*n*i)
			}
			require.Equal(t, want, w.Memory())
			require.NoError(t, w.Fence(mpi.NoSucceed))
			require.NoError(t, w.Free())
		}
	})
}

func TestExclusiveLocksKeepOthersOut(t *testing.T) {
	const n, rounds = 4, 8
	onFast(t, n, func(t *testing.T, world *mpi.Comm) {
		w := window(t, world, 2)
		require.NoError(t, w.Lock(mpi.LockExclusive, world.Rank()))
		w.Memory()[0] = 0
		require.NoError(t, w.Unlock(world.Rank()))
		require.NoError(t, world.Barrier())
		counter := make([]int64, 1)
		for range rounds {
			require.NoError(t, w.Lock(mpi.LockExclusive, 1))
			require.NoError(t, w.Get(counter, 1, 0))
			require.NoError(t, w.Flush(1))
			counter[0]++
			require.NoError(t, w.Put(counter, 1, 0))
			require.NoError(t, w.Unlock(1))
		}
		require.NoError(t, world.Barrier())
		require.NoError(t, w.Lock(mpi.LockShared, 1))
		require.NoError(t, w.Get(counter, 1, 0))
		require.NoError(t, w.Unlock(1))
		require.EqualValues(t, n*rounds, counter[0])
		require.NoError(t, w.Free())
	})
}

func TestFetchAndOpGivesEachTicketOnce(t *testing.T) {
	const n, rounds = 4, 8
	onFast(t, n, func(t *testing.T, world *mpi.Comm) {
		w := window(t, world, 1)
		tickets := make([]int64, 0, rounds)
		require.NoError(t, w.LockAll())
		for range rounds {
			var ticket int64
			require.NoError(t, w.FetchAndOp(1, &ticket, mpi.Sum, 0, 0))
			require.NoError(t, w.Flush(0))
			tickets = append(tickets, ticket)
		}
		require.NoError(t, w.UnlockAll())
		all := make([]int64, n*rounds)
		require.NoError(t, mpi.Allgather(world, tickets, all))
		require.ElementsMatch(t, sequence64(0, n*rounds), all)
		require.NoError(t, w.Free())
	})
}

func sequence64(first, n int) []int64 {
	var s []int64
	for _, v := range sequence(first, n) {
		s = append(s, int64(v))
	}
	return s
}

func TestCompareAndSwapElectsOne(t *testing.T) {
	const n = 4
	onFast(t, n, func(t *testing.T, world *mpi.Comm) {
		w := window(t, world, 1)
		was := int64(-1)
		require.NoError(t, w.LockAll())
		require.NoError(t, w.CompareAndSwap(2, int64(100+world.Rank()), &was, 2, 0))
		require.NoError(t, w.UnlockAll())
		won := int64(0)
		if was == 2 {
			won = 1
		}
		sum, err := mpi.AllreduceValue(world, won, mpi.Sum)
		require.NoError(t, err)
		require.EqualValues(t, 1, sum)
		require.NoError(t, w.Free())
	})
}

func TestOperationsOutsideTheWindowAreErrors(t *testing.T) {
	onFast(t, 2, func(t *testing.T, world *mpi.Comm) {
		w := window(t, world, 4)
		require.NoError(t, w.LockAll())
		for _, length := range windowLengths {
			buf := make([]int64, length)
			for target := range 2 {
				for _, start := range []func() error{
					func() error { return w.Put(buf, target, 4) },
					func() error { return w.Get(buf, target, 4) },
					func() error { return w.Accumulate(buf, mpi.Max, target, 4) },
					func() error { return w.GetAccumulate(buf, buf, mpi.Replace, target, 4) },
				} {
					require.NoError(t, start())
					err := w.Flush(target)
					require.ErrorIs(t, err, mpi.ErrRMARange)
					require.ErrorContains(t, err, "are not within the window there, which has 4 units of 8 bytes")
					e, ok := errors.AsType[*mpi.Error](err)
					require.True(t, ok)
					require.Equal(t, target, e.Rank)
					require.NoError(t, w.Flush(target), "the error is told once")
				}
			}
		}
		require.NoError(t, w.UnlockAll())
		for _, v := range w.Memory() {
			require.EqualValues(t, world.Rank(), v)
		}
		require.NoError(t, w.Free())
	})
}

// onFast runs a test of ranks over the transports that lose no packets: those that do are slow, and other tests of windows
// use them.
func onFast(t *testing.T, n int, fn func(t *testing.T, world *mpi.Comm)) {
	t.Helper()
	for _, c := range carriers {
		if !c.impaired {
			c.ranks(t, n, fn)
		}
	}
}
