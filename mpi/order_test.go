package mpi_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// MPI 4.1, section 3.5: messages from one rank are received in the order in
// which they were sent, as far as a receive could take either.
func TestMessagesOfOneTagDoNotOvertake(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		const messages = 300
		for i := range messages {
			length := []int{1, 10, 2000}[i%3] // of both protocols
			if world.Rank() == 0 {
				must(t)(mpi.Ibsend(world, sequence(i, length), 1, 3))
				continue
			}
			buf := make([]int, 2000)
			status, err := mpi.Recv(world, buf, 0, 3)
			require.NoError(t, err)
			equal(t, sequence(i, length), buf[:status.Count])
		}
	}, mpi.WithEagerLimit(eagerLimit))
}

// The same rule for AnyTag, which can take any message of a sender: it gets
// them in the order in which they were sent whatever their tags are.
func TestAnyTagReceivesInTheOrderOfSending(t *testing.T) {
	ranks(t, 3, func(t *testing.T, world *mpi.Comm) {
		const messages = 300
		random := rand.New(rand.NewPCG(3, 5)) // the same on all ranks
		next := make([]int, world.Size())
		for i := range messages {
			tag, length := random.IntN(mpi.MaxTag), 1+random.IntN(1500)
			if world.Rank() != 0 {
				must(t)(mpi.Isend(world, sequence(i, length), 0, tag))
			}
		}
		if world.Rank() != 0 {
			return
		}
		buf := make([]int, 1500)
		for range 2 * messages {
			status, err := mpi.Recv(world, buf, mpi.AnySource, mpi.AnyTag)
			require.NoError(t, err)
			require.Equal(t, next[status.Source], buf[0])
			next[status.Source]++
		}
		require.Equal(t, []int{0, messages, messages}, next)
	}, mpi.WithEagerLimit(eagerLimit))
}

// A receive with a concrete tag takes its message from among others.
func TestReceivesSelectByTag(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		const tags = 40
		if world.Rank() == 0 {
			for tag := range tags {
				require.NoError(t, mpi.Bsend(world, []int{tag}, 1, tag))
			}
			return
		}
		buf := make([]int, 1)
		for tag := tags - 1; tag >= 0; tag-- {
			status, err := mpi.Recv(world, buf, mpi.AnySource, tag)
			require.NoError(t, err)
			require.Equal(t, mpi.Status{Source: 0, Tag: tag, Count: 1, Bytes: 8}, status)
			require.Equal(t, tag, buf[0])
		}
	})
}

// Receives that could take the same message take it in the order in which they
// were posted.
func TestPostedReceivesMatchInOrder(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		const messages = 100
		if world.Rank() == 1 {
			got := make([]int, messages)
			reqs := make([]*mpi.Request, messages)
			for i := range reqs {
				source, tag := 0, 5
				if i%3 == 1 {
					source = mpi.AnySource
				}
				if i%4 == 1 {
					tag = mpi.AnyTag
				}
				reqs[i] = must(t)(mpi.Irecv(world, got[i:i+1], source, tag))
			}
			require.NoError(t, world.Barrier())
			_, err := mpi.WaitAll(t.Context(), reqs...)
			require.NoError(t, err)
			require.Equal(t, sequence(0, messages), got)
			return
		}
		require.NoError(t, world.Barrier())
		for i := range messages {
			require.NoError(t, mpi.Send(world, []int{i}, 1, 5))
		}
	})
}

// MPI 4.1, section 11.6 (MPI_THREAD_MULTIPLE): goroutines of all ranks send and
// receive at the same time; each pair of goroutines with a tag of its own
// keeps its order.
func TestManyGoroutines(t *testing.T) {
	ranks(t, 3, func(t *testing.T, world *mpi.Comm) {
		const pairs, messages = 20, 30
		var all sync.WaitGroup
		for tag := range pairs {
			for peer := range world.Size() {
				all.Go(func() {
					for i := range messages {
						if mpi.Send(world, sequence(i, 1+i*50), peer, tag) != nil {
							return // the receiver fails
						}
					}
				})
				all.Go(func() {
					buf := make([]int, 50*messages)
					for i := range messages {
						status, err := mpi.Recv(world, buf, peer, tag)
						if err != nil || status.Count != 1+i*50 || buf[0] != i || buf[status.Count-1] != i+i*50 {
							t.Errorf("message %d from %d with tag %d: %+v, %v", i, peer, tag, status, err)
							return
						}
					}
				})
			}
		}
		all.Wait()
	}, mpi.WithEagerLimit(eagerLimit))
}
