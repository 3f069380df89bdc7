package mpi_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// MPI 4.1, section 3.10: ranks pass their vectors around a ring, in all forms of the exchange.
func TestExchangesAroundARing(t *testing.T) {
	ranks(t, 3, func(t *testing.T, world *mpi.Comm) {
		me := world.Rank()
		right, left := (me+1)%3, (me+2)%3
		for _, length := range []int{1, 20_000} {
			want := mpi.Status{Source: left, Tag: 4, Count: length, Bytes: 8 * length}
			forms := map[string]func(send, recv []int) (mpi.Status, error){
				"Sendrecv": func(send, recv []int) (mpi.Status, error) {
					return mpi.Sendrecv(world, send, right, 4, recv, left, 4)
				},
				"SendrecvReplace": func(send, recv []int) (mpi.Status, error) {
					copy(recv, send)
					return mpi.SendrecvReplace(world, recv, right, 4, left, 4)
				},
				"Isendrecv": func(send, recv []int) (mpi.Status, error) {
					return must(t)(mpi.Isendrecv(world, send, right, 4, recv, left, 4)).Wait(t.Context())
				},
				"IsendrecvReplace": func(send, recv []int) (mpi.Status, error) {
					copy(recv, send)
					r := must(t)(mpi.IsendrecvReplace(world, recv, right, 4, left, 4))
					_, status, err := mpi.WaitAny(t.Context(), r)
					return status, err
				},
			}
			for _, form := range []string{"Sendrecv", "SendrecvReplace", "Isendrecv", "IsendrecvReplace"} {
				recv := make([]int, length)
				status, err := forms[form](sequence(me*100, length), recv)
				require.NoError(t, err, form)
				require.Equal(t, want, status, form)
				require.Equal(t, sequence(left*100, length), recv, form)
			}
		}
	})
}

func TestErrorsOfExchanges(t *testing.T) {
	require.NoError(t, mpi.RunLocal(1, func(world *mpi.Comm) error {
		buf := make([]int, 2)
		_, err := mpi.Isendrecv(world, buf, 0, 1, buf[1:], 0, 1)
		require.ErrorIs(t, err, mpi.ErrBuffer)
		_, err = mpi.SendrecvReplace(world, buf, 1, 1, 0, 1)
		require.ErrorIs(t, err, mpi.ErrRank)
		_, err = mpi.IsendrecvReplace(world, buf, 0, 1, 0, -9)
		require.ErrorIs(t, err, mpi.ErrTag)
		r := must(t)(mpi.Isendrecv(world, []int{1, 2}, 0, 1, []int{0}, 0, 1))
		<-r.Done()
		_, err = r.Wait(t.Context())
		require.ErrorIs(t, err, mpi.ErrTruncate)
		require.ErrorContains(t, err, "mpi.Isendrecv: ")
		r = must(t)(mpi.Isendrecv(world, []int{1}, mpi.ProcNull, 1, []int{0}, 0, 1))
		_, done, err := r.Test()
		require.NoError(t, err)
		require.False(t, done)
		require.ErrorIs(t, r.Cancel(), mpi.ErrRequest)
		require.NoError(t, mpi.Send(world, []int{5}, 0, 1))
		require.Equal(t, 1, wait(t, r).Count)
		return nil
	}))
}

