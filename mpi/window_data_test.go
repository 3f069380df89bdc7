package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// Columns of matrices, long ones too, here and at the target. Their neighbours stay as they are.
func TestOneSidedOperationsOnColumns(t *testing.T) {
	onFast(t, 2, func(t *testing.T, world *mpi.Comm) {
		const columns = 3
		for _, rows := range []int{4, 5000} {
			w, err := mpi.WinAllocate[int64](world, rows*columns)
			require.NoError(t, err)
			matrix := w.Memory()
			column := func(m []int64, i int) mpi.Data { return mpi.Strided(m[i:], rows, 1, columns) }
			layout := mpi.Strided(matrix, rows, 1, columns)
			require.NoError(t, w.Fence())
			mine, got, other := make([]int64, rows*columns), make([]int64, rows*columns), 1-world.Rank()
			for i := range mine {
				mine[i] = int64(i)
			}
			for target := range 2 { // each rank has a column of both
				require.NoError(t, w.PutData(column(mine, 1), target, 2*world.Rank(), layout))
			}
			require.NoError(t, w.Fence())
			require.NoError(t, w.AccumulateData(mpi.Elements(mine[:rows]), mpi.Sum, other, 0, layout))
			require.NoError(t, w.Fence())
			require.NoError(t, w.GetData(column(got, 0), other, 0, layout))
			require.NoError(t, w.GetData(column(got, 2), other, 2, layout))
			require.NoError(t, w.Fence())
			for row := range rows {
				put := int64(row*columns + 1)
				want := []int64{put + int64(row), 0, put}
				require.Equal(t, want, matrix[row*columns:(row+1)*columns])
				require.Equal(t, want, got[row*columns:(row+1)*columns])
			}
			require.NoError(t, w.PutData(column(mine, 0), other, 3, layout))
			err = w.Fence(mpi.NoSucceed)
			require.ErrorIs(t, err, mpi.ErrRMARange)
			require.NoError(t, w.Lock(mpi.LockShared, other))
			require.ErrorIs(t, w.PutData(mpi.Elements(mine[:rows-1]), other, 0, layout), mpi.ErrType)
			require.ErrorIs(t, w.PutData(mpi.Elements(make([]int32, rows)), other, 0, layout), mpi.ErrType)
			require.NoError(t, w.PutData(column(mine, 1), other, 0, mpi.Data{}))
			require.NoError(t, w.Flush(other))
			require.NoError(t, w.GetData(column(got, 1), other, 0, mpi.Data{}))
			require.NoError(t, w.Unlock(other))
			for row := range rows {
				require.EqualValues(t, row*columns+1, got[row*columns+1])
			}
			require.NoError(t, w.Free())
		}
	})
}

// GetAccumulate of columns, and the forms with a request.
func TestRequestsOfOneSidedOperationsOnColumns(t *testing.T) {
	onFast(t, 2, func(t *testing.T, world *mpi.Comm) {
		const columns = 2
		for _, rows := range []int{4, 5000} {
			w, err := mpi.WinAllocate[int64](world, rows*columns)
			require.NoError(t, err)
			layout := mpi.Strided(w.Memory(), rows, 1, columns)
			mine, old, got := make([]int64, rows*columns), make([]int64, rows*columns), make([]int64, rows*columns)
			for i := range mine {
				mine[i] = int64(i)
			}
			second := func(m []int64) mpi.Data { return mpi.Strided(m[1:], rows, 1, columns) }
			other := 1 - world.Rank()
			require.NoError(t, w.Lock(mpi.LockExclusive, other))
			wait(t, must(t)(w.RputData(second(mine), other, 1, layout)))
			wait(t, must(t)(w.RaccumulateData(second(mine), mpi.Sum, other, 1, layout)))
			require.NoError(t, w.GetAccumulateData(second(mine), second(old), mpi.Sum, other, 1, layout))
			wait(t, must(t)(w.RgetAccumulateData(mpi.Data{}, second(got), mpi.NoOp, other, 1, layout)))
			for row := range rows {
				put := int64(row*columns + 1)
				require.Equal(t, []int64{0, 2 * put, 0, 3 * put}, []int64{old[2*row], old[2*row+1], got[2*row], got[2*row+1]})
			}
			clear(got)
			wait(t, must(t)(w.RgetData(mpi.Elements(got[:rows]), other, 1, layout)))
			require.EqualValues(t, 3*((rows-1)*columns+1), got[rows-1])
			require.ErrorIs(t, w.GetAccumulateData(mpi.Elements(mine[:1]), second(old), mpi.Sum, other, 1, layout), mpi.ErrCount)
			_, err = must(t)(w.RgetData(second(got), other, 3, layout)).Wait(t.Context())
			require.ErrorIs(t, err, mpi.ErrRMARange)
			require.NoError(t, w.Unlock(other))
			require.NoError(t, w.Free())
		}
	})
}

