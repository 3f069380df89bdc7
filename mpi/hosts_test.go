package mpi_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Wherever the ranks are, they get the same from collective operations, to the bit.
func TestPlacementDoesNotShow(t *testing.T) {
	const size = 6
	var alike [size][]float64 // of all placements
	for _, hosts := range [][]int32{nil, {0, 0, 0, 1, 1, 1}, {7, 3, 7, 3, 9, 9}, {0, 0, 0, 0, 0, 1}, {0, 1, 2, 3, 4, 5}} {
		t.Run(fmt.Sprint(hosts), func(t *testing.T) {
			err := mpi.RunLocal(size, func(world *mpi.Comm) error {
				me, got := world.Rank(), []float64(nil)
				random := rand.New(rand.NewPCG(1, uint64(me)))
				for _, length := range []int{1, 50, 5000, 40_000} {
					real, whole := make([]float64, length), given(me, length)
					for i := range real {
						real[i] = random.NormFloat64()
					}
					sum, sums, tops := make([]float64, length), make([]int, length), make([]float64, length)
					requests := []*mpi.Request{
						must(t)(mpi.Iallreduce(world, real, sum, mpi.Sum)),
						must(t)(mpi.Iallreduce(world, whole, sums, mpi.Sum)),
						must(t)(mpi.Ireduce(world, real, tops, mpi.Max, length%size)),
						must(t)(world.Ibarrier()),
					}
					_, err := mpi.WaitAll(t.Context(), requests...)
					require.NoError(t, err)
					equal(t, steps(size, size*(size-1)/2, length), sums)
					all, counts := make([]int, size*length), make([]int, size)
					var same, different []int
					for rank := range counts { // the first rank gives nothing in the second one, the last one all
						counts[rank] = rank * length / (size - 1)
						same = append(same, given(rank, length)...)
						different = append(different, given(rank, counts[rank])...)
					}
					require.NoError(t, mpi.Allgather(world, whole, all))
					equal(t, same, all)
					all = all[:len(different)]
					require.NoError(t, mpi.Allgatherv(world, whole[:counts[me]], all, mpi.Layout{Counts: counts}))
					equal(t, different, all)
					for root := range size {
						vector := make([]int, length)
						require.NoError(t, mpi.Reduce(world, whole, vector, mpi.Sum, root))
						if me == root {
							equal(t, sums, vector)
							vector[0] = math.MaxInt
						}
						require.NoError(t, mpi.Bcast(world, vector, root))
						require.Equal(t, math.MaxInt, vector[0])
						equal(t, sums[1:], vector[1:])
					}
					got = append(append(got, sum...), tops...)
				}
				if alike[me] == nil {
					alike[me] = got
				}
				equal(t, alike[me], got)
				return nil
			}, mpi.WithHosts(hosts...))
			require.NoError(t, err)
		})
	}
}

// given is the first numbers that a rank of TestPlacementDoesNotShow gives.
func given(rank, n int) []int { return steps(1, rank, n) }
