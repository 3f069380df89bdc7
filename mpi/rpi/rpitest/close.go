package rpitest

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func testClose(t *testing.T, open rpi.Open) {
	t.Run("what was sent arrives", func(t *testing.T) {
		j := start(t, open, 2, nil)
		const count = 500
		var rs []*rpi.Request
		for i := range count {
			rs = append(rs, recv(0, i, make([]byte, 10000)))
		}
		j.start(1, rs...)
		for i := range count {
			j.start(0, send(1, i, message(i, 10000)))
		}
		var both sync.WaitGroup
		both.Go(func() { assert.NoError(t, j.ranks[0].Close(context.Background())) })
		both.Go(func() {
			j.wait(1, rs...)
			assert.NoError(t, j.ranks[1].Close(context.Background()))
		})
		both.Wait()
		for i, r := range rs {
			requireMessage(t, r, i, 10000)
		}
	})
	t.Run("a peer that has finalized is not dead but gone", func(t *testing.T) {
		j := start(t, open, 2, nil)
		j.start(1, send(0, 5, nil))
		j.do(0, recv(1, 5, nil))
		r := j.start(0, recv(1, 1, nil))
		closed := make(chan error, 1)
		go func() { closed <- j.ranks[1].Close(context.Background()) }()
		j.wait(0, r)
		require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
		require.ErrorContains(t, r.Err, "finalized")
		require.NoError(t, j.ranks[0].Close(context.Background()))
		require.NoError(t, <-closed)
	})
	t.Run("what is open ends", func(t *testing.T) {
		j := start(t, open, 2, nil)
		open := []*rpi.Request{
			recv(1, 1, make([]byte, 8)), recv(anySource, anyTag, make([]byte, 8)),
			probe(rpi.OpProbe, 1, 1), send(1, 1, make([]byte, long)),
		}
		j.start(0, open...)
		j.ranks[0].Kill()
		j.wait(0, open...)
		for _, r := range open {
			require.ErrorIs(t, r.Err, rpi.ErrClosed, "%v", r.Op)
		}
		late := j.start(0, recv(1, 1, nil))
		require.True(t, late.Completed())
		require.ErrorIs(t, late.Err, rpi.ErrClosed)
	})
	t.Run("closing gives up when its context ends", func(t *testing.T) {
		j := start(t, open, 2, nil)
		j.start(0, send(1, 1, nil))
		j.do(1, recv(0, 1, nil))
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		var missed *rpi.PartingError
		require.ErrorAs(t, j.ranks[0].Close(ended), &missed)
		require.Equal(t, []matching.Rank{1}, missed.Peers)
		require.ErrorIs(t, missed, context.Canceled)
		require.ErrorContains(t, missed, "rank 1 of the job has not said that it is done")
	})
	t.Run("a transport that is killed does not go on closing", func(t *testing.T) {
		j := start(t, open, 2, nil)
		j.start(1, send(0, 5, nil))
		j.do(0, recv(1, 5, nil))
		r := j.start(0, recv(1, 1, nil))
		closed := make(chan error, 1)
		go func() { closed <- j.ranks[1].Close(context.Background()) }()
		j.wait(0, r) // rank 1 waits for rank 0 now
		j.ranks[1].Kill()
		require.NoError(t, <-closed)
	})
	t.Run("closing twice is harmless", func(t *testing.T) {
		j := start(t, open, 1, nil)
		require.NoError(t, j.ranks[0].Close(t.Context()))
		require.NoError(t, j.ranks[0].Close(t.Context()))
		j.ranks[0].Kill()
	})
}
