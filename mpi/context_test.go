package mpi_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// giveUp runs op with a view of world whose context ends while op waits, as
// far as one can arrange that, and requires that it was given up.
func giveUp(t *testing.T, world *mpi.Comm, op func(view *mpi.Comm) error) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(context.Background())
	result := make(chan error)
	go func() { result <- op(world.WithContext(ctx)) }()
	cancel(errPatience)
	err := <-result
	require.ErrorIs(t, err, mpi.ErrCancelled)
	require.ErrorIs(t, err, errPatience)
	require.ErrorContains(t, err, "out of patience")
}

// A blocking operation through a view ends with the view's context, and
// nothing is transferred then.
func TestBlockingOperationsGiveUpWhenTheirContextEnds(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		buf := make([]int, 5000)
		if world.Rank() == 0 {
			for range 50 {
				giveUp(t, world, func(c *mpi.Comm) error { _, err := mpi.Recv(c, buf, 1, 1); return err })
				giveUp(t, world, func(c *mpi.Comm) error { _, err := mpi.Recv(c, buf, mpi.AnySource, mpi.AnyTag); return err })
				giveUp(t, world, func(c *mpi.Comm) error { _, err := c.Probe(1, 1); return err })
				giveUp(t, world, func(c *mpi.Comm) error { _, _, err := c.Mprobe(1, 1); return err })
				giveUp(t, world, func(c *mpi.Comm) error { _, _, err := mpi.RecvSlice[int](c, 1, 1); return err })
				// A Send need not wait if the transport takes the message, nor the one in Sendrecv.
				giveUp(t, world, func(c *mpi.Comm) error { return mpi.Ssend(c, buf, 1, 1) })
				giveUp(t, world, func(c *mpi.Comm) error { return mpi.Ssend(c, buf[:1], 1, 1) })
				giveUp(t, world, func(c *mpi.Comm) error {
					_, err := mpi.Sendrecv(c, buf[:2500], mpi.ProcNull, 1, buf[2500:], 1, 1)
					return err
				})
			}
			require.NoError(t, mpi.Bsend(world, []int{42}, 1, 1))
			require.NoError(t, world.Barrier())
		} else {
			require.NoError(t, world.Barrier())
			// Of all that was given up there is no trace.
			status, err := mpi.Recv(world, buf, mpi.AnySource, mpi.AnyTag)
			require.NoError(t, err)
			require.Equal(t, 1, status.Count)
			require.Equal(t, 42, buf[0])
		}
	}, mpi.WithEagerLimit(eagerLimit))
}

// An operation whose context ends too late keeps its own result: a message
// that has been matched is not lost.
func TestGivingUpLosesNoMessage(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		const messages = 300
		if world.Rank() == 0 {
			for i := range messages {
				require.NoError(t, mpi.Send(world, sequence(i, 1+i%2*2000), 1, 0))
			}
			return
		}
		buf := make([]int, 2001)
		for i := 0; i < messages; {
			ctx, cancel := context.WithCancel(context.Background())
			go cancel()
			status, err := mpi.Recv(world.WithContext(ctx), buf, 0, 0)
			if err != nil {
				require.ErrorIs(t, err, mpi.ErrCancelled)
				continue
			}
			equal(t, sequence(i, 1+i%2*2000), buf[:status.Count])
			i++
		}
	}, mpi.WithEagerLimit(eagerLimit))
}

// A collective gives up too, and the ranks that depend on it hear of it: they
// fail with its class, and do not wait for a part that will never come.
func TestCollectivesGiveUpWhenTheirContextEnds(t *testing.T) {
	ranks(t, 3, func(t *testing.T, world *mpi.Comm) {
		for range 20 {
			dup, err := world.Dup()
			require.NoError(t, err)
			sum := make([]int, 1)
			switch world.Rank() {
			case 0:
				giveUp(t, dup, func(c *mpi.Comm) error { return mpi.Allreduce(c, []int{1}, sum, mpi.Sum) })
				require.NoError(t, mpi.Send(world, []int{}, 2, 0))
			case 2: // comes when it is too late
				_, err := mpi.Recv(world, []int{}, 0, 0)
				require.NoError(t, err)
				fallthrough
			default:
				// Rank 0 may have given its part before it gave up.
				if err := mpi.Allreduce(dup, []int{1}, sum, mpi.Sum); err != nil {
					require.ErrorIs(t, err, mpi.ErrCancelled)
				}
			}
			require.NoError(t, world.Barrier())
		}
	})
	ranks(t, 5, func(t *testing.T, world *mpi.Comm) {
		c := world
		if world.Rank() == 3 {
			c = world.WithContext(ended(errPatience))
		}
		require.ErrorIs(t, c.Barrier(), mpi.ErrCancelled)
		require.ErrorIs(t, mpi.Allreduce(c, []int{1}, make([]int, 1), mpi.Sum), mpi.ErrCancelled)
		require.NoError(t, world.Barrier())
	})
}

// A context that has ended starts no message.
func TestEndedContextStartsNothing(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		view := world.WithContext(ended(errPatience))
		err := mpi.Send(view, []int{1}, 1-world.Rank(), 0)
		require.ErrorIs(t, err, mpi.ErrCancelled)
		require.ErrorIs(t, err, errPatience)
		require.ErrorIs(t, view.Barrier(), mpi.ErrCancelled)
		require.NoError(t, world.Barrier())
		_, found, err := world.Iprobe(mpi.AnySource, mpi.AnyTag)
		require.NoError(t, err)
		require.False(t, found)
	})
}
