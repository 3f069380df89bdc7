package rpitest

import (
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func testBounds(t *testing.T, open rpi.Open, trcs int) {
	t.Run("a flood of unexpected messages is held at the limit", func(t *testing.T) {
		const limit, count, n = 1 << 20, 1200, 32 << 10 // 38 MiB in all
		j := start(t, open, 3, func(_ int, cfg *rpi.Config) { cfg.UnexpectedLimit = limit })
		// All messages share one body at the sender, so that what the heap
		// gains is what the receiver keeps.
		body := message(1, n)
		tags := min(count/2, trcs-1, someTags(100))
		before := heap()
		for rank := 1; rank < 3; rank++ {
			for i := range count / 2 {
				j.start(rank, send(0, i%tags, body))
			}
			j.start(rank, send(0, count, nil))
			j.do(0, recv(rank, count, nil)) // all envelopes are there
		}
		const perRequest = 2048 // sender's and receiver's bookkeeping for one message
		const keys = 512        // of a connection, which some transports have for each tag, more than fits in the last term
		require.Less(t, heap()-before, limit+count*(perRequest+keys)+8<<20)
		for rank := 1; rank < 3; rank++ {
			for i := range count / 2 {
				r := recv(rank, i%tags, make([]byte, n))
				j.do(0, r)
				requireMessage(t, r, 1, n)
			}
		}
	})
	t.Run("and one of many short ones", func(t *testing.T) {
		const limit, count = 64 << 10, 5000
		const overhead = 256 // bytes of the limit that a message takes beside its body
		j := start(t, open, 2, func(_ int, cfg *rpi.Config) { cfg.UnexpectedLimit = limit })
		var sends []*rpi.Request
		for i := range count {
			sends = append(sends, j.start(0, send(1, 1, message(i, 8))))
		}
		j.start(0, send(1, 2, nil))
		j.do(1, recv(0, 2, nil)) // which was sent behind all others
		for _, u := range j.ranks[1].Pending().Unexpected {
			require.LessOrEqual(t, u.Messages, limit/overhead)
		}
		for i := range count {
			r := recv(anySource, anyTag, make([]byte, 8))
			j.do(1, r)
			requireMessage(t, r, i, 8)
		}
		j.wait(0, sends...)
	})
	t.Run("credit comes back", func(t *testing.T) {
		j := start(t, open, 2, func(_ int, cfg *rpi.Config) { cfg.UnexpectedLimit = 64 << 10 })
		for i := range 500 {
			n := 1000 + i*10
			s := j.start(0, send(1, 1, message(i, n)))
			r := recv(0, 1, make([]byte, n))
			j.do(1, r)
			j.wait(0, s)
			requireMessage(t, r, i, n)
		}
	})
	t.Run("all ranks flood all ranks", func(t *testing.T) {
		const n, count, size = 4, 200, 20 << 10
		j := start(t, open, n, func(_ int, cfg *rpi.Config) { cfg.UnexpectedLimit = 256 << 10 })
		var sends [n][]*rpi.Request
		tags := min(count, trcs, someTags(50))
		for i := range count {
			for from := range n {
				for to := range n {
					s := send(to, i%tags, message(from*count+i, size))
					sends[from] = append(sends[from], j.start(from, s))
				}
			}
		}
		for tag := tags - 1; tag >= 0; tag-- { // the last tags first
			for i := tag; i < count; i += tags {
				for to := range n {
					for from := range n {
						r := recv(from, tag, make([]byte, size))
						j.do(to, r)
						requireMessage(t, r, from*count+i, size)
					}
				}
			}
		}
		for from := range n {
			j.wait(from, sends[from]...)
		}
	})
}

// someTags is n, or any number if tests are long: some transports make a connection for each tag, and the race detector makes
// the arithmetic of its keys ten times as slow.
func someTags(n int) int {
	if Long() {
		return math.MaxInt
	}
	return n
}

// heap is the memory in use, in bytes.
func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
