package rpitest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func testStopReceiving(t *testing.T, open rpi.Open) {
	// waiting are sends from rank 0 that complete only if rank 1 receives.
	waiting := func() (rs []*rpi.Request) {
		for i, n := range sizes {
			rs = append(rs, synchronous(send(1, i, message(i, n))))
		}
		return append(rs, send(1, len(sizes), make([]byte, long)), synchronous(send(1, len(sizes), make([]byte, long))))
	}
	t.Run("what is here", func(t *testing.T) {
		j := start(t, open, 2, nil)
		rs := waiting()
		j.start(0, rs...)
		for i := range len(sizes) + 1 {
			j.do(1, probe(rpi.OpProbe, 0, i))
		}
		j.ranks[1].StopReceiving()
		j.requireUndeliverable(0, 1, rs...)
		s := j.ranks[1].Pending()
		require.Empty(t, s.Unexpected)
		require.Equal(t, len(rs), s.Messages())
	})
	t.Run("what comes", func(t *testing.T) {
		j := start(t, open, 2, nil)
		j.ranks[1].StopReceiving()
		rs := waiting()
		j.start(0, rs...)
		j.requireUndeliverable(0, 1, rs...)
		s := j.ranks[1].Pending()
		require.Len(t, s.Undeliverable, len(sizes)+1)
		require.EqualValues(t, 0, s.Undeliverable[3].Source)
		require.EqualValues(t, 3, s.Undeliverable[3].Tag)
		require.EqualValues(t, 1, s.Undeliverable[3].Messages)
		require.EqualValues(t, sizes[3], s.Undeliverable[3].Bytes)
	})
	t.Run("what one sends oneself", func(t *testing.T) {
		j := start(t, open, 1, nil)
		here := synchronous(send(0, 0, message(0, 8)))
		j.start(0, here)
		j.ranks[0].StopReceiving()
		come := synchronous(send(0, 0, message(0, 8)))
		j.start(0, come)
		j.requireUndeliverable(0, 0, here, come)
		s := j.ranks[0].Pending()
		require.Equal(t, 2, s.Messages())
	})
	t.Run("not what a receive takes", func(t *testing.T) {
		j := start(t, open, 2, nil)
		posted := []*rpi.Request{
			recv(0, 3, make([]byte, long)), recv(anySource, 4, make([]byte, 8)),
			recv(0, anyTag, make([]byte, 8)), recv(0, 9, make([]byte, 8)),
		}
		j.start(1, posted...)
		j.ranks[1].StopReceiving()
		taken := []*rpi.Request{
			send(1, 3, message(0, long)), synchronous(send(1, 4, message(1, 8))), synchronous(send(1, 5, message(2, 8))),
		}
		j.do(0, taken...)
		j.wait(1, posted[:3]...)
		for i := range taken {
			requireMessage(t, posted[i], i, len(taken[i].Buf))
		}
		again := []*rpi.Request{send(1, 3, make([]byte, long)), synchronous(send(1, 4, nil)), synchronous(send(1, 5, nil))}
		j.start(0, again...)
		j.requireUndeliverable(0, 1, again...)
		j.ranks[1].Cancel(posted[3])
		cancelled := j.start(0, synchronous(send(1, 9, nil)))
		j.requireUndeliverable(0, 1, cancelled)
	})
	t.Run("not what does not wait", func(t *testing.T) {
		j := start(t, open, 2, nil)
		j.do(0, send(1, 1, message(0, 8)))
		j.do(1, probe(rpi.OpProbe, 0, 1))
		j.ranks[1].StopReceiving()
		j.do(0, send(1, 2, message(0, 8)))
		s := j.awaitPending(1, func(s *rpi.Snapshot) bool { return s.Messages() == 2 })
		require.Len(t, s.Unexpected, 2)
		require.Empty(t, s.Undeliverable)
	})
	t.Run("neither what comes in order nor what others receive", func(t *testing.T) {
		j := start(t, open, 3, nil)
		j.ranks[1].StopReceiving()
		s := j.start(0, inOrder(synchronous(send(1, 1, message(0, 8)))), synchronous(send(2, 1, message(0, 8))))
		j.do(2, recv(0, 1, make([]byte, 8)))
		r := inOrder(recv(0, 1, make([]byte, 8)))
		j.do(1, r)
		requireMessage(t, r, 0, 8)
		j.wait(0, s)
		require.NoError(t, s.Err)
		j.do(1, send(2, 1, nil)) // it sends on
		j.do(2, recv(1, 1, nil))
	})
	t.Run("receives and probes that come too late", func(t *testing.T) {
		j := start(t, open, 2, nil)
		j.ranks[1].StopReceiving()
		for _, r := range []*rpi.Request{
			recv(0, 1, nil), recv(anySource, anyTag, nil), probe(rpi.OpProbe, 0, 1), probe(rpi.OpMprobe, 0, 1),
		} {
			j.start(1, r)
			j.wait(1, r)
			require.ErrorIs(t, r.Err, rpi.ErrClosed)
		}
	})
	t.Run("what waits for room", func(t *testing.T) {
		for name, first := range map[string]bool{"is here": false, "comes": true} {
			t.Run(name, func(t *testing.T) { testStopReceivingInAFlood(t, open, first) })
		}
	})
}

// testStopReceivingInAFlood floods a rank that stops receiving, from the first message on or later: all sends end, those beyond
// its limit with an error, unless they find room in the network. There are few messages: those without room are
// announced one by one, which takes a round trip for each.
func testStopReceivingInAFlood(t *testing.T, open rpi.Open, first bool) {
	const limit, count, tags, n = 64 << 10, 200, 7, 5000
	j := start(t, open, 2, func(_ int, cfg *rpi.Config) { cfg.UnexpectedLimit = limit })
	if first {
		j.ranks[1].StopReceiving()
	}
	var rs []*rpi.Request
	for i := range count {
		rs = append(rs, send(1, i%tags, message(i, n)))
	}
	last := synchronous(send(1, 0, nil))
	j.start(0, append(rs, last)...)
	if !first {
		j.do(1, probe(rpi.OpProbe, 0, 1))
		j.ranks[1].StopReceiving()
	}
	j.wait(0, rs...)
	for _, r := range rs {
		if r.Err != nil {
			require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
		}
	}
	j.requireUndeliverable(0, 1, last)
	j.awaitPending(1, func(s *rpi.Snapshot) bool { return s.Messages() == count+1 })
}

// requireUndeliverable requires that sends of a rank to another one end because that does not receive any more.
func (j *job) requireUndeliverable(rank, by int, rs ...*rpi.Request) {
	j.t.Helper()
	j.wait(rank, rs...)
	for _, r := range rs {
		var undeliverable *rpi.UndeliverableError
		require.ErrorAs(j.t, r.Err, &undeliverable, "tag %d, %d bytes", r.Tag, len(r.Buf))
		require.EqualValues(j.t, by, undeliverable.Peer)
		require.ErrorIs(j.t, r.Err, rpi.ErrProcFailed)
	}
}