// The target's datatype may name elements before the displacement, as long as they are in the window.
func TestTargetTypesThatBeginBeforeTheirAddress(t *testing.T) {
	made := func(x *datatype.Type, err error) *datatype.Type {
		require.NoError(t, err)
		return x
	}
	int64s := datatype.Basic(datatype.Int64)
	types := map[string]struct {
		*datatype.Type
		count int
		at    []int // the elements that it names, from the displacement
	}{
		"stride":    {made(datatype.Vector(2, 1, -3, int64s)), 1, []int{0, -3}},
		"backwards": {made(datatype.IndexedBlock(1, []int64{3, 0}, int64s)), 1, []int{3, 0}},
		"bound":     {made(datatype.Resized(int64s, -8, 16)), 2, []int{0, 2}},
		"before":    {made(datatype.IndexedBlock(1, []int64{-2, 1}, int64s)), 1, []int{-2, 1}},
		"all":       {made(datatype.IndexedBlock(2, []int64{-4}, int64s)), 1, []int{-4, -3}},
		"extent":    {made(datatype.Resized(int64s, 0, -16)), 2, []int{0, -2}},
	}
	const length, disp = 20, 10
	onFast(t, 2, func(t *testing.T, world *mpi.Comm) {
		w, err := mpi.WinAllocate[int64](world, length)
		require.NoError(t, err)
		other := 1 - world.Rank()
		for name, x := range types {
			x.Commit()
			layout := mpi.DataOf(nil, x.count, x.Type)
			data, old, got := []int64{7, 9}, make([]int64, 2), make([]int64, 2)
			require.NoError(t, w.Lock(mpi.LockExclusive, other), name)
			require.NoError(t, w.Put(make([]int64, length), other, 0))
			require.NoError(t, w.Flush(other))
			require.NoError(t, w.PutData(mpi.Elements(data), other, disp, layout))
			require.NoError(t, w.AccumulateData(mpi.Elements(data), mpi.Sum, other, disp, layout))
			require.NoError(t, w.GetAccumulateData(mpi.Elements(data), mpi.Elements(old), mpi.Sum, other, disp, layout))
			require.NoError(t, w.Flush(other), name)
			require.Equal(t, []int64{14, 18}, old, name)
			require.NoError(t, w.GetData(mpi.Elements(got), other, disp, layout))
			require.NoError(t, w.Flush(other), name)
			require.Equal(t, []int64{21, 27}, got, name)
			wait(t, must(t)(w.RputData(mpi.Elements(data), other, disp, layout)))
			wait(t, must(t)(w.RaccumulateData(mpi.Elements(data), mpi.Sum, other, disp, layout)))
			wait(t, must(t)(w.RgetAccumulateData(mpi.Elements(data), mpi.Elements(old), mpi.Sum, other, disp, layout)))
			wait(t, must(t)(w.RgetData(mpi.Elements(got), other, disp, layout)))
			require.Equal(t, [][]int64{{14, 18}, {21, 27}}, [][]int64{old, got}, name)
			all, want := make([]int64, length), make([]int64, length)
			require.NoError(t, w.Get(all, other, 0))
			require.NoError(t, w.Unlock(other))
			for i, at := range x.at {
				want[disp+at] = 3 * data[i]
			}
			require.Equal(t, want, all, name)
			if first := min(x.at[0], x.at[1]); first < 0 {
				require.NoError(t, w.Lock(mpi.LockShared, other))
				require.NoError(t, w.PutData(mpi.Elements(data), other, -first-1, layout))
				err := w.Unlock(other)
				require.ErrorIs(t, err, mpi.ErrRMARange, name)
				require.ErrorContains(t, err, "less")
			}
		}
		require.NoError(t, w.Free())
	})
}

// MaxLoc and MinLoc find the rank with the extreme value, also where a Located has padding.
func TestExtremesInWindows(t *testing.T) {
	onFast(t, 3, func(t *testing.T, world *mpi.Comm) {
		extremes(t, world, mpi.MaxLoc[float64], mpi.MinLoc[float64], mpi.NoOp[mpi.Located[float64]])
		extremes(t, world, mpi.MaxLoc[int16], mpi.MinLoc[int16], mpi.NoOp[mpi.Located[int16]])
	})
}

func extremes[T int16 | float64](t *testing.T, world *mpi.Comm, maxLoc, minLoc, noOp mpi.Op[mpi.Located[T]]) {
	const n = 1500 // more than a message has
	me, size := world.Rank(), world.Size()
	w, err := mpi.WinAllocate[mpi.Located[T]](world, 2*n)
	require.NoError(t, err)
	for i := range n {
		w.Memory()[i], w.Memory()[n+i] = mpi.Located[T]{Value: -1}, mpi.Located[T]{Value: 100}
	}
	value := func(rank, i int) mpi.Located[T] {
		return mpi.Located[T]{Value: T((rank + i) % size), Index: int64(rank)}
	}
	mine := make([]mpi.Located[T], n)
	for i := range mine {
		mine[i] = value(me, i)
	}
	require.NoError(t, w.Fence())
	require.NoError(t, w.Accumulate(mine, maxLoc, 0, 0))
	require.NoError(t, w.AccumulateData(mpi.Elements(mine), minLoc, 0, n, mpi.Data{}))
	require.NoError(t, w.Fence())
	got := make([]mpi.Located[T], 2*n)
	require.NoError(t, w.Get(got, 0, 0))
	var last mpi.Located[T]
	require.NoError(t, w.FetchAndOp(mpi.Located[T]{}, &last, noOp, 0, 2*n-1))
	require.NoError(t, w.Fence())
	for i := range n {
		require.Equal(t, value((2*size-1-i%size)%size, i), got[i])
		require.Equal(t, value((size-i%size)%size, i), got[n+i])
	}
	require.Equal(t, got[2*n-1], last)
	require.NoError(t, w.Free())
}