// Section 3.7.6: the status of a request can be had without completing it.
func TestStatusLeavesRequestsAsTheyAre(t *testing.T) {
	require.NoError(t, mpi.RunLocal(1, func(world *mpi.Comm) error {
		r := must(t)(mpi.RecvInit(world, make([]int, 1), 0, 1))
		empty := mpi.Status{Source: mpi.AnySource, Tag: mpi.AnyTag}
		status, done, err := r.Status()
		require.NoError(t, err)
		require.True(t, done, "it is inactive")
		require.Equal(t, empty, status)
		require.NoError(t, r.Start())
		_, done, err = r.Status()
		require.NoError(t, err)
		require.False(t, done)
		i, _, found, err := mpi.StatusAny(nil, r)
		require.NoError(t, err)
		require.False(t, found)
		require.Equal(t, -1, i)
		_, done, err = mpi.StatusAll(nil, r)
		require.NoError(t, err)
		require.False(t, done)
		require.NoError(t, mpi.Send(world, []int{3}, 0, 1))
		<-r.Done()
		want := mpi.Status{Source: 0, Tag: 1, Count: 1, Bytes: 8}
		for range 2 {
			status, done, err = r.Status()
			require.NoError(t, err)
			require.True(t, done)
			require.Equal(t, want, status)
			i, status, found, err = mpi.StatusAny(nil, r)
			require.NoError(t, err)
			require.True(t, found)
			require.Equal(t, 1, i)
			require.Equal(t, want, status)
			statuses, done, err := mpi.StatusAll(nil, r)
			require.NoError(t, err)
			require.True(t, done)
			require.Equal(t, []mpi.Status{empty, want}, statuses)
			indices, statuses, err := mpi.StatusSome(nil, r)
			require.NoError(t, err)
			require.Equal(t, []int{1}, indices)
			require.Equal(t, []mpi.Status{want}, statuses)
			require.ErrorIs(t, r.Start(), mpi.ErrRequest, "it is active")
		}
		require.Equal(t, want, wait(t, r))
		return r.Free()
	}))
}

// A message can be dropped, long or short; its sender goes on.
func TestDiscard(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		for _, length := range []int{0, 1, 100_000} {
			if world.Rank() == 0 {
				require.NoError(t, mpi.Ssend(world, make([]int, length), 1, 1))
				require.NoError(t, mpi.Send(world, []int{length}, 1, 1))
				continue
			}
			m, _, err := world.Mprobe(0, 1)
			require.NoError(t, err)
			require.NoError(t, m.Discard())
			require.ErrorIs(t, m.Discard(), mpi.ErrRequest)
			next := make([]int, 1)
			_, err = mpi.Recv(world, next, 0, 1)
			require.NoError(t, err)
			require.Equal(t, length, next[0])
		}
		require.ErrorIs(t, (*mpi.Message)(nil).Discard(), mpi.ErrRequest)
	})
}

// Section 3.6: buffered messages are bounded, and a flush waits until they have left.
func TestBufferedMessagesAreLimitedAndFlushed(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		const length = 50_000
		dup := must2(t)(world.Dup())
		if world.Rank() == 1 {
			for range 3 {
				require.NoError(t, world.Barrier())
				_, err := mpi.Recv(dup, make([]int, length), 0, 1)
				require.NoError(t, err)
			}
			return
		}
		require.NoError(t, dup.FlushBuffer(t.Context()), "there is nothing")
		require.NoError(t, dup.LimitBuffer(8*length+mpi.BufferedOverhead))
		require.ErrorIs(t, mpi.Bsend(dup, make([]int, length+1), 1, 1), mpi.ErrBuffer)
		for range 2 {
			require.NoError(t, mpi.Bsend(dup, make([]int, length), 1, 1))
			require.NoError(t, world.FlushBuffer(t.Context()), "another communicator")
			require.NoError(t, world.Barrier())
			wait(t, must(t)(dup.IflushBuffer()))
		}
		require.NoError(t, dup.LimitBuffer(-1))
		require.NoError(t, mpi.Bsend(dup, make([]int, length), 1, 1))
		require.NoError(t, world.Barrier())
		require.NoError(t, world.FlushBuffer(t.Context()), "it counts there")
	})
}

// A dead peer's messages do not keep a flush waiting, nor an exchange.
func TestFlushAndExchangeEndWhenThePeerDies(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		err := mpi.RunLocal(2, func(world *mpi.Comm) error {
			if world.Rank() == 1 {
				_, err := mpi.Recv(world, []int{}, 0, 0)
				return errors.Join(errDisk, err)
			}
			require.NoError(t, mpi.Bsend(world, make([]int, 50_000), 1, 1))
			r := must(t)(mpi.Isendrecv(world, make([]int, 50_000), 1, 2, make([]int, 1), 1, 2))
			require.NoError(t, mpi.Send(world, []int{}, 1, 0))
			require.NoError(t, world.FlushBuffer(t.Context()))
			_, err := r.Wait(t.Context())
			require.ErrorIs(t, err, mpi.ErrProcFailed)
			return nil
		}, options...)
		require.ErrorIs(t, err, errDisk)
	})
}
