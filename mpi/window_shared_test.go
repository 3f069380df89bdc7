package mpi_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// MPI 4.1, section 12.2.3: ranks of one host use each other's memory as their own.
func TestSharedWindowsAreOneMemory(t *testing.T) {
	onFast(t, 3, testSharedWindow)
	launched, _ := launch(t, "shared window", 3)
	requireOnly(t, launched)
}

func init() {
	programs["shared window"] = func(world *mpi.Comm) error {
		w, err := mpi.WinAllocateShared[int64](world, 1000)
		if err != nil {
			return err
		}
		if world.Rank() == 1 {
			for rank := range world.Size() {
				theirs, err := w.SharedQuery(rank)
				if err != nil {
					return err
				}
				theirs[999] = int64(rank)
			}
		}
		if err := w.Fence(); err != nil {
			return err
		}
		if got := w.Memory()[999]; got != int64(world.Rank()) {
			return fmt.Errorf("rank 1 has stored %d in the memory of rank %d, which has %d", world.Rank(), world.Rank(), got)
		}
		return w.Free()
	}
}

// More than the host has is refused on all ranks: Linux would have ended a process, of this job or of another.
func TestSharedWindowLargerThanTheMemory(t *testing.T) {
	launched, _ := launch(t, "large shared window", 2)
	requireOnly(t, launched)
	require.Contains(t, launched[0].stdout, "mpi.WinAllocateShared: memory cannot be shared: not enough memory left for 1759218604")
	require.Equal(t, "mpi.WinAllocateShared: memory cannot be shared: it failed on rank 0: memory cannot be shared\n", launched[1].stdout)
}

func init() {
	programs["large shared window"] = func(world *mpi.Comm) error {
		_, err := mpi.WinAllocateShared[int64](world, 1<<40)
		fmt.Println(err)
		w, err := mpi.WinAllocateShared[int64](world, 1)
		if err != nil {
			return err
		}
		return w.Free()
	}
}

func testSharedWindow(t *testing.T, world *mpi.Comm) {
	me := world.Rank()
	w, err := mpi.WinAllocateShared[int32](world, 2*me) // rank 0 has none
	require.NoError(t, err)
	require.Len(t, w.Memory(), 2*me)
	for i := range w.Memory() {
		w.Memory()[i] = int32(10*me + i)
	}
	require.NoError(t, w.Fence())
	for rank := range 3 {
		theirs, err := w.SharedQuery(rank)
		require.NoError(t, err)
		require.Len(t, theirs, 2*rank)
		for i, v := range theirs {
			require.EqualValues(t, 10*rank+i, v)
		}
	}
	first, err := w.SharedQuery(mpi.ProcNull)
	require.NoError(t, err)
	require.Equal(t, []int32{10, 11}, first)
	require.NoError(t, w.Fence())
	require.NoError(t, w.Accumulate([]int32{100}, mpi.Sum, 2, 3))
	require.NoError(t, w.Fence(mpi.NoSucceed))
	last, err := w.SharedQuery(2)
	require.NoError(t, err)
	require.EqualValues(t, 323, last[3])
	_, err = w.SharedQuery(3)
	require.ErrorIs(t, err, mpi.ErrRank)
	require.NoError(t, w.Free())

	_, err = mpi.WinAllocateShared[int32](world, -1)
	require.ErrorIs(t, err, mpi.ErrCount)
	w, err = mpi.WinAllocate[int32](world, 1)
	require.NoError(t, err)
	_, err = w.SharedQuery(0)
	require.ErrorIs(t, err, mpi.ErrWin)
	require.NoError(t, w.Free())
}
