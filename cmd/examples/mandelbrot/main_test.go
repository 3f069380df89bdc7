package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// However many workers there are, the points and the work are the same. There may be more workers than rows.
func TestMandelbrot(t *testing.T) {
	s, r := size{9, 5, 100}, region{-2, -1, 0.5} // from -2-i to 2+i
	moves := int64(0)
	for row := range s.Height {
		for i := range s.Width {
			moves += escape(r.Left+float64(i)*r.Step, r.Top+float64(row)*r.Step, s.Limit)
		}
	}
	for _, ranks := range []int{2, 3, 8} {
		require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
			if world.Rank() > 0 {
				return work(world)
			}
			set, moved, err := manage(world, s, r)
			require.Equal(t, 11, set) // from -2 to 0, -½±½i, ±½i, ±i
			require.Equal(t, moves, moved)
			return err
		}))
	}
}

func TestAWorkerIsNeeded(t *testing.T) {
	require.Error(t, mpi.RunLocal(1, func(world *mpi.Comm) error {
		_, _, err := manage(world, size{1, 1, 1}, region{})
		return err
	}))
}
