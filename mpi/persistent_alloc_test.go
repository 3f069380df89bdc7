//go:build !race

package mpi_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Starting persistent requests, and waiting for a set of them, allocates nothing. (A context that ends allocates a timer
// or the like where a wait blocks.)
func TestPersistentMessagesDoNotAllocate(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		require.NoError(t, mpi.RunLocal(2, func(world *mpi.Comm) error {
			peer := 1 - world.Rank()
			reqs := []*mpi.Request{
				must(t)(mpi.RecvInit(world, make([]int, 10), peer, 0)), must(t)(mpi.SendInit(world, make([]int, 10), peer, 0)),
			}
			statuses, indices := make([]mpi.Status, 2), make([]int, 2)
			once := func() {
				require.NoError(t, mpi.StartAll(reqs...))
				_, err := mpi.WaitAllInto(context.Background(), statuses[:0], reqs...)
				require.NoError(t, err)
				require.NoError(t, mpi.StartAll(reqs...))
				for left := 2; left > 0; {
					some, _, err := mpi.WaitSomeInto(context.Background(), indices[:0], statuses[:0], reqs...)
					require.NoError(t, err)
					left -= len(some)
				}
			}
			return steady(t, world, once)
		}, options...))
	})
}

// Nor does starting persistent collective operations.
func TestPersistentCollectivesDoNotAllocate(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		for _, length := range []int{1, 4096} {
			require.NoError(t, mpi.RunLocal(3, func(world *mpi.Comm) error {
				send, recv := make([]float64, length), make([]float64, length)
				reqs := []*mpi.Request{
					must(t)(world.BarrierInit()), must(t)(mpi.BcastInit(world, make([]float64, length), 1)),
					must(t)(mpi.AllreduceInit(world, send, recv, mpi.Sum)),
				}
				statuses := make([]mpi.Status, len(reqs))
				return steady(t, world, func() {
					require.NoError(t, mpi.StartAll(reqs...))
					_, err := mpi.WaitAllInto(context.Background(), statuses[:0], reqs...)
					require.NoError(t, err)
				})
			}, options...))
		}
	})
}

// Nor do rounds of partitioned messages.
func TestPartitionedMessagesDoNotAllocate(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		require.NoError(t, mpi.RunLocal(2, func(world *mpi.Comm) error {
			peer := 1 - world.Rank()
			send, recv := must(t)(mpi.PsendInit(world, make([]int, 40), 4, peer, 0)), must(t)(mpi.PrecvInit(world, make([]int, 40), 5, peer, 0))
			return steady(t, world, func() {
				require.NoError(t, mpi.StartAll(recv, send))
				require.NoError(t, send.PreadyRange(0, 3))
				_, err := send.Wait(context.Background())
				require.NoError(t, err)
				_, err = recv.Wait(context.Background())
				require.NoError(t, err)
			})
		}, options...))
	})
}
