package mpi_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Random sequences of collectives, on random communicators and without
// anything in between, give what the serial evaluation gives: consecutive
// calls never mix, however far apart the ranks are. A third of the carriers has each sequence, in turn, and in long tests
// all have, but slow ones fewer.
func TestRandomSequencesOfCollectives(t *testing.T) {
	const seeds, slowSeeds = 12, 6
	for seed := range uint64(seeds) {
		size := 1 + int(seed*5)%9
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			sequence := func(t *testing.T, world *mpi.Comm) {
				shared := rand.New(rand.NewPCG(seed, 0)) // the same on all ranks
				own := rand.New(rand.NewPCG(seed, uint64(1+world.Rank())))
				for range 4 {
					colors := 1 + shared.IntN(2)
					c, err := world.Split(world.Rank()%colors, 0)
					require.NoError(t, err)
					first := world.Rank() % colors
					for range 20 {
						length := []int{0, 1, 2, 17, 500, 3000}[shared.IntN(6)]
						for range own.IntN(50) {
							runtime.Gosched()
						}
						oneCollective(t, c, shared.IntN(8), length, shared.IntN(8*9*7*5)%c.Size(), first, colors)
					}
					require.NoError(t, c.Free())
				}
			}
			for i, c := range carriers {
				all := long() && (!c.slow || seed < slowSeeds)
				if all || (int(seed)+i)%3 == 0 {
					c.ranks(t, size, sequence)
				}
			}
		})
	}
}

// oneCollective runs collective number what on c, which has the ranks first,
// first+stride, … of the world, with the vectors that affines gives them.
func oneCollective(t *testing.T, c *mpi.Comm, what, length, root, first, stride int) {
	t.Helper()
	size, rank := c.Size(), c.Rank()
	vector := func(rank int) []affine { return affines(first+rank*stride, length) }
	prefix := func(n int) []affine {
		v := vector(0)
		for r := 1; r < n; r++ {
			compose(v, vector(r))
		}
		return v
	}
	all := func() []affine {
		v := make([]affine, 0, size*length)
		for r := range size {
			v = append(v, vector(r)...)
		}
		return v
	}
	mine, got, gathered := vector(rank), make([]affine, length), make([]affine, length*size)
	switch what {
	case 0:
		require.NoError(t, mpi.Bcast(c, mine, root))
		equal(t, vector(root), mine)
	case 1:
		require.NoError(t, mpi.Reduce(c, mine, got, compose, root))
		if rank == root {
			equal(t, prefix(size), got)
		}
	case 2:
		require.NoError(t, mpi.Allreduce(c, mine, got, compose))
		equal(t, prefix(size), got)
	case 3:
		require.NoError(t, mpi.Scan(c, mine, got, compose))
		equal(t, prefix(rank+1), got)
	case 4:
		require.NoError(t, mpi.Gather(c, mine, gathered, root))
		if rank == root {
			equal(t, all(), gathered)
		}
	case 5:
		require.NoError(t, mpi.Scatter(c, all(), got, root))
		equal(t, mine, got)
	case 6:
		require.NoError(t, mpi.Allgather(c, mine, gathered))
		equal(t, all(), gathered)
	case 7:
		require.NoError(t, mpi.Alltoall(c, all(), gathered))
		for r := range size {
			equal(t, mine, gathered[r*length:(r+1)*length])
		}
	}
}
