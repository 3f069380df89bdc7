package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// What is declared adds up, and an operation of this package has what it had.
func TestDeclaredOperations(t *testing.T) {
	type properties struct{ commutes, exact, safe bool }
	of := func(commutes, exact, safe bool) properties { return properties{commutes, exact, safe} }
	for range 2 { // known by now
		require.Equal(t, properties{}, of(mpi.Properties(compose)))
		require.Equal(t, properties{commutes: true}, of(mpi.Properties(mpi.Commutative(compose))))
		require.Equal(t, properties{safe: true}, of(mpi.Properties(mpi.Background(compose))))
		require.Equal(t, properties{commutes: true, safe: true}, of(mpi.Properties(mpi.Background(mpi.Commutative(compose)))))
		require.Equal(t, properties{commutes: true, safe: true}, of(mpi.Properties(mpi.Commutative(mpi.Background(compose)))))
		require.Equal(t, properties{commutes: true, safe: true}, of(mpi.Properties(mpi.Commutative(mpi.Sum[float64]))))
	}
	left := affines(1, 10)
	mpi.Commutative(mpi.Background(compose))(left, affines(2, 10))
	require.Equal(t, composed(1, 3, 10), left)
	require.True(t, mpi.Commutes(mpi.Max[int]) && mpi.Commutes(mpi.Commutative(compose)))
	require.False(t, mpi.Commutes(compose) || mpi.Commutes[int](nil))
	require.Nil(t, mpi.Commutative[int](nil))
	require.Nil(t, mpi.Background[int](nil))
}

// The grouping of what is exact cannot be seen: of integers always, of other numbers unless they are rounded.
func TestExactOperations(t *testing.T) {
	exact := func(commutes, exact, safe bool) bool {
		require.True(t, commutes && safe)
		return exact
	}
	require.True(t, exact(mpi.Properties(mpi.Sum[int8])))
	require.True(t, exact(mpi.Properties(mpi.Prod[uint64])))
	require.True(t, exact(mpi.Properties(mpi.LogicalAnd[bool])))
	require.True(t, exact(mpi.Properties(mpi.LogicalXor[float64])))
	require.True(t, exact(mpi.Properties(mpi.Max[float32])))
	require.True(t, exact(mpi.Properties(mpi.MinLoc[int16])))
	require.False(t, exact(mpi.Properties(mpi.Sum[float32])))
	require.False(t, exact(mpi.Properties(mpi.Prod[complex128])))
	require.False(t, exact(mpi.Properties(mpi.MaxLoc[float64]))) // zeros of two signs are equal, but not alike
}

// What is declared to commute gives the same, if it does, for all lengths; what is not is combined in the order of ranks.
func TestReductionsByDeclaredOperations(t *testing.T) {
	const size = 5
	add := mpi.Commutative(func(left, right []int) {
		for i, r := range right {
			left[i] += r
		}
	})
	ranks(t, size, func(t *testing.T, world *mpi.Comm) {
		for _, length := range []int{0, 1, 100, 20_000} {
			all := make([]affine, length)
			require.NoError(t, mpi.Allreduce(world, affines(world.Rank(), length), all, mpi.Background(compose)))
			require.Equal(t, composed(0, size, length), all)
			sum, want := make([]int, length), make([]int, length)
			require.NoError(t, mpi.Allreduce(world, sequence(world.Rank(), length), sum, add))
			for i := range want {
				want[i] = size*i + size*(size-1)/2
			}
			require.Equal(t, want, sum)
		}
	})
}

// A reduction by a function that may run in the background goes on while the program is in no call.
func TestBackgroundOperationsNeedNoCall(t *testing.T) {
	for _, mode := range []string{"hybrid", "event"} {
		t.Run(mode, func(t *testing.T) {
			ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
				called, sum := make(chan bool, 1), make([]int, 1)
				r := must(t)(mpi.Iallreduce(world, []int{1 + world.Rank()}, sum, mpi.Background(func(left, right []int) {
					left[0] += right[0]
					called <- true
				})))
				<-called
				wait(t, r)
				require.Equal(t, []int{3}, sum)
			}, mpi.WithProgress(mode))
		})
	}
}
