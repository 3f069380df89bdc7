package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Ranks that disagree about a collective get errors and do not hang, and the
// next collective is not disturbed.
func TestCollectiveArgumentsThatDoNotMatch(t *testing.T) {
	number := func(odd bool, normal, different int) int {
		if odd {
			return different
		}
		return normal
	}
	twos := mpi.Layout{Counts: []int{2, 2, 2, 2}}
	cases := map[string]func(c *mpi.Comm, odd bool) error{ // odd: as the one rank that differs
		"longer Bcast buffer":  func(c *mpi.Comm, odd bool) error { return mpi.Bcast(c, make([]int, number(odd, 10, 11)), 0) },
		"shorter Bcast buffer": func(c *mpi.Comm, odd bool) error { return mpi.Bcast(c, make([]int, number(odd, 10, 9)), 0) },
		"Bcast of another type": func(c *mpi.Comm, odd bool) error {
			if odd {
				return mpi.Bcast(c, make([]float64, 10), 0)
			}
			return mpi.Bcast(c, make([]int, 10), 0)
		},
		"longer Reduce vector": func(c *mpi.Comm, odd bool) error {
			v := make([]int, number(odd, 10, 11))
			return mpi.Reduce(c, v, v, mpi.Sum, 0)
		},
		"Allreduce with another type": func(c *mpi.Comm, odd bool) error {
			if odd {
				return mpi.Allreduce(c, []float64{1}, []float64{1}, mpi.Sum)
			}
			return mpi.Allreduce(c, []int{1}, []int{1}, mpi.Sum)
		},
		"longer Gather block": func(c *mpi.Comm, odd bool) error {
			return mpi.Gather(c, make([]int, number(odd, 1, 2)), make([]int, c.Size()), 0)
		},
		"shorter Gatherv part": func(c *mpi.Comm, odd bool) error {
			return mpi.Gatherv(c, make([]int, number(odd, 2, 1)), make([]int, 8), twos, 0)
		},
		"longer Scatterv part": func(c *mpi.Comm, odd bool) error {
			return mpi.Scatterv(c, make([]int, 8), twos, make([]int, number(odd, 2, 3)), 0)
		},
	}
	for name, call := range cases {
		t.Run(name, func(t *testing.T) {
			disagreeing(t, 4, func(t *testing.T, world *mpi.Comm) {
				for odd := 1; odd < 4; odd++ {
					err := call(world, world.Rank() == odd)
					if err != nil {
						class := err.(*mpi.Error).Class
						require.Contains(t, []mpi.Class{mpi.ErrCount, mpi.ErrTruncate, mpi.ErrType}, class)
					}
					failed := make([]bool, 4)
					require.NoError(t, mpi.Allgather(world, []bool{err != nil}, failed))
					require.Contains(t, failed, true)
				}
			})
		})
	}
}

// The failure of one rank in a collective reaches all that depend on it,
// whatever the operation and the length, with its class; the communicator is
// good for what follows.
func TestFailureInACollectiveReachesItsDependents(t *testing.T) {
	for _, size := range []int{2, 3, 4, 5, 8, 9} {
		ranks(t, size, func(t *testing.T, world *mpi.Comm) {
			last := size - 1
			c := world
			if world.Rank() == last {
				c = world.WithContext(ended(errPatience))
			}
			for _, length := range []int{1, 300, 17_000} {
				v, w := make([]int, length), make([]int, length)
				all, more := make([]int, length*size), make([]int, length*size)
				even := mpi.Layout{Counts: make([]int, size)}
				for i := range even.Counts {
					even.Counts[i] = length
				}
				for i, err := range []error{
					c.Barrier(),
					mpi.Bcast(c, v, last),
					mpi.Allreduce(c, v, w, mpi.Sum),
					mpi.Scatter(c, all, v, last),
					mpi.Scatterv(c, all, even, v, last),
					mpi.Allgather(c, v, all),
					mpi.Allgatherv(c, v, all, even),
					mpi.Alltoall(c, all, more),
					mpi.Alltoallv(c, all, even, more, even),
				} {
					require.ErrorIs(t, err, mpi.ErrCancelled, "call %d", i)
				}
				for i, err := range []error{
					mpi.Reduce(c, v, w, mpi.Sum, 0),
					mpi.Gather(c, v, all, 0),
					mpi.Gatherv(c, v, all, even, 0),
				} {
					if r := world.Rank(); r == 0 || r == last {
						require.ErrorIs(t, err, mpi.ErrCancelled, "call %d to a root", i)
					}
				}
				require.NoError(t, world.Barrier())
			}
		})
	}
}
