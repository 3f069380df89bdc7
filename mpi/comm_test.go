package mpi_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// MPI 4.1, section 7.4.2: a duplicate has the same ranks and its own messages.
func TestDupSeparatesMessages(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		dup, err := world.Dup()
		require.NoError(t, err)
		require.Equal(t, world.Rank(), dup.Rank())
		require.Equal(t, world.Size(), dup.Size())
		if world.Rank() == 0 {
			require.NoError(t, mpi.Send(world, []int{1}, 1, 0))
			require.NoError(t, mpi.Send(dup, []int{2}, 1, 0))
			return
		}
		buf := make([]int, 1)
		_, err = mpi.Recv(dup, buf, mpi.AnySource, mpi.AnyTag)
		require.NoError(t, err)
		require.Equal(t, 2, buf[0])
		_, found, err := dup.Iprobe(mpi.AnySource, mpi.AnyTag)
		require.NoError(t, err)
		require.False(t, found)
		_, err = mpi.Recv(world, buf, 0, 0)
		require.NoError(t, err)
		require.Equal(t, 1, buf[0])
	})
}

// Section 7.4.2: Split groups by color and orders by key, then by rank; the
// new communicators have their own ranks, messages and collectives.
func TestSplit(t *testing.T) {
	everySize(t, func(t *testing.T, world *mpi.Comm) {
		size, rank := world.Size(), world.Rank()
		// Ranks that are multiples of four stay out, the others part into even
		// and odd, in reverse order.
		color := rank % 2
		if rank%4 == 0 {
			color = mpi.Undefined
		}
		half, err := world.Split(color, -rank)
		require.NoError(t, err)
		if color == mpi.Undefined {
			require.Nil(t, half)
			require.Equal(t, mpi.Undefined, half.Rank())
			require.Zero(t, half.Size())
			require.Empty(t, half.Transport())
			require.ErrorIs(t, half.WithContext(t.Context()).Barrier(), mpi.ErrComm)
			return
		}
		var members []int
		for r := size - 1; r >= 0; r-- {
			if r%4 != 0 && r%2 == color {
				members = append(members, r)
			}
		}
		require.Equal(t, len(members), half.Size())
		require.Equal(t, rank, members[half.Rank()])

		all := make([]int, len(members))
		require.NoError(t, mpi.Allgather(half, []int{rank}, all))
		require.Equal(t, members, all)

		next, previous := (half.Rank()+1)%half.Size(), (half.Rank()-1+half.Size())%half.Size()
		got := make([]int, 1)
		status, err := mpi.Sendrecv(half, []int{rank}, next, 5, got, mpi.AnySource, mpi.AnyTag)
		require.NoError(t, err)
		require.Equal(t, previous, status.Source)
		require.Equal(t, members[previous], got[0])

		// Split again, into pairs.
		pair, err := half.Split(half.Rank()/2, 0)
		require.NoError(t, err)
		require.LessOrEqual(t, pair.Size(), 2)
		require.Equal(t, half.Rank()%2, pair.Rank())
		require.NoError(t, pair.Barrier())
		require.NoError(t, pair.Free())
		require.NoError(t, half.Free())
	})
}

// Communicators that different goroutines make at the same time, from
// different communicators, are all different.
func TestConcurrentDupsOfDifferentCommunicators(t *testing.T) {
	const parents = 8
	ranks(t, 4, func(t *testing.T, world *mpi.Comm) {
		var dups [parents]*mpi.Comm
		var all sync.WaitGroup
		for i := range parents {
			parent, err := world.Split(world.Rank()%(1+i%3), i*world.Rank())
			require.NoError(t, err)
			all.Go(func() {
				for range 3 {
					if dups[i], err = parent.Dup(); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
		// A message on each, to oneself and to every other member, with the
		// same tag: it must come out on the same one.
		for i, dup := range dups {
			for dest := range dup.Size() {
				require.NoError(t, mpi.Bsend(dup, []int{i, dup.Rank()}, dest, 0))
			}
		}
		for i, dup := range dups {
			for source := range dup.Size() {
				got := make([]int, 2)
				_, err := mpi.Recv(dup, got, source, 0)
				require.NoError(t, err)
				require.Equal(t, []int{i, source}, got)
			}
		}
	})
}

// Section 7.4.3: nothing can be started on a freed communicator; what was
// started before completes.
func TestFree(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		dup, err := world.Dup()
		require.NoError(t, err)
		buf := make([]int, 1)
		var r *mpi.Request
		if world.Rank() == 1 {
			r = must(t)(mpi.Irecv(dup, buf, 0, 0))
		} else {
			r = must(t)(mpi.Isend(dup, []int{42}, 1, 0))
		}
		require.NoError(t, dup.Free())
		require.ErrorIs(t, dup.Free(), mpi.ErrComm)
		require.ErrorIs(t, dup.Barrier(), mpi.ErrComm)
		err = mpi.Send(dup, []int{1}, 0, 0)
		require.ErrorIs(t, err, mpi.ErrComm)
		require.ErrorContains(t, err, "freed")
		wait(t, r)
		if world.Rank() == 1 {
			require.Equal(t, 42, buf[0])
		}
		require.ErrorIs(t, world.Free(), mpi.ErrComm)
	})
}

// Two collectives at once on one communicator are the caller's mistake, and
// are told so instead of being mixed up.
func TestConcurrentCollectivesOnOneCommunicatorAreRefused(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() == 1 {
			_, err := mpi.Recv(world, []int{}, 0, 0)
			require.NoError(t, err)
			require.NoError(t, world.Barrier())
			return
		}
		results := make(chan error, 2)
		for range 2 {
			go func() { results <- world.Barrier() }()
		}
		require.ErrorIs(t, <-results, mpi.ErrComm) // the other one waits for rank 1
		require.NoError(t, mpi.Send(world, []int{}, 1, 0))
		require.NoError(t, <-results)
	})
}

