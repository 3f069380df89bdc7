package rpitest

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func testConnections(t *testing.T, open rpi.Open) {
	t.Run("all connect to all at the same time", func(t *testing.T) {
		const n = 12
		for range 3 {
			j := start(t, open, n, nil)
			var all sync.WaitGroup
			for rank := range n {
				all.Go(func() {
					var rs []*rpi.Request
					for peer := range n {
						rs = append(rs, send(peer, 1, message(rank, 100)), recv(peer, 1, make([]byte, 100)))
					}
					j.start(rank, rs...)
					j.wait(rank, rs...)
					for peer := range n {
						r := rs[2*peer+1]
						assert.NoError(t, r.Err)
						assert.Equal(t, peer, number(r.Buf))
					}
				})
			}
			all.Wait()
		}
	})
	t.Run("both close, or one dies, while both connect", func(t *testing.T) {
		for i := range 45 {
			j := start(t, open, 2, nil)
			rs := []*rpi.Request{j.start(0, send(1, 1, nil)), j.start(1, send(0, 1, nil))}
			switch i % 3 {
			case 0, 1:
				j.ranks[i%3].Kill()
				j.wait(1-i%3, rs[1-i%3]) // what comes of it depends, but something does
				late := j.start(1-i%3, recv(i%3, 2, nil))
				j.wait(1-i%3, late)
				require.ErrorIs(t, late.Err, rpi.ErrProcFailed)
			default:
				closeTogether(t, j.ranks)
			}
		}
	})
	t.Run("connections can be made before they are needed", func(t *testing.T) {
		const n = 6
		j := start(t, open, n, nil)
		var all sync.WaitGroup
		for rank := range n {
			all.Go(func() { assert.NoError(t, j.ranks[rank].Connect(t.Context())) })
		}
		all.Wait()
		r := j.start(1, recv(0, 1, make([]byte, 8)))
		j.do(0, send(1, 1, message(3, 8)))
		j.wait(1, r)
		requireMessage(t, r, 3, 8)
	})
	t.Run("a process without the job's token is kept out", func(t *testing.T) {
		j := start(t, open, 3, func(rank int, cfg *rpi.Config) {
			if rank == 2 {
				cfg.Token = []byte("a guess")
			}
		})
		s := j.start(2, send(0, 1, message(0, 8)))
		j.wait(2, s)
		require.ErrorIs(t, s.Err, rpi.ErrProcFailed)
		// The others do not notice.
		r := j.start(0, recv(1, 1, make([]byte, 8)))
		j.do(1, send(0, 1, message(1, 8)))
		j.wait(0, r)
		requireMessage(t, r, 1, 8)
		_, found, _ := j.ranks[0].Iprobe(0, 2, 1)
		require.False(t, found)
	})
	t.Run("a peer that cannot be reached is an error", func(t *testing.T) {
		var address string
		j := start(t, open, 2, func(_ int, cfg *rpi.Config) {
			cfg.Lookup = func(context.Context, int) (string, error) { return address, nil }
		})
		nowhere := start(t, open, 2, nil) // after j, which might get its ports else
		address = nowhere.ranks[0].Address()
		end := strings.IndexAny(address+";", "#;") // what follows is for keys, and for peers of the host
		inNetwork := address[:end]
		nowhere.ranks[0].Kill()
		s := j.start(0, send(1, 1, message(0, 8)))
		j.wait(0, s)
		require.ErrorIs(t, s.Err, rpi.ErrProcFailed)
		require.ErrorContains(t, s.Err, inNetwork)
		again := j.start(0, send(1, 1, message(0, 8)))
		j.wait(0, again)
		require.ErrorIs(t, again.Err, rpi.ErrProcFailed)
	})
}
