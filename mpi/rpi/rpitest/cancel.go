package rpitest

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func testCancel(t *testing.T, open rpi.Open) {
	t.Run("a receive that has not matched", func(t *testing.T) {
		j := start(t, open, 2, nil)
		given, kept := recv(0, 1, make([]byte, 8)), recv(0, 1, make([]byte, 8))
		j.start(1, given, kept)
		j.ranks[1].Cancel(given)
		j.wait(1, given)
		require.NoError(t, given.Err)
		require.True(t, given.Status.Cancelled)
		j.do(0, send(1, 1, message(0, 8)))
		j.wait(1, kept)
		requireMessage(t, kept, 0, 8)
	})
	t.Run("a receive that has matched stays", func(t *testing.T) {
		j := start(t, open, 2, nil)
		r := j.start(1, recv(0, 1, make([]byte, 8)))
		j.do(0, send(1, 1, message(0, 8)))
		j.wait(1, r)
		j.ranks[1].Cancel(r)
		require.False(t, r.Status.Cancelled)
		requireMessage(t, r, 0, 8)
	})
	t.Run("a long send that has not matched", func(t *testing.T) {
		j := start(t, open, 2, nil)
		s := j.start(0, send(1, 1, message(0, long)))
		j.do(1, probe(rpi.OpProbe, 0, 1)) // the receiver knows of it
		j.ranks[0].Cancel(s)
		j.wait(0, s)
		require.NoError(t, s.Err)
		require.True(t, s.Status.Cancelled)
		_, found, err := j.ranks[1].Iprobe(0, 0, 1)
		require.NoError(t, err)
		require.False(t, found)
		next := j.start(0, send(1, 1, message(1, 1<<20)))
		r := recv(0, anyTag, make([]byte, 1<<20))
		j.do(1, r)
		requireMessage(t, r, 1, 1<<20)
		j.wait(0, next)
	})
	t.Run("a synchronous send that has not matched", func(t *testing.T) {
		j := start(t, open, 2, nil)
		s := send(1, 1, message(0, 10))
		s.Mode = rpi.Synchronous
		j.start(0, s)
		j.do(1, probe(rpi.OpProbe, 0, 1))
		j.ranks[0].Cancel(s)
		j.wait(0, s)
		require.True(t, s.Status.Cancelled)
	})
	t.Run("synchronous sends, while their messages arrive", func(t *testing.T) {
		j := start(t, open, 2, nil)
		for range 10 {
			for _, n := range []int{0, 100, 10_000, 60_000, 1 << 20} {
				s := send(1, 1, message(0, n))
				s.Mode = rpi.Synchronous
				j.start(0, s)
				j.ranks[0].Cancel(s)
				j.wait(0, s)
				require.NoError(t, s.Err)
				require.True(t, s.Status.Cancelled, "%d bytes", n)
			}
		}
		next := j.start(0, send(1, 1, message(1, 100)))
		r := recv(0, anyTag, make([]byte, 100))
		j.do(1, r)
		requireMessage(t, r, 1, 100)
		j.wait(0, next)
	})
	t.Run("a send to oneself", func(t *testing.T) {
		j := start(t, open, 1, nil)
		s := j.start(0, send(0, 1, message(0, 1<<20)))
		j.ranks[0].Cancel(s)
		j.wait(0, s)
		require.True(t, s.Status.Cancelled)
		_, found, _ := j.ranks[0].Iprobe(0, 0, 1)
		require.False(t, found)
	})
	t.Run("a send before there is a connection", func(t *testing.T) {
		resume := make(chan struct{})
		j := start(t, open, 2, func(_ int, cfg *rpi.Config) {
			lookup := cfg.Lookup
			cfg.Lookup = func(ctx ctx, peer int) (string, error) {
				select {
				case <-resume:
				case <-ctx.Done():
				}
				return lookup(ctx, peer)
			}
		})
		for _, n := range []int{10, 1 << 20} {
			s := j.start(0, send(1, 1, message(0, n)))
			j.ranks[0].Cancel(s)
			j.wait(0, s)
			require.True(t, s.Status.Cancelled)
		}
		close(resume)
		j.start(0, send(1, 2, message(1, 10)))
		r := recv(0, anyTag, make([]byte, 10)) // which must not miss the withdrawn ones
		j.do(1, r)
		requireMessage(t, r, 1, 10)
	})
	t.Run("each message is delivered whole or not at all", func(t *testing.T) {
		j := start(t, open, 2, nil)
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		rng := rand.New(rand.NewPCG(seed, 0))
		const count = 300
		sends := make([]*rpi.Request, count)
		for i := range sends {
			sends[i] = send(1, i, message(i, 8+mixed(rng.IntN(4))))
			if rng.IntN(3) == 0 {
				sends[i].Mode = rpi.Synchronous
			}
		}
		cancelled := rng.Perm(count)[:count/2]
		recvs := make([]*rpi.Request, count)
		var sides sync.WaitGroup
		sides.Go(func() {
			j.start(0, sends...)
			for _, i := range cancelled {
				j.ranks[0].Cancel(sends[i])
			}
		})
		sides.Go(func() {
			for i := range recvs {
				recvs[i] = recv(0, i, make([]byte, len(sends[i].Buf)))
				j.start(1, recvs[i])
			}
		})
		sides.Wait()
		j.wait(0, sends...)
		for i, s := range sends {
			require.NoError(t, s.Err)
			if !s.Status.Cancelled {
				j.wait(1, recvs[i])
				requireMessage(t, recvs[i], i, len(s.Buf))
			}
		}
		// All that will come has come once a message sent now has: what was
		// cancelled is not among it.
		j.start(0, send(1, count, nil))
		j.do(1, recv(0, count, nil))
		for i, s := range sends {
			require.Equal(t, !s.Status.Cancelled, recvs[i].Completed(), "message %d", i)
			j.ranks[1].Cancel(recvs[i])
		}
	})
}
