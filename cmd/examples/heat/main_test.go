package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// The plate does not depend, to the bit, on how many ranks share it, and it is
// as physics wants it: symmetric, and each point is the mean of its neighbours.
func TestHeat(t *testing.T) {
	const n, enough = 20, 1e-6
	var alone []float64
	var steps int
	for _, ranks := range []int{1, 2, 4, 6} {
		require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
			plate, took := heat(world, n, enough)
			if world.Rank() > 0 {
				return nil
			}
			if ranks == 1 {
				alone, steps = plate, took
			}
			require.Equal(t, alone, plate)
			require.Equal(t, steps, took)
			return nil
		}))
	}
	require.ErrorContains(t, mpi.RunLocal(3, func(world *mpi.Comm) error {
		heat(world, 2, enough)
		return nil
	}), "2×2 points cannot be shared by 3×1 ranks")
	for y := 1; y < n-1; y++ {
		for x := 1; x < n-1; x++ {
			i := y*n + x
			require.InDelta(t, (alone[i-1]+alone[i+1]+alone[i-n]+alone[i+n])/4, alone[i], enough)
			require.InDelta(t, alone[i], alone[y*n+n-1-x], 1e-9)
			require.Greater(t, alone[i-n], alone[i], "it is hotter further up")
		}
	}
}
