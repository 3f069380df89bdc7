package mpi_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// dying runs fn as n ranks over each transport. Those for which it returns errDisk die; no other may fail.
func dying(t *testing.T, n int, fn func(t *testing.T, world *mpi.Comm) error) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) { dyingOver(t, n, fn, options...) })
}

// dyingOver is dying with options.
func dyingOver(t *testing.T, n int, fn func(t *testing.T, world *mpi.Comm) error, options ...mpi.Option) {
	err := mpi.RunLocal(n, func(world *mpi.Comm) error { return fn(t, world) }, options...)
	for _, e := range unjoin(err) {
		require.ErrorIs(t, e, errDisk)
	}
}

func unjoin(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// learn makes sure that this rank knows that another is dead.
func learn(t *testing.T, c *mpi.Comm, dead int) {
	_, err := mpi.Recv(c, []int{0}, dead, 99)
	require.ErrorIs(t, err, mpi.ErrProcFailed)
}

// A receive from any source does not end while a death is not acknowledged: it would be unknown whether it ever can.
func TestWildcardsArePendingUntilAcknowledged(t *testing.T) {
	dying(t, 3, func(t *testing.T, world *mpi.Comm) error {
		switch world.Rank() {
		case 2:
			require.NoError(t, mpi.Ssend(world, []int{0}, 0, 2)) // so that rank 0 is connected with this one
			return errDisk
		case 1:
			_, err := mpi.Recv(world, []int{0}, 0, 1)
			require.NoError(t, err)
			return mpi.Send(world, []int{42}, 0, 0)
		}
		got := []int{0}
		_, err := mpi.Recv(world, got, 2, 2)
		require.NoError(t, err)
		r := must(t)(mpi.Irecv(world, got, mpi.AnySource, 0))
		_, err = r.Wait(t.Context()) // the death wakes it
		require.ErrorIs(t, err, mpi.ErrProcFailedPending)
		_, done, err := r.Test()
		require.False(t, done)
		require.ErrorIs(t, err, mpi.ErrProcFailedPending)
		_, _, err = mpi.WaitAny(t.Context(), r)
		require.ErrorIs(t, err, mpi.ErrProcFailedPending)

		_, err = mpi.Recv(world, []int{0}, mpi.AnySource, 1)
		require.ErrorIs(t, err, mpi.ErrProcFailed)
		_, err = world.Probe(mpi.AnySource, 0)
		require.ErrorIs(t, err, mpi.ErrProcFailed)
		_, _, err = world.Iprobe(mpi.AnySource, 0)
		require.ErrorIs(t, err, mpi.ErrProcFailed)

		failed, err := world.GetFailed()
		require.NoError(t, err)
		ranks, err := failed.Translate([]int{0}, world.Group())
		require.NoError(t, err)
		require.Equal(t, []int{2}, ranks)
		acked, err := world.GetAcked()
		require.NoError(t, err)
		require.Zero(t, acked.Size())
		n, err := world.AckFailed(failed.Size())
		require.NoError(t, err)
		require.Equal(t, 1, n)
		acked, err = world.GetAcked()
		require.NoError(t, err)
		require.Equal(t, 1, acked.Size())

		_, found, err := world.Iprobe(mpi.AnySource, 0)
		require.NoError(t, err)
		require.False(t, found)
		require.NoError(t, mpi.Send(world, []int{1}, 1, 1))
		status, err := r.Wait(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, status.Source)
		require.Equal(t, 42, got[0])
		return nil
	})
}

// Revoke reaches ranks that wait for ranks which have left the common order.
func TestRevokeEndsWhatIsUnderWay(t *testing.T) {
	ranks(t, 5, func(t *testing.T, world *mpi.Comm) {
		c, err := world.Dup()
		require.NoError(t, err)
		require.NoError(t, world.Barrier())
		switch c.Rank() {
		case 0: // it alone knows
			require.NoError(t, c.Revoke())
		case 1:
			_, err = mpi.Recv(c, []int{0}, 0, 0)
			require.ErrorIs(t, err, mpi.ErrRevoked)
		case 2:
			_, err = c.Probe(mpi.AnySource, mpi.AnyTag)
			require.ErrorIs(t, err, mpi.ErrRevoked)
		case 3:
			require.ErrorIs(t, c.Barrier(), mpi.ErrRevoked)
		case 4:
			// If rank 0 drops the message before this rank hears of it, that is all that this rank sees.
			if err := mpi.Ssend(c, make([]int, 1_000_000), 0, 0); err != nil {
				require.ErrorIs(t, err, mpi.ErrRevoked)
			}
		}
		for !c.IsRevoked() {
			_, _, err := world.Iprobe(mpi.AnySource, 0)
			require.NoError(t, err)
		}
		require.ErrorIs(t, c.Barrier(), mpi.ErrRevoked)
		require.ErrorIs(t, mpi.Send(c, []int{1}, (c.Rank()+1)%c.Size(), 0), mpi.ErrRevoked)
		_, err = mpi.Irecv(c, []int{0}, mpi.AnySource, 0)
		require.NoError(t, err)

		flags, err := c.Agree(^uint64(1 << c.Rank()))
		require.NoError(t, err)
		require.Equal(t, ^uint64(31), flags)
		again, err := c.Shrink()
		require.NoError(t, err)
		require.Equal(t, c.Rank(), again.Rank())
		require.NoError(t, again.Barrier())
		require.NoError(t, again.Free())
		require.NoError(t, c.Free())
		require.False(t, world.IsRevoked())
		require.NoError(t, world.Barrier())
	})
}

// Those too whose announcement has come before, or not at all.
func TestPartitionedMessagesOfARevokedCommunicatorFail(t *testing.T) {
	dying(t, 2, func(t *testing.T, world *mpi.Comm) error {
		c, err := world.Dup()
		require.NoError(t, err)
		begin := func() *mpi.Request { return must(t)(mpi.PsendInit(c, []int{1, 2}, 2, 1, 0)) }
		if world.Rank() == 1 {
			begin = func() *mpi.Request { return must(t)(mpi.PrecvInit(c, []int{0, 0}, 2, 0, 0)) }
		}
		before := begin()
		require.NoError(t, world.Barrier()) // the announcement has left
		require.NoError(t, c.Revoke())
		for _, r := range []*mpi.Request{before, begin()} {
			require.NoError(t, r.Start())
			if world.Rank() == 0 {
				require.NoError(t, r.PreadyRange(0, 1))
			}
			_, err := r.Wait(t.Context())
			require.ErrorIs(t, err, mpi.ErrRevoked)
			require.NoError(t, r.Free())
		}
		return c.Free()
	})
}

// The living go on with what Shrink returns, and meet in Finalize.
func TestShrinkGoesOnAfterDeaths(t *testing.T) {
	const n = 6
	dying(t, n, func(t *testing.T, world *mpi.Comm) error {
		c, rounds := world, 0
		for sum := []int{0}; rounds < 8; rounds++ {
			if world.Rank() == 1 && rounds == 2 || world.Rank() == 4 && rounds == 5 {
				return errDisk
			}
			err := mpi.Allreduce(c, []int{1}, sum, mpi.Sum)
			ok := uint64(0)
			if err == nil {
				require.Equal(t, c.Size(), sum[0])
				ok = 1
			} else {
				require.True(t, errors.Is(err, mpi.ErrProcFailed) || errors.Is(err, mpi.ErrRevoked), "%v", err)
				require.NoError(t, c.Revoke())
			}
			ok, err = c.Agree(ok)
			if err == nil && ok == 1 {
				continue
			}
			next, err := c.Shrink()
			require.NoError(t, err)
			require.Less(t, next.Size(), c.Size()+1)
			c = next
		}
		require.Equal(t, n-2, c.Size())
		require.NoError(t, c.Barrier())
		return nil
	})
}

// What is kept of communicators that were revoked and freed is bounded: a program may do so for hours.
func TestRevokedCommunicatorsLeaveNothing(t *testing.T) {
	const loops, perLoop = 1000, 2 << 10
	err := mpi.RunLocal(2, func(world *mpi.Comm) error {
		var before held
		for i := range 2 * loops {
			if i == loops && world.Rank() == 0 {
				before = nowHeld()
			}
			c, err := world.Dup()
			require.NoError(t, err)
			require.NoError(t, c.Revoke())
			shrunk, err := c.Shrink()
			require.NoError(t, err)
			require.NoError(t, shrunk.Barrier())
			require.NoError(t, c.Free())
			require.NoError(t, shrunk.Free())
		}
		if world.Rank() == 0 {
			after := nowHeld()
			t.Logf("%+v after %d loops, %+v after as many more", before, loops, after)
			require.Less(t, after.heap, before.heap+loops*perLoop)
		}
		return nil
	})
	require.NoError(t, err)
}

// Agree says on all ranks alike whether all know of the failures.
func TestAgreeIsUniform(t *testing.T) {
	dying(t, 4, func(t *testing.T, world *mpi.Comm) error {
		if world.Rank() == 0 { // the coordinator
			return errDisk
		}
		learn(t, world, 0)
		if world.Rank() > 1 {
			_, err := world.AckFailed(1)
			require.NoError(t, err)
		}
		flags, err := world.Agree(uint64(7 &^ world.Rank()))
		require.ErrorIs(t, err, mpi.ErrProcFailed)
		require.EqualValues(t, 7&^1&^2&^3, flags)
		_, err = world.AckFailed(1)
		require.NoError(t, err)
		flags = 3
		r := must(t)(world.IAgree(&flags))
		wait(t, r)
		require.EqualValues(t, 3, flags)
		c, r, err := world.IShrink()
		require.NoError(t, err)
		wait(t, r)
		require.Equal(t, 3, c.Size())
		require.NoError(t, c.Barrier())
		return nil
	})
}
