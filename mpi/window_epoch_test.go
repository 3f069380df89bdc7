package mpi_test

import (
	"errors"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// group returns the group of some ranks.
func group(t *testing.T, world *mpi.Comm, ranks ...int) *mpi.Group {
	t.Helper()
	g, err := world.Group().Include(ranks...)
	require.NoError(t, err)
	return g
}

func TestPostAndStartNeedOnlyThoseWhoDealWithEachOther(t *testing.T) {
	const n = 4
	ranks(t, n, func(t *testing.T, world *mpi.Comm) {
		w := window(t, world, 1)
		me := world.Rank()
		left, right := (me+n-1)%n, (me+1)%n
		for round := range 3 {
			require.NoError(t, w.Post(group(t, world, left)))
			require.NoError(t, w.Start(group(t, world, right)))
			require.NoError(t, w.Put([]int64{int64(100*round + me)}, right, 0))
			require.ErrorIs(t, w.Put([]int64{0}, left, 0), mpi.ErrRMASync, "it is not in the group")
			require.NoError(t, w.Complete())
			if round == 1 {
				for done := false; !done; {
					var err error
					done, err = w.Test()
					require.NoError(t, err)
				}
			} else {
				require.NoError(t, w.Wait())
			}
			require.EqualValues(t, 100*round+left, w.Memory()[0])
		}
		require.NoError(t, w.Free())
	})
}

func TestRequestsOfOneSidedOperations(t *testing.T) {
	onFast(t, 2, func(t *testing.T, world *mpi.Comm) {
		const length = 20_000
		w := window(t, world, length)
		other := 1 - world.Rank()
		require.NoError(t, world.Barrier())
		if world.Rank() == 0 {
			mine, got, old, one := sequence64(0, length), make([]int64, length), make([]int64, length), make([]int64, length)
			for i := range one {
				one[i] = 1
			}
			require.NoError(t, w.Lock(mpi.LockExclusive, other))
			wait(t, must(t)(w.Rput(mine, other, 0)))
			require.NoError(t, w.Flush(other))
			wait(t, must(t)(w.Rget(got, other, 0)))
			require.Equal(t, mine, got)
			wait(t, must(t)(w.Raccumulate(one, mpi.Sum, other, 0)))
			wait(t, must(t)(w.RgetAccumulate(one, old, mpi.Sum, other, 0)))
			require.Equal(t, sequence64(1, length), old)
			r := must(t)(w.Rget(got, other, 1))
			require.ErrorIs(t, r.Cancel(), mpi.ErrRequest)
			_, err := r.Wait(t.Context())
			require.ErrorIs(t, err, mpi.ErrRMARange)
			require.NoError(t, w.Unlock(other), "the request has told it")
		}
		require.NoError(t, world.Barrier())
		if world.Rank() == 1 {
			require.NoError(t, w.Sync())
			require.Equal(t, sequence64(2, length), w.Memory())
		}
		_, err := w.Rput(nil, other, 0)
		require.ErrorIs(t, err, mpi.ErrRMASync)
		require.NoError(t, w.Free())
	})
}

func TestDynamicWindowsHaveTheMemoryThatIsAttached(t *testing.T) {
	onFast(t, 2, func(t *testing.T, world *mpi.Comm) {
		w, err := mpi.WinCreateDynamic[int32](world)
		require.NoError(t, err)
		var memory [2][]int32
		var addresses [2]int
		for i := range memory {
			memory[i] = make([]int32, 10)
			addresses[i], err = w.Attach(memory[i])
			require.NoError(t, err)
		}
		_, err = w.Attach(memory[0][3:5])
		require.ErrorIs(t, err, mpi.ErrRMAAttach)
		theirs := make([]int, 2)
		other := 1 - world.Rank()
		_, err = mpi.Sendrecv(world, addresses[:], other, 0, theirs, other, 0)
		require.NoError(t, err)
		require.NoError(t, w.LockAll())
		require.NoError(t, w.Put([]int32{7, 8}, other, theirs[0]+8*int(unsafe.Sizeof(int32(0)))))
		require.NoError(t, w.Accumulate([]int32{9}, mpi.Sum, other, theirs[1]))
		require.NoError(t, w.UnlockAll())
		require.NoError(t, world.Barrier())
		require.NoError(t, w.Sync())
		require.Equal(t, []int32{7, 8}, memory[0][8:])
		require.EqualValues(t, 9, memory[1][0])
		require.NoError(t, w.Detach(memory[1]))
		require.ErrorIs(t, w.Detach(memory[1]), mpi.ErrRMAAttach)
		// Nothing can be attached as well, where there is other memory too, and as often as one likes.
		for range 2 {
			_, err = w.Attach(memory[0][:0])
			require.NoError(t, err)
		}
		for range 2 {
			require.NoError(t, w.Detach(memory[0][:0]))
		}
		require.NoError(t, world.Barrier())
		require.NoError(t, w.Lock(mpi.LockShared, other))
		require.NoError(t, w.Put([]int32{1, 2}, other, theirs[0]+9*4))
		err = w.Unlock(other)
		require.ErrorIs(t, err, mpi.ErrRMARange, "one element is outside")
		require.ErrorContains(t, err, "are not within memory that is attached there")
		require.NoError(t, w.Lock(mpi.LockShared, other))
		require.NoError(t, w.Put([]int32{1}, other, theirs[1]))
		require.ErrorIs(t, w.Unlock(other), mpi.ErrRMARange, "it is detached")
		require.NoError(t, w.Free())
	})
}

func TestEpochsAreChecked(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		require.NoError(t, mpi.RunLocal(2, func(world *mpi.Comm) error {
			w, err := mpi.WinAllocate[int64](world, 1)
			require.NoError(t, err)
			one := []int64{1}
			for _, err := range []error{
				w.Put(one, 0, 0), w.Get(one, 1, 0), w.Accumulate(one, mpi.Sum, 1, 0), w.Unlock(1), w.UnlockAll(), w.Flush(0),
				w.FlushAll(), w.FlushLocal(0), w.FlushLocalAll(), w.Complete(), w.Wait(),
			} {
				require.ErrorIs(t, err, mpi.ErrRMASync)
			}
			require.NoError(t, w.Lock(mpi.LockShared, 1))
			require.ErrorIs(t, w.Lock(mpi.LockShared, 1), mpi.ErrRMASync)
			require.ErrorIs(t, w.LockAll(), mpi.ErrRMASync)
			require.ErrorIs(t, w.Put(one, 0, 0), mpi.ErrRMASync, "it is not locked")
			require.ErrorIs(t, w.Put(one, 2, 0), mpi.ErrRank)
			require.ErrorIs(t, w.Put(one, 1, -1), mpi.ErrDisp)
			require.NoError(t, w.Put(one, mpi.ProcNull, 5))
			require.ErrorIs(t, w.Accumulate(one, func(left, right []int64) {}, 1, 0), mpi.ErrOp)
			require.ErrorIs(t, w.Accumulate(one, nil, 1, 0), mpi.ErrOp)
			require.ErrorIs(t, w.GetAccumulate(one, nil, mpi.Sum, 1, 0), mpi.ErrCount)
			require.ErrorIs(t, w.Fence(), mpi.ErrRMASync, "locks are held")
			require.NoError(t, w.Unlock(1))
			require.ErrorIs(t, w.Lock(7, 1), mpi.ErrArg)

			if world.Rank() == 0 {
				require.NoError(t, w.Lock(mpi.LockExclusive, 0))
			}
			err = w.Free()
			require.ErrorIs(t, err, mpi.ErrRMASync, "a rank is in an epoch, and all learn of it")
			if world.Rank() == 0 {
				require.NoError(t, w.Unlock(0))
			}
			require.NoError(t, w.Free())
			require.Error(t, w.Free())
			var none *mpi.Win[int64]
			require.ErrorIs(t, none.Fence(), mpi.ErrWin)
			require.ErrorIs(t, none.Put(one, 0, 0), mpi.ErrWin)

			_, err = mpi.WinAllocate[*int](world, 1)
			require.ErrorIs(t, err, mpi.ErrType)
			if world.Rank() == 0 {
				_, err = mpi.WinAllocate[float32](world, 1)
			} else {
				_, err = mpi.WinAllocate[float64](world, 1)
			}
			require.ErrorIs(t, err, mpi.ErrType, "the ranks have different types")
			return nil
		}, options...))
	})
}

