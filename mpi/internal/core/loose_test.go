package core_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Ranks of different languages are in one job: those of Go check types, those of C lengths only.
func TestLooseAndStrictRanksWorkTogether(t *testing.T) {
	loose := datatype.Declare(datatype.Float64, "MPI_DOUBLE", true)
	strict := core.Basic(datatype.Float64)
	job(t, 4, func(world core.View) {
		mine := strict
		if world.Rank()%2 == 1 {
			mine = loose
		}
		sum, err := core.PredefinedOp("MPI_Allreduce", collective.Sum, mine)
		require.NoError(t, err)
		value, result, all := []float64{float64(world.Rank())}, []float64{0}, make([]float64, 4)
		for range 3 {
			_, err = world.Allreduce(core.Blocking, core.Of(mine, value), core.Of(mine, result), sum)
			require.NoError(t, err)
			require.Equal(t, []float64{6}, result)
			_, err = world.Allgather(core.Blocking, core.Of(mine, value), core.Of(mine, all))
			require.NoError(t, err)
			require.Equal(t, []float64{0, 1, 2, 3}, all)
			_, err = world.Alltoall(core.Blocking, core.Of(mine, all), core.Of(mine, make([]float64, 4)))
			require.NoError(t, err)
		}
		blocks := func(of []float64) (each []core.Buffer) {
			for i := range of {
				each = append(each, core.Of(mine, of[i:i+1]))
			}
			return each
		}
		in := make([]float64, 4)
		_, err = world.Alltoallw(core.Blocking, blocks([]float64{0, 10, 20, 30}), blocks(in))
		require.NoError(t, err)
		require.Equal(t, float64(10*world.Rank()), in[0])
		next, before := (world.Rank()+1)%4, (world.Rank()+3)%4
		status, err := world.Sendrecv("MPI_Sendrecv", core.Of(mine, value), next, 0, core.Of(mine, result), before, 0)
		require.NoError(t, err)
		require.Equal(t, 1, status.Count)
		require.Equal(t, float64(before), result[0])
	})
}

// Among ranks that check lengths only any types will do, and ranks that check types refuse others than theirs as ever.
func TestOnlyLengthsAreCheckedOfLooseTypes(t *testing.T) {
	double, long := datatype.Declare(datatype.Float64, "MPI_DOUBLE", true), datatype.Declare(datatype.Int64, "MPI_LONG", true)
	job(t, 2, func(world core.View) {
		mine := []*core.Type{double, long}[world.Rank()]
		memory := []int64{int64(world.Rank()) + 1, 0}
		_, err := world.Bcast(core.Blocking, core.Of(mine, memory[:1]), 0)
		require.NoError(t, err)
		require.EqualValues(t, 1, memory[0])
		_, err = world.Bcast(core.Blocking, core.Of(mine, memory[:1+world.Rank()]), 0)
		if world.Rank() == 1 {
			require.ErrorIs(t, err, rpi.ErrCount)
		}
	})
	job(t, 2, func(world core.View) {
		mine := []*core.Type{core.Basic(datatype.Float64), long}[world.Rank()]
		_, err := world.Bcast(core.Blocking, core.Of(mine, []int64{1}), 0)
		if world.Rank() == 1 {
			require.ErrorIs(t, err, rpi.ErrType)
		}
	})
}

// The result of a reduction in place may go to the beginning of what is combined, as in C, or to this rank's part.
func TestReduceScatterInPlaceAtTheTop(t *testing.T) {
	kind := core.Basic(datatype.Int32)
	sum, err := core.PredefinedOp("MPI_Reduce_scatter", collective.Sum, kind)
	require.NoError(t, err)
	job(t, 3, func(world core.View) {
		for _, n := range []int{1, 1000} {
			fresh := func() []int32 {
				all := make([]int32, 3*n)
				for i := range all {
					all[i] = int32(i)
				}
				return all
			}
			all := fresh()
			_, err := world.ReduceScatterBlock(core.Blocking, core.Of(kind, all), core.Of(kind, all[:n]), sum)
			require.NoError(t, err)
			require.EqualValues(t, 3*n*world.Rank(), all[0])
			all = fresh()
			_, err = world.ReduceScatter(core.Blocking, core.Of(kind, all), core.Of(kind, all[:n]), []int{n, n, n}, sum)
			require.NoError(t, err)
			require.EqualValues(t, 3*(n*world.Rank()+n-1), all[n-1])
		}
	})
}

func TestReduceLocal(t *testing.T) {
	pair := core.Basic(datatype.DoubleInt)
	type located struct {
		value float64
		index int32
	}
	op, err := core.PredefinedOp("MPI_Reduce_local", collective.MinLoc, pair)
	require.NoError(t, err)
	in, inout := []located{{1, 5}, {3, 1}}, []located{{1, 4}, {4, 2}}
	require.NoError(t, core.ReduceLocal("MPI_Reduce_local", core.Buffer{Addr: unsafe.Pointer(&in[0]), Count: 2, Type: pair}, core.Of(pair, inout), op))
	require.Equal(t, []located{{1, 4}, {3, 1}}, inout)
	_, err = core.PredefinedOp("MPI_Reduce", collective.Sum, pair)
	require.ErrorIs(t, err, rpi.ErrOp)
}
