package main

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// The numbers of all ranks, however few or equal, are those of one sorted list.
func TestSampleSort(t *testing.T) {
	for _, ranks := range []int{1, 2, 3, 6} {
		for _, most := range []int{0, 1, 5, 3000} {
			require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
				random := rand.New(rand.NewPCG(uint64(most), uint64(world.Rank())))
				mine := make([]int, random.IntN(most+1))
				for i := range mine {
					mine[i] = random.IntN(most)
				}
				before, err := mpi.GatherSlices(world, mine, 0)
				if err != nil {
					return err
				}
				mine = sortAll(world, slices.Clone(mine))
				after, err := mpi.GatherSlices(world, mine, 0)
				if err != nil || world.Rank() > 0 {
					return err
				}
				want := slices.Concat(before...)
				slices.Sort(want)
				require.Equal(t, want, slices.Concat(after...))
				return nil
			}))
		}
	}
}
