package rpitest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// testShort is for transports that are rpi.ShortWays.
func testShort(t *testing.T, open rpi.Open) {
	for _, contract := range []struct {
		name string
		test func(t *testing.T, j *job)
	}{
		{"messages of both ways keep their order", bothWaysInOrder},
		{"what is received is what was sent", shortOnesAreWhole},
		{"unread ones end at the limit, and the rest goes the long way", unreadShortOnes},
		{"what is wrong is left to requests", refusedShortOnes},
		{"they are counted", countedShortOnes},
		{"what is looked for comes in order", lookedForInOrder},
		{"receives that wait come first", receivesThatWaitComeFirst},
		{"messages that wait come first", messagesThatWaitComeFirst},
		{"what cannot be received so is left to requests", refusedShortReceives},
		{"what is received so is counted", countedShortReceives},
	} {
		t.Run(contract.name, func(t *testing.T) {
			j := start(t, open, 2, func(_ int, cfg *rpi.Config) { cfg.UnexpectedLimit = 1 << 20 })
			if _, ok := unpolled(j.ranks[0]).(rpi.ShortWay); ok {
				contract.test(t, j)
			}
		})
	}
}

// trySend sends a message the short way from rank 0 to rank 1, and reports whether it has.
func (j *job) trySend(c matching.Context, tag int, body []byte) bool {
	r := send(1, tag, body)
	return unpolled(j.ranks[0]).(rpi.ShortWay).TrySend(rpi.Short{Context: c, Peer: 1, Tag: r.Tag, Type: r.Type, Elem: r.Elem, Buf: body})
}

// sendEither sends a message the short way if that is open, and else by a request, which it returns.
func (j *job) sendEither(tag int, body []byte) *rpi.Request {
	if j.trySend(0, tag, body) {
		return nil
	}
	return j.start(0, send(1, tag, body))
}

// lengths are those of messages of which most go the short way.
func lengths(i int) int { return []int{8, 100, 2048, 30, 9000}[i%5] }

// Every third message has a request.
func bothWaysInOrder(t *testing.T, j *job) {
	j.meet()
	for _, round := range []struct {
		name   string
		posted bool // receives come before messages
		tag    func(i int) int
	}{
		{"receives wait", true, func(i int) int { return i % 4 }},
		{"receives for any tag wait", true, func(int) int { return anyTag }},
		{"some receives that wait are for any tag", true, func(i int) int { return []int{i % 4, anyTag}[i/4%2] }},
		{"messages wait", false, func(i int) int { return i % 4 }},
		{"messages wait for receives of any tag", false, func(int) int { return anyTag }},
	} {
		t.Run(round.name, func(t *testing.T) {
			const count = 200
			var sends, receives []*rpi.Request
			for i := range count {
				receives = append(receives, recv(0, round.tag(i), make([]byte, lengths(i))))
			}
			if round.posted {
				j.start(1, receives...)
			}
			for i := range count {
				r := send(1, i%4, message(i, lengths(i)))
				if i%3 == 0 {
					j.start(0, r)
				} else if r = j.sendEither(i%4, r.Buf); r == nil {
					continue
				}
				sends = append(sends, r)
			}
			if !round.posted {
				j.start(1, receives...)
			}
			j.wait(1, receives...)
			j.wait(0, sends...)
			for i, r := range receives {
				requireMessage(t, r, i, lengths(i))
				require.EqualValues(t, i%4, r.Status.Tag)
			}
		})
	}
}

// The buffer may be used again at once, and a receive that cannot take a message says so.
func shortOnesAreWhole(t *testing.T, j *job) {
	j.meet()
	for _, posted := range []bool{true, false} {
		for i := range 50 {
			n := lengths(i)
			r, body := recv(0, 7, make([]byte, n+i%2)), message(i, n)
			if posted {
				j.start(1, r)
			}
			s := j.sendEither(7, body)
			if s == nil {
				clear(body)
			}
			if !posted {
				j.start(1, r)
			}
			j.wait(1, r)
			requireMessage(t, r, i, n)
			if s != nil {
				j.wait(0, s)
			}
		}
		short, other := recv(0, 8, make([]byte, 10)), recv(0, 9, make([]byte, 16))
		other.Type++
		for _, r := range []*rpi.Request{short, other} {
			if posted {
				j.start(1, r)
			}
			if s := j.sendEither(int(r.Tag), message(1, 16)); s != nil {
				j.wait(0, s)
			}
			if !posted {
				j.start(1, r)
			}
			j.wait(1, r)
			require.Equal(t, make([]byte, len(r.Buf)), r.Buf, "it stays as it was")
			require.EqualValues(t, 16, r.Status.Length)
		}
		require.ErrorIs(t, short.Err, rpi.ErrTruncate)
		require.ErrorIs(t, other.Err, rpi.ErrType)
	}
}

// No more of them are sent than the receiver has to keep.
func unreadShortOnes(t *testing.T, j *job) {
	j.meet()
	const length = 100
	n := 0
	for ; j.trySend(0, 5, message(n, length)); n++ {
		require.Less(t, n*length, 1<<20, "the limit of unexpected messages")
	}
	var sends []*rpi.Request
	for i := range 100 {
		if s := j.sendEither(5, message(n+i, length)); s != nil {
			sends = append(sends, s)
		}
	}
	for i := range n + 100 {
		r := recv(0, 5, make([]byte, length))
		j.do(1, r)
		requireMessage(t, r, i, length)
	}
	j.wait(0, sends...)
}

func refusedShortOnes(t *testing.T, j *job) {
	require.False(t, j.trySend(0, 1, nil), "the two have not met")
	j.meet()
	require.False(t, j.trySend(0, 1, make([]byte, rpi.DefaultEagerLimit+1)), "it is not short")
	require.False(t, unpolled(j.ranks[0]).(rpi.ShortWay).TrySend(rpi.Short{Peer: 0, Tag: 1}), "it is to the process itself")
	j.ranks[0].Revoke(8)
	require.False(t, j.trySend(8, 1, nil), "its context is revoked")
	r := j.start(0, recv(1, 2, nil))
	j.ranks[1].Kill()
	j.wait(0, r)
	require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
	require.False(t, j.trySend(0, 1, nil), "its receiver is gone")
	j.ranks[0].Kill()
	require.False(t, j.trySend(0, 1, nil), "the transport is closed")
}

func countedShortOnes(t *testing.T, j *job) {
	j.meet()
	before := j.ranks[0].Pending()
	n := uint64(0)
	for i := range 50 {
		r := j.start(1, recv(0, 1, make([]byte, 8)))
		if s := j.sendEither(1, message(i, 8)); s != nil {
			j.wait(0, s)
		}
		j.wait(1, r)
		n++
	}
	sent, received := j.ranks[0].Pending(), j.ranks[1].Pending()
	require.Equal(t, n, sent.MessagesSent-before.MessagesSent)
	require.Equal(t, 8*n, sent.BytesSent-before.BytesSent)
	require.Equal(t, sent.MessagesSent, received.MessagesReceived)
	require.Equal(t, sent.BytesSent, received.BytesReceived)
	j.awaitPending(1, func(s *rpi.Snapshot) bool { return s.Received == sent.Sent })
}
