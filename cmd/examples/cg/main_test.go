package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// The method finds the solution that the right-hand side was made of, in far
// fewer steps than there are unknowns.
func TestConjugateGradients(t *testing.T) {
	const n = 15
	want := make([]float64, n*n)
	for i := range want {
		want[i] = float64(i%7) - 3
	}
	for _, ranks := range []int{1, 2, 3, 5} {
		require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
			a := poisson(world, n)
			x, steps, err := a.solve(a.times(want), 1e-12)
			if err != nil {
				return err
			}
			parts, err := mpi.GatherSlices(world, x, 0)
			if err != nil || world.Rank() > 0 {
				return err
			}
			var got []float64
			for _, part := range parts {
				got = append(got, part...)
			}
			require.InDeltaSlice(t, want, got, 1e-9)
			require.Less(t, steps, n*n/2)
			return nil
		}))
	}
}

// A right-hand side of zeros has the solution zero, without a step.
func TestNothingToSolve(t *testing.T) {
	require.NoError(t, mpi.RunLocal(2, func(world *mpi.Comm) error {
		a := poisson(world, 4)
		x, steps, err := a.solve(make([]float64, 8), 1e-12)
		require.Zero(t, steps)
		require.Equal(t, make([]float64, 8), x)
		return err
	}))
}
