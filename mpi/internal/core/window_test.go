package core_test

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/window"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// located is what C has as struct { double; int }, with padding.
type located struct {
	value float64
	index int32
}

// bytesOf is the memory of elements as a buffer of bytes.
func bytesOf[T any](elements []T) core.Buffer {
	return core.Buffer{Addr: unsafe.Pointer(unsafe.SliceData(elements)), Count: len(elements) * int(unsafe.Sizeof(*new(T))), Type: core.Basic(datatype.Byte)}
}

// A window as C makes it has memory without a type, and displacements in units of each rank's own (MPI 4.1, section 12.2.1). Each
// operation says what the target's memory is made of.
func TestWindowsOfBytes(t *testing.T) {
	int32s := core.Basic(datatype.Int32)
	everySecond := must(t)(datatype.Vector(3, 1, 2, int32s))
	job(t, 2, func(world core.View) {
		me := world.Rank()
		other, units := 1-me, []int{4, 8}
		memory := make([]int32, 12)
		made, err := world.WinCreate("MPI_Win_create", core.FlavorCreate, bytesOf(memory), units[me])
		require.NoError(t, err)
		require.Equal(t, []any{core.FlavorCreate, units[me], 48}, []any{made.Flavor(), made.Unit(), made.Memory().Len()})
		w := made.View(t.Context())
		require.NoError(t, w.LockAll("MPI_Win_lock_all"))
		at := func(disp int) window.Place { return window.Place{Rank: other, Disp: disp} }
		sum := core.Op{Reduction: collective.Sum}
		noOp := core.Op{Reduction: collective.NoOp}
		numbers, old, seen := core.Of(int32s, []int32{1, 2, 3}), make([]int32, 3), make([]int32, 3)
		// Displacement 2 of the first rank is its third element, of the second rank its fifth.
		require.NoError(t, w.PutData("MPI_Put", numbers, at(2), core.Buffer{Count: 1, Type: everySecond}))
		for _, err := range []error{
			w.AccumulateData("MPI_Accumulate", numbers, sum, at(2), core.Buffer{Count: 1, Type: everySecond}),
			w.GetAccumulateData("MPI_Get_accumulate", numbers, core.Of(int32s, old), sum, at(2), core.Buffer{Count: 1, Type: everySecond}),
			w.GetAccumulateData("MPI_Get_accumulate", core.Buffer{}, core.Of(int32s, seen), noOp, at(2), core.Buffer{Count: 3, Type: int32s}),
		} {
			require.NoError(t, err)
		}
		require.NoError(t, w.FlushAll("MPI_Win_flush_all"))
		require.Equal(t, []int32{2, 4, 6}, old)
		require.Equal(t, []int32{3, 0, 6}, seen)
		gathered := make([]int32, 5)
		r, err := w.RgetData("MPI_Rget", core.Of(everySecond, gathered[:1]), at(2), core.Buffer{Count: 1, Type: everySecond})
		require.NoError(t, err)
		_, err = r.Wait(t.Context())
		require.NoError(t, err)
		require.Equal(t, []int32{3, 0, 6, 0, 9}, gathered)

		unknown := core.Op{Reduction: collective.MaxLoc}
		require.ErrorIs(t, w.AccumulateData("MPI_Accumulate", numbers, unknown, at(0), numbers), rpi.ErrOp)
		require.NoError(t, w.AccumulateData("MPI_Accumulate", numbers, sum, at(11), numbers))
		require.ErrorIs(t, w.UnlockAll("MPI_Win_unlock_all"), rpi.ErrRMARange)
		_, err = world.Barrier(core.Blocking)
		require.NoError(t, err)
		first := 2 * units[me] / 4
		require.Equal(t, []int32{3, 0, 6, 0, 9}, memory[first:first+5])
		require.NoError(t, w.Free("MPI_Win_free"))
	})
}

// Pairs for MAXLOC have padding, which is not sent and stays as it is.
func TestPairsInWindows(t *testing.T) {
	pairs := core.Basic(datatype.DoubleInt)
	job(t, 2, func(world core.View) {
		const n = 2000 // more than a message has
		memory, mine, old := make([]located, n), make([]located, n), make([]located, n)
		for i := range mine {
			mine[i] = located{float64((i + world.Rank()) % 2), int32(world.Rank() + 1)}
		}
		made, err := world.WinCreate("MPI_Win_create", core.FlavorAllocate, bytesOf(memory), 16)
		require.NoError(t, err)
		w := made.View(t.Context())
		maxLoc := core.Op{Reduction: collective.MaxLoc}
		require.NoError(t, w.Fence("MPI_Win_fence", true))
		for target := range 2 {
			require.NoError(t, w.Accumulate("MPI_Accumulate", core.Of(pairs, mine), maxLoc, window.Place{Rank: target}))
		}
		require.NoError(t, w.Fence("MPI_Win_fence", true))
		require.NoError(t, w.GetAccumulate("MPI_Get_accumulate", core.Buffer{}, core.Of(pairs, old), core.Op{Reduction: collective.NoOp}, window.Place{Rank: 1 - world.Rank()}))
		require.NoError(t, w.Fence("MPI_Win_fence", false))
		for i, got := range slices.Concat(memory, old) {
			require.Equal(t, located{1, int32(1 + (i+1)%2)}, got) // of the rank that gives 1
		}
		require.NoError(t, w.Free("MPI_Win_free"))
	})
}

// Ranks may share memory with units of their own. A unit that is none fails on all ranks.
func TestUnitsOfSharedWindows(t *testing.T) {
	job(t, 2, func(world core.View) {
		made, err := world.WinAllocateShared("MPI_Win_allocate_shared", core.Basic(datatype.Byte), 16*(1+world.Rank()), 4+4*world.Rank())
		require.NoError(t, err)
		require.Equal(t, core.FlavorShared, made.Flavor())
		w := made.View(t.Context())
		for rank := range 2 {
			memory, unit, err := w.SharedQuery("MPI_Win_shared_query", rank)
			require.NoError(t, err)
			require.Equal(t, []int{16 * (1 + rank), 4 + 4*rank}, []int{memory.Len(), unit})
		}
		require.NoError(t, w.Free("MPI_Win_free"))
		_, err = world.WinCreate("MPI_Win_create", core.FlavorCreate, core.Buffer{Type: core.Basic(datatype.Byte)}, world.Rank())
		require.ErrorIs(t, err, rpi.ErrDisp)
	})
}