// TestUsageCountsSocketsAndSystemCalls: SCTP has one socket, a TRC of TCP one for each way.
func TestUsageCountsSocketsAndSystemCalls(t *testing.T) {
	require.Zero(t, (*mpi.Comm)(nil).Usage())
	const messages = 100
	sockets := map[string]int{"sctp-engine": 1, "sctp-kernel": 1, "sctp-pertrc": 1, "tcp-perpair": 1}
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		require.NoError(t, world.Barrier())
		before, peer, out, in := world.Usage(), 1-world.Rank(), []byte{1}, []byte{0}
		for range messages {
			_, err := mpi.Sendrecv(world, out, peer, 0, in, peer, 0)
			require.NoError(t, err)
		}
		if impaired(world.Transport()) {
			return // whose network is not counted
		}
		after := world.Usage()
		calls := after.SystemCalls - before.SystemCalls
		if after.SharedPeers > 0 { // and no message is one
			require.Equal(t, 1, after.SharedPeers)
			require.Contains(t, world.Transport(), "shm + ")
			require.Positive(t, world.Rank()+after.Shared)
			return
		}
		require.NotContains(t, world.Transport(), "shm")
		require.GreaterOrEqual(t, calls, uint64(messages), "each message is sent alone")
		if want := sockets[world.Transport()]; want != 0 {
			require.Equal(t, want, after.Sockets)
		}
	})
}

// TestUsageSaysHowMuchIsUnread: what no receive has taken is held by the process. Of tcp-pertrc the kernel holds it.
func TestUsageSaysHowMuchIsUnread(t *testing.T) {
	const messages, size = 100, 1000
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		buf := make([]byte, size)
		if world.Rank() == 0 {
			for range messages {
				require.NoError(t, mpi.Send(world, buf, 1, 0))
			}
			require.NoError(t, world.Barrier())
			return
		}
		for world.Transport() != "tcp-pertrc" && world.Usage().Held < messages*size {
			_, _, err := world.Iprobe(0, 1)
			require.NoError(t, err)
		}
		for range messages {
			_, err := mpi.Recv(world, buf, 0, 0)
			require.NoError(t, err)
		}
		require.Less(t, world.Usage().Held, size)
		require.NoError(t, world.Barrier())
	})
}

// A process has a bounded number of communicators; the error says what to do, and
// what is freed can be had again.
func TestTooManyCommunicators(t *testing.T) {
	const limit = 16_000 // with the world
	require.NoError(t, mpi.RunLocal(2, func(world *mpi.Comm) error {
		all := []*mpi.Comm{world}
		for len(all) < limit {
			c, err := world.Dup()
			if !assert.NoError(t, err, "with %d", len(all)) {
				return err
			}
			all = append(all, c)
		}
		_, err := world.Dup()
		require.ErrorIs(t, err, mpi.ErrOther)
		require.ErrorContains(t, err, "this process has 16000 communicators, which is the limit: free communicators with Free")
		_, err = world.Split(0, 0)
		require.ErrorContains(t, err, "free communicators with Free")
		require.NoError(t, all[1].Free())
		c, err := world.Split(0, 0)
		require.NoError(t, err)
		require.NoError(t, c.Barrier())
		return nil
	}, mpi.WithTransport("tcp-perpair")))
}
