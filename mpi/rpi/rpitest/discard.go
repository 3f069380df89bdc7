package rpitest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// inOrder puts a request in a context in which messages are received in order.
func inOrder(r *rpi.Request) *rpi.Request {
	r.Context = 6 | rpi.InOrder
	return r
}

func synchronous(r *rpi.Request) *rpi.Request {
	r.Mode = rpi.Synchronous
	return r
}

func testDiscard(t *testing.T, open rpi.Open) {
	for _, n := range []int{0, 8, 5000, long} {
		// Of three tags the first two are discarded.
		sends := func() (rs []*rpi.Request) {
			for tag := range 3 {
				rs = append(rs, inOrder(send(1, tag, message(tag, n))), inOrder(synchronous(send(1, tag, message(tag, n)))))
			}
			return rs
		}
		finish := func(t *testing.T, j *job, rs []*rpi.Request) {
			for range 2 {
				r := inOrder(recv(0, 2, make([]byte, n)))
				j.do(1, r)
				requireMessage(t, r, 2, n)
			}
			j.wait(0, rs...)
			for _, r := range rs {
				require.NoError(t, r.Err)
			}
		}
		t.Run("what comes, "+sizeName(n), func(t *testing.T) {
			j := start(t, open, 2, nil)
			rs := sends()
			j.ranks[1].Discard(6|rpi.InOrder, 1)
			j.start(0, rs...)
			finish(t, j, rs)
		})
		t.Run("what is here, "+sizeName(n), func(t *testing.T) {
			j := start(t, open, 2, nil)
			rs := sends()
			j.start(0, rs...)
			j.do(1, inOrder(probe(rpi.OpProbe, 0, 0)))
			j.ranks[1].Discard(6|rpi.InOrder, 1)
			finish(t, j, rs)
		})
	}
	t.Run("neither what was posted before nor what is in other contexts", func(t *testing.T) {
		j := start(t, open, 2, nil)
		posted := inOrder(recv(0, 3, make([]byte, 8)))
		j.start(1, posted)
		j.ranks[1].Discard(6|rpi.InOrder, 3)
		j.do(0, inOrder(send(1, 3, message(0, 8))), send(1, 3, message(1, 8)))
		j.wait(1, posted)
		requireMessage(t, posted, 0, 8)
		r := recv(0, 3, make([]byte, 8))
		j.do(1, r)
		requireMessage(t, r, 1, 8)
	})
	for _, n := range []int{0, 8, 5000, long} {
		t.Run("what comes when the context has been released, "+sizeName(n), func(t *testing.T) {
			j := start(t, open, 2, nil)
			j.ranks[1].Release(6 | rpi.InOrder)
			var late []*rpi.Request
			for tag := range 3 {
				late = append(late, inOrder(send(1, tag, message(tag, n))), inOrder(synchronous(send(1, tag, message(tag, n)))))
			}
			j.start(0, late...)
			j.wait(0, late...)
			for _, r := range late {
				require.NoError(t, r.Err)
			}
			require.Empty(t, j.ranks[1].Pending().Unexpected)
		})
	}
	t.Run("to oneself", func(t *testing.T) {
		j := start(t, open, 1, nil)
		before := inOrder(synchronous(send(0, lastTag, message(0, 8))))
		j.start(0, before)
		j.ranks[0].Discard(6|rpi.InOrder, 0)
		j.wait(0, before)
		require.NoError(t, before.Err)
		j.do(0, inOrder(synchronous(send(0, 0, message(0, 8)))))
	})
}

// lastTag is the tag before 0.
const lastTag = int(^uint32(0) >> 1)
