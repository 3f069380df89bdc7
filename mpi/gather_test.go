package mpi_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// blocks are lengths of one rank's part on both sides of what changes the
// algorithms.
var blocks = []int{0, 1, 3, 31, 33, 2500}

// concatenated are the vectors of all ranks one after the other.
func concatenated(size, length int) []affine {
	all := []affine{}
	for rank := range size {
		all = append(all, affines(rank, length)...)
	}
	return all
}

// MPI 4.1, section 6.5.
func TestGather(t *testing.T) {
	everySize(t, func(t *testing.T, world *mpi.Comm) {
		for _, length := range blocks {
			for _, root := range roots(world.Size()) {
				var recv []affine
				if world.Rank() == root {
					recv = make([]affine, world.Size()*length)
				}
				require.NoError(t, mpi.Gather(world, affines(world.Rank(), length), recv, root))
				if world.Rank() == root {
					equal(t, concatenated(world.Size(), length), recv)
				}
			}
		}
	})
}

// Section 6.6.
func TestScatter(t *testing.T) {
	everySize(t, func(t *testing.T, world *mpi.Comm) {
		for _, length := range blocks {
			for _, root := range roots(world.Size()) {
				var send []affine
				if world.Rank() == root {
					send = concatenated(world.Size(), length)
				}
				recv := make([]affine, length)
				require.NoError(t, mpi.Scatter(world, send, recv, root))
				equal(t, affines(world.Rank(), length), recv)
			}
		}
	})
}

// Section 6.7.
func TestAllgather(t *testing.T) {
	everySize(t, func(t *testing.T, world *mpi.Comm) {
		for _, length := range blocks {
			recv := make([]affine, world.Size()*length)
			require.NoError(t, mpi.Allgather(world, affines(world.Rank(), length), recv))
			equal(t, concatenated(world.Size(), length), recv)
		}
	})
}

// Section 6.8: what rank i has for rank j is what rank j gets from rank i.
func TestAlltoall(t *testing.T) {
	everySize(t, func(t *testing.T, world *mpi.Comm) {
		size := world.Size()
		for _, length := range blocks {
			send, want := []affine{}, []affine{}
			for rank := range size {
				send = append(send, affines(world.Rank()*size+rank, length)...)
				want = append(want, affines(rank*size+world.Rank(), length)...)
			}
			recv := make([]affine, size*length)
			require.NoError(t, mpi.Alltoall(world, send, recv))
			equal(t, want, recv)
		}
	})
}

// MPI_IN_PLACE: a rank's own part of the large buffer may be its small one.
func TestGathersAndScattersInPlace(t *testing.T) {
	everySize(t, func(t *testing.T, world *mpi.Comm) {
		const length = 5
		size, rank := world.Size(), world.Rank()
		all := make([]affine, size*length)
		mine := all[rank*length : (rank+1)*length]

		copy(mine, affines(rank, length))
		require.NoError(t, mpi.Allgather(world, mine, all))
		equal(t, concatenated(size, length), all)

		for _, root := range roots(size) {
			clear(all)
			copy(mine, affines(rank, length))
			require.NoError(t, mpi.Gather(world, mine, all, root))
			if rank == root {
				equal(t, concatenated(size, length), all)
			}
			require.NoError(t, mpi.Scatter(world, all, mine, root))
			equal(t, affines(rank, length), mine)
		}
	})
}

// randomLayout gives each rank a random count, some of them 0, and a place in
// random order with random gaps; it returns the length of the buffer.
func randomLayout(random *rand.Rand, size int) (mpi.Layout, int) {
	l := mpi.Layout{Counts: make([]int, size), Displs: make([]int, size)}
	end := 0
	for _, rank := range random.Perm(size) {
		l.Counts[rank] = max(0, random.IntN(12)-3)
		end += random.IntN(3)
		l.Displs[rank] = end
		end += l.Counts[rank]
	}
	return l, end + random.IntN(3)
}

// fill makes the buffer that has affines(rank, count) at each rank's part.
func fill(l mpi.Layout, length int) []affine {
	buf := make([]affine, length)
	for rank, count := range l.Counts {
		copy(buf[l.Displs[rank]:], affines(rank, count))
	}
	return buf
}

// Sections 6.5 to 6.7, with random layouts against the serial result; gaps are
// left alone.
func TestGathervScattervAllgathervWithRandomLayouts(t *testing.T) {
	everySize(t, func(t *testing.T, world *mpi.Comm) {
		random := rand.New(rand.NewPCG(6, 7)) // the same on all ranks
		rank := world.Rank()
		for range 10 {
			l, length := randomLayout(random, world.Size())
			root := random.IntN(world.Size())
			mine := affines(rank, l.Counts[rank])

			all := make([]affine, length)
			require.NoError(t, mpi.Allgatherv(world, mine, all, l))
			equal(t, fill(l, length), all)

			clear(all)
			require.NoError(t, mpi.Gatherv(world, mine, all, l, root))
			if rank == root {
				equal(t, fill(l, length), all)
			}

			all = fill(l, length)
			got := make([]affine, l.Counts[rank])
			require.NoError(t, mpi.Scatterv(world, all, l, got, root))
			equal(t, mine, got)

			packed := mpi.Layout{Counts: l.Counts}
			all = make([]affine, 0, length)
			for r, count := range l.Counts {
				all = append(all, affines(r, count)...)
			}
			clear(got)
			require.NoError(t, mpi.Scatterv(world, all, packed, got, root))
			equal(t, mine, got)
			want := slices.Clone(all)
			clear(all)
			require.NoError(t, mpi.Allgatherv(world, mine, all, packed))
			equal(t, want, all)
		}
	})
}

// Section 6.8.
func TestAlltoallvWithRandomLayouts(t *testing.T) {
	everySize(t, func(t *testing.T, world *mpi.Comm) {
		size, rank := world.Size(), world.Rank()
		random := rand.New(rand.NewPCG(6, 8)) // the same on all ranks
		for range 10 {
			layouts, lengths := make([]mpi.Layout, size), make([]int, size) // of each rank's send buffer
			for r := range size {
				layouts[r], lengths[r] = randomLayout(random, size)
			}
			send := fill(layouts[rank], lengths[rank])
			in := mpi.Layout{Counts: make([]int, size)}
			want := []affine{}
			for r := range size {
				in.Counts[r] = layouts[r].Counts[rank]
				want = append(want, affines(rank, in.Counts[r])...)
			}
			recv := make([]affine, len(want))
			require.NoError(t, mpi.Alltoallv(world, send, layouts[rank], recv, in))
			equal(t, want, recv)
		}
	})
}
