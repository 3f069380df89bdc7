//go:build !race

package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
)

// record is a type that is described by reflection, once.
type record struct {
	ID   int64
	Data [7]float32
}

// padded is a type whose padding is not sent.
type padded struct {
	ID   int32
	Data float64
}

// steady has all ranks do the same often, and checks that nothing is allocated in the long run.
func steady(t *testing.T, world *mpi.Comm, once func()) error { return allocates(t, world, 0, once) }

// allocates is steady where so much, at most, is allocated each time.
func allocates(t *testing.T, world *mpi.Comm, most float64, once func()) error {
	const warm, runs = 100, 200
	for range warm {
		once()
	}
	if world.Rank() == 0 {
		require.LessOrEqual(t, rpitest.WholeAllocations(runs, once), most)
		return nil
	}
	for range runs {
		once()
	}
	return nil
}

// Blocking sends and receives allocate nothing in the long run, on either
// side: the ranks of RunLocal share a heap. (Under the race detector pools
// forget at random.)
func TestBlockingMessagesDoNotAllocate(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		allocations := func(run func(world *mpi.Comm, rounds func(once func())) error) float64 {
			var n float64
			require.NoError(t, mpi.RunLocal(2, func(world *mpi.Comm) error {
				return run(world, func(once func()) {
					for range 100 {
						once()
					}
					n = rpitest.WholeAllocations(200, once)
				})
			}, options...))
			return n
		}
		require.Zero(t, allocations(func(world *mpi.Comm, rounds func(once func())) error {
			return pingPong(world, make([]int, 10), rounds)
		}))
		require.Zero(t, allocations(func(world *mpi.Comm, rounds func(once func())) error {
			return pingPong(world, make([]record, 10), rounds)
		}))
		require.Zero(t, allocations(func(world *mpi.Comm, rounds func(once func())) error {
			return pingPong(world, make([]padded, 10), rounds)
		}), "elements that are packed")
	})
}

// Nor do collectives, with one goroutine a rank.
func TestCollectivesDoNotAllocate(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		for _, length := range []int{1, 4096} {
			require.NoError(t, mpi.RunLocal(3, func(world *mpi.Comm) error {
				send, recv, sides := make([]float64, length), make([]float64, length), make([]float64, 2*length)
				apart := mpi.Strided(make([]float64, 2*length), length, 1, 2)
				ring := ring(t, world)
				return steady(t, world, func() {
					require.NoError(t, world.Barrier())
					require.NoError(t, mpi.NeighborAllgather(ring, send, sides))
					require.NoError(t, mpi.Bcast(world, send, 1))
					require.NoError(t, mpi.BcastData(world, apart, 1))
					require.NoError(t, mpi.Allreduce(world, send, recv, mpi.Sum))
				})
			}, options...))
		}
	})
}

// Nonblocking ones allocate their Requests: one for each of three ranks.
func TestNonblockingCollectivesAllocateTheirRequests(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		const size = 3
		require.NoError(t, mpi.RunLocal(size, func(world *mpi.Comm) error {
			send, recv := make([]float64, 100), make([]float64, 100)
			return allocates(t, world, size, func() { wait(t, must(t)(mpi.Iallreduce(world, send, recv, mpi.Sum))) })
		}, options...))
	})
}

// A nonblocking operation allocates its Request, and WaitAny nothing.
func TestRequestsAllocateOnce(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		require.NoError(t, mpi.RunLocal(1, func(world *mpi.Comm) error {
			send, recv := []int{1}, []int{0}
			reqs := make([]*mpi.Request, 3)
			require.EqualValues(t, 1, rpitest.WholeAllocations(100, func() {
				var err error
				reqs[1], err = mpi.Irecv(world, recv, 0, 0)
				require.NoError(t, err)
				require.NoError(t, mpi.Send(world, send, 0, 0))
				i, _, err := mpi.WaitAny(t.Context(), reqs...)
				require.NoError(t, err)
				require.Equal(t, 1, i)
			}))
			return nil
		}, options...))
	})
}
