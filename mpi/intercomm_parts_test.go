package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

func TestPartsOfAnIntercommunicator(t *testing.T) {
	halves(t, 3, 4, func(t *testing.T, world, inter *mpi.Comm, inFirst bool) {
		// sides has what two groups of ranks are to this one.
		sides := func(first, second []int) (near, far []int) {
			if inFirst {
				return first, second
			}
			return second, first
		}
		// Odd and even ranks of the world, the last of each group first.
		odd := world.Rank() % 2
		part, err := inter.Split(odd, -world.Rank())
		require.NoError(t, err)
		near, far := sides([]int{2, 0}, []int{6, 4})
		if odd == 1 {
			near, far = sides([]int{1}, []int{5, 3})
		}
		between(t, world, part, near, far)

		// A color that one group alone has, one that both have, and ranks that want none.
		color := []int{0, 0, 3, 1, 3, mpi.Undefined, mpi.Undefined}[world.Rank()]
		part, err = inter.Split(color, 0)
		require.NoError(t, err)
		if color == 3 {
			near, far = sides([]int{2}, []int{4})
			between(t, world, part, near, far)
		} else {
			require.Nil(t, part)
		}
		_, err = inter.Split(-1, 0)
		require.ErrorIs(t, err, mpi.ErrArg)

		// The last of each group and the first, in this order.
		last := inter.Size() - 1
		some, err := inter.Group().Include(last, 0)
		require.NoError(t, err)
		part, err = inter.Create(some)
		require.NoError(t, err)
		if some.Rank() == mpi.Undefined {
			require.Nil(t, part)
		} else {
			near, far = sides([]int{2, 0}, []int{6, 3})
			between(t, world, part, near, far)
		}
		// One group passes no process.
		one := inter.Group()
		if !inFirst {
			one = nil
		}
		part, err = inter.Create(one)
		require.NoError(t, err)
		require.Nil(t, part)
		// Processes of the other group, and different groups: all ranks fail.
		_, err = inter.Create(inter.RemoteGroup())
		require.ErrorIs(t, err, mpi.ErrArg)
		differing := inter.Group()
		if world.Rank() == 1 {
			differing = some
		}
		_, err = inter.Create(differing)
		require.ErrorIs(t, err, mpi.ErrArg)
		require.ErrorContains(t, err, "passes another group than")
		require.NoError(t, inter.Barrier())
	})
}

// The processes of each host that are in both groups get an intercommunicator.
func TestSplitTypeOfAnIntercommunicator(t *testing.T) {
	require.NoError(t, mpi.RunLocal(5, func(world *mpi.Comm) error {
		inter, _ := halved(t, world, 2)
		part, err := inter.SplitType(mpi.SplitShared, 0)
		require.NoError(t, err)
		if me := world.Rank(); me < 4 {
			between(t, world, part, []int{me}, []int{3 - me})
		} else {
			require.Nil(t, part, "no rank of the first group is on its host")
		}
		return inter.Free()
	}, mpi.WithHosts(0, 1, 1, 0, 2)))
}

// job is the ranks in the world of the processes of a group.
func job(t *testing.T, world *mpi.Comm, g *mpi.Group) []int {
	places := make([]int, g.Size())
	for i := range places {
		places[i] = i
	}
	ranks, err := g.Translate(places, world.Group())
	require.NoError(t, err)
	return ranks
}

// between checks that an intercommunicator is of these processes, by their ranks in the world, and frees it.
func between(t *testing.T, world, inter *mpi.Comm, near, far []int) {
	require.True(t, inter.Inter())
	require.Equal(t, [][]int{near, far}, [][]int{job(t, world, inter.Group()), job(t, world, inter.RemoteGroup())})
	got := make([]int, len(far))
	require.NoError(t, mpi.Allgather(inter, []int{world.Rank()}, got))
	require.Equal(t, far, got)
	require.NoError(t, inter.Free())
}
