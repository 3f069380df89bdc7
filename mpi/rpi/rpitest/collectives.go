package rpitest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// testCollectives: messages of collective operations, with a tag for each, in a context with rpi.InOrder.
func testCollectives(t *testing.T, open rpi.Open, trcs int) {
	// The receiver may hold no message of n bytes, and the operations are more than transports have slots.
	const n, limit = 100 << 10, 64 << 10
	calls := min(24, trcs)
	bound := func(_ int, cfg *rpi.Config) { cfg.UnexpectedLimit = limit }
	// underWay has the sender say that it has ended no operation before this one.
	underWay := func(r *rpi.Request) *rpi.Request {
		r.OpenTags = r.Tag
		return inOrder(r)
	}
	takes := func(j *job, rank, tag, i, n int) {
		r := inOrder(recv(0, tag, make([]byte, n)))
		j.do(rank, r)
		requireMessage(t, r, i, n)
	}
	t.Run("many at a time end in any order, and beside a rank that is late", func(t *testing.T) {
		j := start(t, open, 3, bound)
		body := message(7, n)
		var sends []*rpi.Request
		for tag := range calls {
			for rank := 1; rank < 3; rank++ {
				sends = append(sends, underWay(send(rank, tag, message(tag, 8))), underWay(send(rank, tag, body)))
			}
		}
		j.start(0, sends...)
		for tag := range calls { // each goes on while others are under way
			for rank := 1; rank < 3; rank++ {
				sends = append(sends, j.start(0, underWay(send(rank, tag, message(tag, 100)))))
			}
		}
		all := func(rank, tag int) {
			takes(j, rank, tag, tag, 8)
			takes(j, rank, tag, 7, n)
			takes(j, rank, tag, tag, 100)
		}
		for tag := calls - 1; tag >= 0; tag-- {
			all(1, tag)
		}
		for tag := range calls {
			all(2, tag)
		}
		j.wait(0, sends...)
		for _, s := range sends {
			require.NoError(t, s.Err)
		}
		for tag := calls; tag < 2*calls; tag++ { // and all slots work
			s := j.start(0, inOrder(send(1, tag, body)))
			takes(j, 1, tag, 7, n)
			j.wait(0, s)
		}
	})
	t.Run("one that has ended here, and not there, is taken out of the way", func(t *testing.T) {
		j := start(t, open, 2, bound)
		for tag := range calls {
			j.do(0, inOrder(send(1, tag, message(tag, 1000))))
		}
		for tag := calls - 1; tag >= 0; tag-- {
			takes(j, 1, tag, tag, 1000)
		}
	})
	t.Run("one of many is cancelled", func(t *testing.T) {
		j := start(t, open, 2, bound)
		var sends []*rpi.Request
		for tag := range calls {
			sends = append(sends, j.start(0, underWay(synchronous(send(1, tag, message(tag, long/4))))))
		}
		takes(j, 1, calls-1, calls-1, long/4)
		given := sends[:calls-1]
		for _, s := range given {
			j.ranks[0].Cancel(s)
		}
		j.wait(0, given...)
		for _, s := range given {
			require.NoError(t, s.Err)
			require.True(t, s.Status.Cancelled)
		}
		s := j.start(0, inOrder(send(1, calls, message(calls, n))))
		takes(j, 1, calls, calls, n)
		j.wait(0, s)
	})
}
