package mpi_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// forEachNear runs a test over the transports of which all ranks share memory.
func forEachNear(t *testing.T, test func(t *testing.T, c carrier)) {
	for _, c := range carriers {
		if strings.HasSuffix(c.name, "-shm") {
			c.always = true
			test(t, c)
		}
	}
}

// near runs fn as n ranks that share memory, when their short calls go by it.
func (c carrier) near(t *testing.T, n int, fn func(t *testing.T, world *mpi.Comm)) {
	t.Helper()
	c.ranks(t, n, func(t *testing.T, world *mpi.Comm) {
		for range 4 {
			require.NoError(t, world.Barrier())
		}
		require.True(t, mpi.Nearby(world))
		fn(t, world)
	})
}

// Calls on several communicators at once do not disturb each other, nor what else goes on on them.
func TestShortCallsOfSeveralGoroutines(t *testing.T) {
	forEachNear(t, shortCallsOfSeveralGoroutines)
}

func shortCallsOfSeveralGoroutines(t *testing.T, c carrier) {
	const goroutines, calls = 4, 300
	c.near(t, 3, func(t *testing.T, world *mpi.Comm) {
		comms := make([]*mpi.Comm, goroutines)
		for i := range comms {
			var err error
			comms[i], err = world.Dup()
			require.NoError(t, err)
		}
		var all sync.WaitGroup
		for g, c := range comms {
			all.Go(func() {
				me, size := c.Rank(), c.Size()
				for i := range calls {
					sum := []int{g + i + me, me}
					nonblocking, later := []int{i}, []int{0}
					r, err := mpi.Iallreduce(c, nonblocking, later, mpi.Sum)
					assert.NoError(t, err)
					to, from := (me+1)%size, (me+size-1)%size
					got := []int{0}
					_, err = mpi.Sendrecv(c, []int{me}, to, g, got, from, g)
					assert.NoError(t, err)
					assert.Equal(t, from, got[0])
					assert.NoError(t, mpi.Allreduce(c, sum, sum, mpi.Sum))
					assert.Equal(t, []int{size*(g+i) + 3, 3}, sum)
					one, root := []int{0}, i%size
					if me == root {
						one[0] = i
					}
					assert.NoError(t, mpi.Bcast(c, one, root))
					assert.Equal(t, i, one[0])
					_, err = r.Wait(context.Background())
					assert.NoError(t, err)
					if !assert.Equal(t, size*i, later[0]) {
						return
					}
				}
			})
		}
		all.Wait()
		for _, c := range comms {
			require.NoError(t, c.Free())
		}
	})
}

// A rank that waits in a short call says so, and stops when its context ends.
func TestWaitsInShortCallsEndWithTheirContext(t *testing.T) {
	forEachNear(t, func(t *testing.T, c carrier) {
		ctx, cancel := context.WithCancelCause(t.Context())
		end := func(*mpi.Comm) error {
			cancel(errPatience)
			return nil
		}
		c.waitInShortCall(t, ctx, end, func(t *testing.T, err error) {
			require.ErrorIs(t, err, mpi.ErrCancelled)
			require.ErrorIs(t, err, errPatience)
		})
	})
}

// A rank that waits in a short call stops when the communicator is revoked.
func TestWaitsInShortCallsEndWhenTheCommunicatorIsRevoked(t *testing.T) {
	forEachNear(t, func(t *testing.T, c carrier) {
		c.waitInShortCall(t, t.Context(), (*mpi.Comm).Revoke, func(t *testing.T, err error) { require.ErrorIs(t, err, mpi.ErrRevoked) })
	})
}

// waitInShortCall has rank 0 wait in a short call, which rank 1 does not make but ends by end. Check gets the error of the call.
func (c carrier) waitInShortCall(t *testing.T, ctx context.Context, end func(*mpi.Comm) error, check func(*testing.T, error)) {
	var waiting atomic.Pointer[mpi.Comm]
	c.near(t, 2, func(t *testing.T, world *mpi.Comm) {
		c, err := world.Dup()
		require.NoError(t, err)
		for range 4 {
			require.NoError(t, c.Barrier())
		}
		require.True(t, mpi.Nearby(c))
		if c.Rank() == 0 {
			waiting.Store(c)
			check(t, c.WithContext(ctx).Barrier())
			return
		}
		for waiting.Load() == nil || !waiting.Load().Blocks() {
			time.Sleep(time.Millisecond)
		}
		requireSays(t, waiting.Load(), "rank 0 waits in Barrier (call 5) for rank 1...")
		require.NoError(t, end(c))
	})
}
