package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// TestGroupsTellRanks shows groups as a rank sees them. The algebra itself is tested where it is written.
func TestGroupsTellRanks(t *testing.T) {
	require.NoError(t, mpi.RunLocal(5, func(world *mpi.Comm) error {
		all := world.Group()
		assert.Equal(t, 5, all.Size())
		assert.Equal(t, world.Rank(), all.Rank())

		odd, err := all.IncludeRanges(mpi.Range{First: 1, Last: 4, Stride: 2})
		require.NoError(t, err)
		assert.Equal(t, 2, odd.Size())
		if world.Rank()%2 == 1 {
			assert.Equal(t, world.Rank()/2, odd.Rank())
		} else {
			assert.Equal(t, mpi.Undefined, odd.Rank())
		}
		even := all.Difference(odd)
		assert.Equal(t, mpi.Similar, odd.Union(even).Compare(all))
		assert.Equal(t, mpi.Identical, all.Intersection(odd).Compare(odd))
		assert.Equal(t, mpi.Unequal, odd.Compare(even))
		first, err := even.Include(2, 0)
		require.NoError(t, err)
		rest, err := even.Exclude(0, 2)
		require.NoError(t, err)
		ranks, err := first.Union(rest).Translate([]int{0, 1, 2, mpi.ProcNull}, all)
		require.NoError(t, err)
		assert.Equal(t, []int{4, 0, 2, mpi.ProcNull}, ranks)
		ranks, err = all.Translate([]int{3, 2}, odd)
		require.NoError(t, err)
		assert.Equal(t, []int{1, mpi.Undefined}, ranks)
		last, err := all.ExcludeRanges(mpi.Range{First: 3, Last: 0, Stride: -1})
		require.NoError(t, err)
		ranks, err = last.Translate([]int{0}, all)
		require.NoError(t, err)
		assert.Equal(t, []int{4}, ranks)

		_, err = all.Include(5)
		assert.ErrorIs(t, err, mpi.ErrRank)
		var none *mpi.Group
		assert.Zero(t, none.Size())
		assert.Equal(t, mpi.Undefined, none.Rank())
		assert.Equal(t, mpi.Identical, none.Union(all).Compare(all))
		assert.Equal(t, world.Rank(), none.Union(all).Rank())
		return nil
	}))
}

// TestGroupsOfCommunicators shows that a group names processes, whatever their ranks.
func TestGroupsOfCommunicators(t *testing.T) {
	require.NoError(t, mpi.RunLocal(4, func(world *mpi.Comm) error {
		back, err := world.Split(0, -world.Rank())
		require.NoError(t, err)
		assert.Equal(t, mpi.Similar, back.Group().Compare(world.Group()))
		ranks, err := back.Group().Translate([]int{0, 1, 2, 3}, world.Group())
		require.NoError(t, err)
		assert.Equal(t, []int{3, 2, 1, 0}, ranks)
		return back.Free()
	}))
}
