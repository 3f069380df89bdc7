package rpitest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// burstSizes are the lengths of messages of a burst, of which each takes the next: those that
// may wait for others to travel with, and one here and there that may not.
var burstSizes = [][]int{{8}, {0}, {0, 1, 100, 2048}, {2048}, {2049, 8}, {8, 8, 8, 8, 70000, 8, 8}}

// testBursts sends short messages right after each other, which may share frames. The program must
// not notice.
func testBursts(t *testing.T, open rpi.Open) {
	for _, sizes := range burstSizes {
		counts := []int{2, 33, 500}
		if slices.Max(sizes) > 64<<10 {
			counts = []int{2, 33, 100} // more of them show nothing more
		}
		for _, count := range counts {
			size := func(i int) int { return sizes[i%len(sizes)] }
			t.Run(fmt.Sprintf("%d of lengths %v arrive though nothing follows", count, sizes), func(t *testing.T) {
				j := start(t, open, 2, nil)
				for i := range count {
					j.start(0, send(1, i%3/2, message(i, size(i))))
				}
				for i := range count {
					r := recv(0, i%3/2, make([]byte, size(i)))
					j.do(1, r)
					requireMessage(t, r, i, size(i))
				}
			})
			t.Run(fmt.Sprintf("%d of lengths %v: memory is free when a send has completed", count, sizes), func(t *testing.T) {
				j := start(t, open, 2, nil)
				var received []*rpi.Request
				for i := range count {
					received = append(received, j.start(1, recv(0, anyTag, make([]byte, size(i)))))
				}
				for i := range count {
					body := message(i, size(i))
					j.do(0, send(1, i%5/4, body))
					clear(body)
				}
				j.wait(1, received...)
				for i, r := range received {
					requireMessage(t, r, i, size(i))
				}
			})
		}
	}
	t.Run("to several ranks in turn", func(t *testing.T) {
		const count, ranks = 200, 4
		j := start(t, open, ranks, nil)
		for i := range count {
			for dest := 1; dest < ranks; dest++ {
				j.start(0, send(dest, 0, message(i, 8)))
			}
		}
		for i := range count {
			for dest := 1; dest < ranks; dest++ {
				r := recv(0, 0, make([]byte, 8))
				j.do(dest, r)
				requireMessage(t, r, i, 8)
			}
		}
	})
	t.Run("a synchronous one among them completes after its match", func(t *testing.T) {
		j := start(t, open, 2, nil)
		const count, odd = 20, 10
		var sends []*rpi.Request
		for i := range count {
			s := send(1, 0, message(i, 8))
			if i == odd {
				s.Mode = rpi.Synchronous
			}
			sends = append(sends, j.start(0, s))
		}
		for i := range count {
			if i == odd {
				require.False(t, sends[odd].Completed())
			}
			r := recv(0, 0, make([]byte, 8))
			j.do(1, r)
			requireMessage(t, r, i, 8)
		}
		j.wait(0, sends...)
	})
	t.Run("close sends what waits", func(t *testing.T) {
		j := start(t, open, 2, nil)
		var received []*rpi.Request
		for range 50 {
			received = append(received, j.start(1, recv(0, 0, make([]byte, 8))))
		}
		for i := range 50 {
			j.start(0, send(1, 0, message(i, 8)))
		}
		var closing sync.WaitGroup
		closing.Go(func() { assert.NoError(t, j.ranks[0].Close(context.Background())) })
		j.wait(1, received...)
		for i, r := range received {
			requireMessage(t, r, i, 8)
		}
		require.NoError(t, j.ranks[1].Close(context.Background()))
		closing.Wait()
	})
}
