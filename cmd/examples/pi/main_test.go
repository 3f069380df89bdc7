package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// The midpoint rule is off by 1/(12·intervals²) or so, however many ranks share
// the work, and more of them than there are intervals do no harm.
func TestPi(t *testing.T) {
	for _, ranks := range []int{1, 2, 3, 7} {
		for _, intervals := range []int{1, 5, 1000} {
			require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
				if world.Rank() > 0 {
					_, err := compute(world, 0)
					return err
				}
				pi, err := compute(world, intervals)
				require.InDelta(t, math.Pi, pi, 0.1/float64(intervals*intervals))
				return err
			}))
		}
	}
}
