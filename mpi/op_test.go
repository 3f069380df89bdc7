package mpi_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// applied is left ∘ right.
func applied[T any](op mpi.Op[T], left, right []T) []T {
	op(left, right)
	return left
}

// MPI 4.1, section 6.9.2.
func TestOperations(t *testing.T) {
	require.Equal(t, []int8{5, -3}, applied(mpi.Sum, []int8{2, -1}, []int8{3, -2}))
	require.Equal(t, []complex128{-1}, applied(mpi.Prod, []complex128{1i}, []complex128{1i}))
	require.Equal(t, []uint16{3, 9}, applied(mpi.Max, []uint16{2, 9}, []uint16{3, 1}))
	require.Equal(t, []float32{2, -1}, applied(mpi.Min, []float32{2, 9}, []float32{3, -1}))
	a, b := []bool{false, false, true, true}, []bool{false, true, false, true}
	require.Equal(t, []bool{false, false, false, true}, applied(mpi.LogicalAnd, append([]bool{}, a...), b))
	require.Equal(t, []bool{false, true, true, true}, applied(mpi.LogicalOr, append([]bool{}, a...), b))
	require.Equal(t, []bool{false, true, true, false}, applied(mpi.LogicalXor, append([]bool{}, a...), b))
	require.Equal(t, []int{0b1000}, applied(mpi.BitAnd, []int{0b1100}, []int{0b1010}))
	require.Equal(t, []int{0b1110}, applied(mpi.BitOr, []int{0b1100}, []int{0b1010}))
	require.Equal(t, []int{0b0110}, applied(mpi.BitXor, []int{0b1100}, []int{0b1010}))
}

// MPI 4.1, section 6.9.2: logical operations take numbers too, 0 for false.
func TestLogicalOperationsOnNumbers(t *testing.T) {
	logical(t, 1, []int{0, 0, -3, 4}, []int{0, 2, 0, 1})
	logical(t, 1, []int8{0, 0, -3, 4}, []int8{0, 2, 0, 1})
	logical(t, 1, []uint16{0, 0, 256, 4}, []uint16{0, 2, 0, 256})
	logical(t, 1, []int32{0, 0, 1 << 30, 4}, []int32{0, -1 << 31, 0, 1})
	logical(t, 1, []float32{0, 0, 0.5, float32(math.NaN())}, []float32{0, -1, 0, float32(math.Inf(1))})
	logical(t, 1, []float64{0, math.Copysign(0, -1), 0.5, 1e-300}, []float64{0, -1, 0, 2})
	logical(t, 1, []complex64{0, 0, 1i, 1}, []complex64{0, 2, 0, 1i})
	logical(t, 1, []complex128{0, 0, 1i, 1}, []complex128{0, 2, 0, 1i})
	type flag bool
	logical(t, true, []flag{false, false, true, true}, []flag{false, true, false, true})
}

// logical takes vectors of false, false, true, true and false, true, false, true.
func logical[T mpi.Truth](t *testing.T, yes T, a, b []T) {
	no := b[0]
	require.Equal(t, []T{no, no, no, yes}, applied(mpi.LogicalAnd, append([]T{}, a...), b))
	require.Equal(t, []T{no, yes, yes, yes}, applied(mpi.LogicalOr, append([]T{}, a...), b))
	require.Equal(t, []T{no, yes, yes, no}, applied(mpi.LogicalXor, append([]T{}, a...), b))
}

// Section 6.9.4: the smaller index wins where values are equal.
func TestLocations(t *testing.T) {
	type at = mpi.Located[float64]
	nan := math.NaN()
	left := func() []at { return []at{{1, 5}, {2, 5}, {3, 5}, {3, 5}} }
	right := []at{{2, 0}, {1, 0}, {3, 0}, {3, 9}}
	require.Equal(t, []at{{2, 0}, {2, 5}, {3, 0}, {3, 5}}, applied(mpi.MaxLoc, left(), right))
	require.Equal(t, []at{{1, 5}, {1, 0}, {3, 0}, {3, 5}}, applied(mpi.MinLoc, left(), right))
	for _, op := range []mpi.Op[at]{mpi.MaxLoc[float64], mpi.MinLoc[float64]} {
		got := applied(op, []at{{nan, 4}, {1, 0}, {nan, 4}}, []at{{1, 0}, {nan, 4}, {nan, 2}})
		for i, want := range []int64{4, 4, 2} {
			require.True(t, math.IsNaN(got[i].Value))
			require.Equal(t, want, got[i].Index)
		}
	}
}

// Where the largest value is, over all ranks.
func TestAllreduceOfLocations(t *testing.T) {
	ranks(t, 5, func(t *testing.T, world *mpi.Comm) {
		mine := []mpi.Located[int32]{{Value: int32(world.Rank() % 3), Index: int64(world.Rank())}}
		top := make([]mpi.Located[int32], 1)
		require.NoError(t, mpi.Allreduce(world, mine, top, mpi.MaxLoc))
		require.Equal(t, mpi.Located[int32]{Value: 2, Index: 2}, top[0])
	})
}
