package rpitest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// tryRecv has rank 1 look for a message of rank 0 the short way. It returns the receive, with its outcome, and whether it has received the message.
func (j *job) tryRecv(ctx context.Context, tag int, buf []byte) (r *rpi.Request, received bool) {
	r = recv(0, tag, buf)
	r.Status, r.Looked, received = unpolled(j.ranks[1]).(rpi.ShortWay).TryRecv(ctx, rpi.Short{Tag: r.Tag, Type: r.Type, Elem: r.Elem, Buf: buf})
	return r, received
}

// recvEither receives a message the short way if that is open, and else by a request.
func (j *job) recvEither(t *testing.T, tag, i, n int) {
	r, received := j.tryRecv(t.Context(), tag, make([]byte, n))
	if !received {
		j.do(1, r)
	}
	requireMessage(t, r, i, n)
	require.EqualValues(t, tag, r.Status.Tag)
}

// Messages are there before they are looked for, or come meanwhile; short ones and long ones.
func lookedForInOrder(t *testing.T, j *job) {
	j.meet()
	const count = 400
	sent := make(chan []*rpi.Request)
	go func() {
		var sends []*rpi.Request
		for i := range count {
			r := send(1, i%3, message(i, lengths(i)))
			if i%5 == 0 {
				r.Mode = rpi.Synchronous
			} else if r = j.sendEither(i%3, r.Buf); r == nil {
				continue
			}
			if r.Mode == rpi.Synchronous {
				j.start(0, r)
			}
			sends = append(sends, r)
		}
		sent <- sends
	}()
	for i := range count {
		j.recvEither(t, i%3, i, lengths(i))
	}
	j.wait(0, <-sent...)
}

// A receive that was posted before comes first, whatever else it would take.
func receivesThatWaitComeFirst(t *testing.T, j *job) {
	j.meet()
	for i, r := range []*rpi.Request{
		recv(0, 1, make([]byte, 8)), recv(0, anyTag, make([]byte, 8)),
		recv(anySource, 1, make([]byte, 8)), recv(anySource, anyTag, make([]byte, 8)),
	} {
		j.start(1, r)
		_, received := j.tryRecv(t.Context(), 1, make([]byte, 8))
		require.False(t, received)
		if s := j.sendEither(1, message(i, 8)); s != nil {
			j.wait(0, s)
		}
		j.wait(1, r)
		requireMessage(t, r, i, 8)
	}
}

// A message that waits comes before those that are looked for.
func messagesThatWaitComeFirst(t *testing.T, j *job) {
	j.meet()
	var sends []*rpi.Request
	for i := range 10 {
		if s := j.sendEither(1, message(i, 8)); s != nil {
			sends = append(sends, s)
		}
	}
	j.wait(0, sends...)
	j.awaitPending(1, func(s *rpi.Snapshot) bool { return len(s.Unexpected) > 0 && s.Unexpected[0].Messages == 10 })
	for i := range 10 {
		j.recvEither(t, 1, i, 8)
	}
}

// What cannot go the short way is left to a request, as it was.
func refusedShortReceives(t *testing.T, j *job) {
	_, received := j.tryRecv(t.Context(), 1, nil)
	require.False(t, received, "the two have not met")
	j.meet()
	for name, r := range map[string]struct {
		n, room int
		t       matching.Type
	}{
		"too long for the buffer": {n: 9, room: 8}, "of another type": {n: 8, room: 8, t: 1}, "not short": {n: 100_000, room: 100_000},
	} {
		s := send(1, 2, message(1, r.n))
		s.Type += r.t
		j.start(0, s)
		got, received := j.tryRecv(t.Context(), 2, make([]byte, r.room))
		require.False(t, received, name)
		j.wait(1, j.start(1, got))
		j.wait(0, s)
		require.EqualValues(t, r.n, got.Status.Length, name)
		require.Equal(t, r.n > r.room || r.t > 0, got.Err != nil, name)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	_, received = j.tryRecv(ended, 3, nil)
	require.False(t, received, "nothing came")
	j.ranks[1].Revoke(8)
	_, _, received = unpolled(j.ranks[1]).(rpi.ShortWay).TryRecv(t.Context(), rpi.Short{Context: 8, Tag: 1})
	require.False(t, received, "its context is revoked")
	_, _, received = unpolled(j.ranks[1]).(rpi.ShortWay).TryRecv(t.Context(), rpi.Short{Peer: 1, Tag: 1})
	require.False(t, received, "it is from the process itself")
	r := j.start(1, recv(0, 2, nil))
	j.ranks[0].Kill()
	j.wait(1, r)
	require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
	_, received = j.tryRecv(t.Context(), 1, nil)
	require.False(t, received, "its sender is gone")
	j.ranks[1].Kill()
	_, received = j.tryRecv(t.Context(), 1, nil)
	require.False(t, received, "the transport is closed")
}

// What has been received the short way counts.
func countedShortReceives(t *testing.T, j *job) {
	j.meet()
	before := j.ranks[1].Pending()
	for i := range 50 {
		if s := j.sendEither(1, message(i, 8)); s != nil {
			j.wait(0, s)
		}
		j.recvEither(t, 1, i, 8)
	}
	after := j.ranks[1].Pending()
	require.EqualValues(t, 50, after.MessagesReceived-before.MessagesReceived)
	require.EqualValues(t, 50*8, after.BytesReceived-before.BytesReceived)
	require.EqualValues(t, 50, after.Received-before.Received)
	require.Empty(t, after.Unexpected)
}
