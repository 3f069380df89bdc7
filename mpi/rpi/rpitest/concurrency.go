package rpitest

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func testConcurrency(t *testing.T, open rpi.Open) {
	t.Run("many goroutines at both ends", func(t *testing.T) {
		j := start(t, open, 2, nil)
		const workers, rounds = 16, 60
		var all sync.WaitGroup
		for tag := range workers {
			for rank := range 2 {
				all.Go(func() {
					for i := range rounds {
						n := 8 + mixed(i)
						s := send(1-rank, tag, message(i, n))
						r := recv(1-rank, tag, make([]byte, n))
						j.start(rank, s, r)
						j.wait(rank, s, r)
						if !assert.NoError(t, r.Err) || !assert.Equal(t, i, number(r.Buf)) {
							return
						}
					}
				})
			}
		}
		all.Wait()
	})
	t.Run("a rank that never blocks hears all peers", func(t *testing.T) {
		// However much of what has come lately came from one of them.
		j := start(t, open, 3, func(_ int, cfg *rpi.Config) { cfg.Spin = time.Hour })
		buf := make([]byte, 8)
		for _, rounds := range []int{1, 40, 200} {
			for peer := 1; peer < 3; peer++ {
				var answers sync.WaitGroup
				answers.Go(func() {
					in := make([]byte, 8)
					for i := range rounds {
						j.do(peer, recv(0, 0, in))
						j.do(peer, send(0, 0, message(i, 8)))
					}
				})
				for i := range rounds {
					j.do(0, send(peer, 0, message(i, 8)))
					r := recv(peer, 0, buf)
					j.do(0, r)
					requireMessage(t, r, i, 8)
				}
				answers.Wait()
			}
		}
	})
	t.Run("bursts to several peers", func(t *testing.T) {
		// The event loop sends what waited for more while the burst goes on.
		const ranks, rounds, length = 6, 50, 30
		j := start(t, open, ranks, nil)
		receives := func(from, tag int) (rs []*rpi.Request) {
			for range length {
				rs = append(rs, recv(from, tag, make([]byte, 8)))
			}
			return rs
		}
		var all sync.WaitGroup
		for rank := 1; rank < ranks; rank++ {
			all.Go(func() {
				for i := range rounds {
					rs := receives(0, rank)
					j.start(rank, rs...)
					j.start(rank, send(0, 0, message(i, 8)))
					j.wait(rank, rs...)
					for n, r := range rs {
						assert.Equal(t, n, number(r.Buf))
					}
				}
			})
		}
		for range rounds {
			for rank := 1; rank < ranks; rank++ {
				j.do(0, recv(rank, 0, make([]byte, 8)))
			}
			var out []*rpi.Request
			for n := range length {
				for rank := 1; rank < ranks; rank++ {
					out = append(out, send(rank, rank, message(n, 8)))
				}
			}
			j.start(0, out...)
			j.wait(0, out...)
		}
		all.Wait()
	})
	t.Run("progress needs no call", func(t *testing.T) {
		// A long message needs two steps of its receiver's transport. No goroutine is in a call of
		// either transport when they are due.
		j := start(t, open, 2, nil)
		r := j.start(1, recv(0, 1, make([]byte, 4<<20)))
		s := j.start(0, send(1, 1, message(0, 4<<20)))
		<-r.Done()
		<-s.Done()
		requireMessage(t, r, 0, 4<<20)
	})
	t.Run("one waiter for many requests", func(t *testing.T) {
		j := start(t, open, 2, nil)
		const count = 50
		w := rpi.NewWaiter()
		defer w.Release()
		var rs []*rpi.Request
		for tag := range count {
			r := recv(0, tag, make([]byte, 8))
			require.True(t, j.start(1, r).Subscribe(w))
			rs = append(rs, r)
		}
		for tag := count - 1; tag >= 0; tag-- {
			j.start(0, send(1, tag, message(tag, 8)))
		}
		for done := 0; done < count; {
			require.NoError(t, j.ranks[1].Await(t.Context(), w))
			done = 0
			for _, r := range rs {
				if r.Completed() {
					done++
				}
			}
		}
	})
}