// Displacements count the elements of the target's memory, so all ranks have the same. Types with the same parts may have
// elements of different sizes.
func TestWindowsHaveElementsOfOneSize(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		require.NoError(t, mpi.RunLocal(2, func(world *mpi.Comm) error {
			for odd := range world.Size() {
				var err error
				if world.Rank() == odd {
					_, err = mpi.WinAllocate[[2]float64](world, 1)
					require.ErrorContains(t, err, "not all ranks pass the type of this rank's elements, [2]float64 of 16 bytes")
				} else {
					_, err = mpi.WinAllocate[float64](world, 1)
				}
				require.ErrorIs(t, err, mpi.ErrType)
				if world.Rank() == odd {
					_, err = mpi.WinCreate[[2]float64](world, nil)
				} else {
					_, err = mpi.WinCreate[float64](world, nil)
				}
				require.ErrorIs(t, err, mpi.ErrType)
				if world.Rank() == odd {
					_, err = mpi.WinCreateDynamic[float64](world)
				} else {
					_, err = mpi.WinCreateDynamic[[2]float64](world)
				}
				require.ErrorIs(t, err, mpi.ErrType)
			}
			return nil
		}, options...))
	})
}

// A rank that dies with a lock gives it to the next. Operations on other ranks go on.
func TestDeathFailsOneSidedOperationsOnThatRankAlone(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		err := mpi.RunLocal(3, func(world *mpi.Comm) error {
			w := window(t, world, 20_000)
			if world.Rank() == 2 {
				require.NoError(t, w.Lock(mpi.LockExclusive, 0))
				require.NoError(t, w.Put([]int64{7}, 0, 5))
				require.NoError(t, w.Flush(0))
				require.NoError(t, mpi.SendValue(world, 1, 1, 0))
				require.NoError(t, mpi.SendValue(world, 1, 0, 0))
				_, _, err := mpi.RecvValue[int](world, 1, 0)
				require.NoError(t, err)
				return errDisk
			}
			_, _, err := mpi.RecvValue[int](world, 2, 0)
			require.NoError(t, err)
			if world.Rank() == 1 {
				require.NoError(t, mpi.SendValue(world, 1, 2, 0))
			}
			require.NoError(t, w.Lock(mpi.LockExclusive, 0), "it waits until the holder is known to be dead")
			got := make([]int64, 1)
			require.NoError(t, w.Get(got, 0, 5))
			require.NoError(t, w.Unlock(0))
			require.EqualValues(t, 7, got[0])

			err = w.Lock(mpi.LockShared, 2)
			require.ErrorIs(t, err, mpi.ErrProcFailed)
			require.ErrorContains(t, err, "rank 2 is gone")
			e, ok := errors.AsType[*mpi.Error](err)
			require.True(t, ok)
			require.Equal(t, 2, e.Rank)
			require.ErrorIs(t, w.LockAll(), mpi.ErrProcFailed)
			require.ErrorIs(t, w.Fence(), mpi.ErrProcFailed)

			other := 1 - world.Rank() // and these two still deal with each other
			require.NoError(t, w.Post(group(t, world, other)))
			require.NoError(t, w.Start(group(t, world, other)))
			require.NoError(t, w.Put(make([]int64, 20_000), other, 0))
			require.NoError(t, w.Complete())
			require.NoError(t, w.Wait())
			require.Zero(t, w.Memory()[19_999])
			require.ErrorIs(t, w.Free(), mpi.ErrProcFailed, "but it is freed")
			return nil
		}, options...)
		require.EqualError(t, err, "rank 2: disk full")
	})
}

// MPI 4.1, section 12.2.5: windows are freed before Finalize.
func TestFinalizeWantsWindowsFreed(t *testing.T) {
	err := mpi.RunLocal(1, func(world *mpi.Comm) error {
		_, err := mpi.WinAllocate[int](world, 1)
		return err
	})
	require.ErrorIs(t, err, mpi.ErrWin)
	require.ErrorContains(t, err, "1 window open: call Free before")
}
