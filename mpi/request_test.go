package mpi_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// ended is a context that has ended, for a reason of its own.
func ended(cause error) context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	return ctx
}

var errPatience = errors.New("out of patience")

// MPI 4.1, section 3.7.3: Wait and Test return the outcome, as often as they
// are called.
func TestRequestOutcomeStaysTheSame(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() == 0 {
			require.NoError(t, mpi.Send(world, []int{1, 2}, 1, 4))
			require.NoError(t, mpi.Send(world, []int{1, 2}, 1, 4))
			return
		}
		good := must(t)(mpi.Irecv(world, make([]int, 2), 0, 4))
		bad := must(t)(mpi.Irecv(world, make([]int, 1), 0, 4))
		want := wait(t, good)
		require.Equal(t, mpi.Status{Source: 0, Tag: 4, Count: 2, Bytes: 16}, want)
		_, first := bad.Wait(t.Context())
		require.ErrorIs(t, first, mpi.ErrTruncate)
		require.ErrorContains(t, first, "mpi.Irecv: ")
		for range 3 {
			require.Equal(t, want, wait(t, good))
			status, done, err := good.Test()
			require.NoError(t, err)
			require.True(t, done)
			require.Equal(t, want, status)
			<-good.Done()
			require.NoError(t, good.Cancel(), "of a complete request does nothing")

			_, err = bad.Wait(t.Context())
			require.Same(t, first, err)
			_, err = mpi.WaitAll(t.Context(), good, bad)
			require.ErrorIs(t, err, first)
		}
	})
}

// Done is for select.
func TestDoneIsClosedOnCompletion(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() == 0 {
			require.NoError(t, world.Barrier())
			require.NoError(t, mpi.Send(world, []int{1}, 1, 0))
			return
		}
		r := must(t)(mpi.Irecv(world, make([]int, 1), 0, 0))
		done := r.Done()
		select {
		case <-done:
			t.Error("complete before the message was sent")
		default:
		}
		require.NoError(t, world.Barrier())
		<-done
		_, complete, err := r.Test()
		require.NoError(t, err)
		require.True(t, complete)
	})
}

// When its context ends Wait gives up waiting; the operation goes on.
func TestWaitGivesUpWithoutCancelling(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() == 0 {
			require.NoError(t, world.Barrier())
			require.NoError(t, mpi.Send(world, []int{42}, 1, 3))
			return
		}
		buf := make([]int, 1)
		r := must(t)(mpi.Irecv(world, buf, 0, 3))
		_, err := r.Wait(ended(errPatience))
		require.ErrorIs(t, err, mpi.ErrPending)
		require.ErrorIs(t, err, errPatience)
		require.EqualError(t, err, "mpi.Irecv: operation pending: receive from rank 0 with tag 3 is still under way: out of patience")
		require.NoError(t, world.Barrier())
		require.Equal(t, 1, wait(t, r).Count)
		require.Equal(t, 42, buf[0])
	})
}

// Section 3.8.4: a cancelled receive takes no message.
func TestCancelledReceiveTakesNothing(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() == 0 {
			require.NoError(t, world.Barrier())
			require.NoError(t, mpi.Send(world, []int{42}, 1, 3))
			return
		}
		r := must(t)(mpi.Irecv(world, make([]int, 1), 0, 3))
		require.NoError(t, r.Cancel())
		status := wait(t, r)
		require.True(t, status.Cancelled)
		require.Zero(t, status.Count)
		require.NoError(t, world.Barrier())
		buf := make([]int, 1)
		_, err := mpi.Recv(world, buf, 0, 3)
		require.NoError(t, err)
		require.Equal(t, 42, buf[0])
	})
}

// Section 3.8.4: a send that its receiver has not matched can be cancelled;
// one that has been matched completes as if nothing had happened. Either way
// the messages that follow arrive.
func TestCancelledSend(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		const length = 5000 // rendezvous
		if world.Rank() == 0 {
			r := must(t)(mpi.Isend(world, make([]int, length), 1, 3))
			s := must(t)(mpi.Issend(world, []int{1}, 1, 3))
			require.NoError(t, r.Cancel())
			require.NoError(t, s.Cancel())
			require.True(t, wait(t, r).Cancelled)
			require.True(t, wait(t, s).Cancelled)

			r = must(t)(mpi.Issend(world, []int{1}, 1, 3))
			require.NoError(t, world.Barrier())
			require.NoError(t, world.Barrier()) // received
			require.NoError(t, r.Cancel())
			require.False(t, wait(t, r).Cancelled)
			require.NoError(t, mpi.Send(world, []int{2}, 1, 3))
			return
		}
		require.NoError(t, world.Barrier())
		buf := make([]int, length)
		for want := 1; want <= 2; want++ {
			status, err := mpi.Recv(world, buf, 0, mpi.AnyTag)
			require.NoError(t, err)
			require.Equal(t, 1, status.Count)
			require.Equal(t, want, buf[0])
			if want == 1 {
				require.NoError(t, world.Barrier())
			}
		}
	}, mpi.WithEagerLimit(eagerLimit))
}

// A nil request is MPI_REQUEST_NULL.
func TestNilRequestIsInactive(t *testing.T) {
	for _, r := range []*mpi.Request{nil, new(mpi.Request)} {
		empty := mpi.Status{Source: mpi.AnySource, Tag: mpi.AnyTag}
		require.Equal(t, empty, wait(t, r))
		status, done, err := r.Test()
		require.NoError(t, err)
		require.True(t, done)
		require.Equal(t, empty, status)
		<-r.Done()
		require.ErrorIs(t, r.Cancel(), mpi.ErrRequest)
	}
}

// A request to which the program has no reference any more completes all the
// same, and its memory stays valid until then.
func TestForgottenRequestKeepsItsBuffer(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		const length = 5000
		if world.Rank() == 0 {
			for i := range 20 {
				must(t)(mpi.Isend(world, sequence(i, length), 1, 0))
			}
			runtime.GC()
			require.NoError(t, world.Barrier())
			require.NoError(t, world.Barrier())
			return
		}
		require.NoError(t, world.Barrier())
		buf := make([]int, length)
		for i := range 20 {
			_, err := mpi.Recv(world, buf, 0, 0)
			require.NoError(t, err)
			equal(t, sequence(i, length), buf)
		}
		require.NoError(t, world.Barrier())
	}, mpi.WithEagerLimit(eagerLimit))
}
