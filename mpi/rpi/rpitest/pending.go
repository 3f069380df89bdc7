package rpitest

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func testPending(t *testing.T, open rpi.Open) {
	t.Run("nothing", func(t *testing.T) {
		s := start(t, open, 2, nil).ranks[0].Pending()
		require.Empty(t, s.Waits)
		require.Empty(t, s.Open)
		require.Empty(t, s.Unexpected)
	})
	t.Run("operations that wait for their peers", func(t *testing.T) {
		j := start(t, open, 2, nil)
		j.meet()
		sync := send(1, 1, message(0, 10))
		sync.Mode = rpi.Synchronous
		rs := []*rpi.Request{sync, recv(1, 7, make([]byte, 8)), probe(rpi.OpProbe, anySource, anyTag)}
		j.start(0, rs...)
		s := j.awaitPending(0, func(s *rpi.Snapshot) bool {
			return len(s.Open) == 3 && s.Open[0].Stage == rpi.Unmatched
		})
		require.Empty(t, s.Waits)
		require.Equal(t, []rpi.Operation{
			{Op: rpi.OpSend, Mode: rpi.Synchronous, Peer: 1, Tag: 1, Length: 10},
			{Op: rpi.OpRecv, Peer: 1, Tag: 7},
			{Op: rpi.OpProbe, Peer: matching.AnySource, Tag: matching.AnyTag},
		}, s.Open)
		j.do(1, recv(0, 1, make([]byte, 10)), send(0, 7, message(1, 8)), send(0, 9, message(2, 8)))
		j.wait(0, rs...)
		j.do(0, recv(1, 9, make([]byte, 8)))
		require.Empty(t, j.ranks[0].Pending().Open, "they have completed")
	})
	t.Run("messages that no receive takes", func(t *testing.T) {
		j := start(t, open, 2, nil)
		for i := range 3 {
			j.do(0, send(1, 5, message(i, 100)))
		}
		j.do(1, probe(rpi.OpProbe, 0, 5))
		s := j.awaitPending(1, func(s *rpi.Snapshot) bool {
			return len(s.Unexpected) == 1 && s.Unexpected[0].Messages >= j.seen(3)
		})
		require.EqualValues(t, 5, s.Unexpected[0].Tag)
		require.EqualValues(t, 0, s.Unexpected[0].Source)
		require.EqualValues(t, 100*s.Unexpected[0].Messages, s.Unexpected[0].Bytes)
		for range 3 {
			j.do(1, recv(0, 5, make([]byte, 100)))
		}
		require.Empty(t, j.ranks[1].Pending().Unexpected)
	})
	t.Run("a message to oneself", func(t *testing.T) {
		j := start(t, open, 1, nil)
		s := send(0, 2, message(0, 10))
		s.Mode = rpi.Synchronous
		j.start(0, s)
		p := j.ranks[0].Pending()
		require.Len(t, p.Open, 1)
		require.Len(t, p.Unexpected, 1)
		j.do(0, recv(0, 2, make([]byte, 10)))
	})
	t.Run("a wait tells its call stack", func(t *testing.T) {
		j := start(t, open, 2, nil)
		j.meet()
		r := j.start(0, recv(1, 3, make([]byte, 8)))
		done := make(chan struct{})
		go func() {
			defer close(done)
			awaitAnswering(j.ranks[0], r)
		}()
		s := j.awaitPending(0, func(s *rpi.Snapshot) bool {
			if len(s.Waits) == 1 && s.Waits[0].Site == nil {
				s.Waits[0].Waiter.Ask()
			}
			return len(s.Waits) == 1 && s.Waits[0].Site != nil && !s.Waits[0].Since.IsZero()
		})
		require.Contains(t, functions(s.Waits[0].Site), "awaitAnswering")
		j.do(1, send(0, 3, message(0, 8)))
		<-done
	})
	t.Run("the lists are bounded", func(t *testing.T) {
		j := start(t, open, 2, nil)
		const many = 3 * rpi.SnapshotLimit
		var rs []*rpi.Request
		for i := range many {
			rs = append(rs, recv(1, i, make([]byte, 8)))
		}
		j.start(0, rs...)
		for i := range many { // to itself, so that all are there
			j.do(0, send(0, many+i, message(i, 8)))
		}
		s := j.ranks[0].Pending()
		require.Len(t, s.Open, rpi.SnapshotLimit)
		require.Equal(t, many-rpi.SnapshotLimit, s.MoreOpen)
		require.Len(t, s.Unexpected, rpi.SnapshotLimit)
		require.Equal(t, many-rpi.SnapshotLimit, s.MoreUnexpected)
	})
	t.Run("all that was sent is received in the end", func(t *testing.T) {
		j := start(t, open, 2, nil)
		before := j.balance()
		require.Equal(t, before.Sent, before.Received)
		for i, n := range sizes {
			s := send(1, i, message(i, n))
			s.Mode = rpi.Mode(i % 2)
			j.start(0, s)
			j.do(1, recv(0, i, make([]byte, n)))
			j.wait(0, s)
		}
		after := before
		j.awaitPending(0, func(*rpi.Snapshot) bool {
			after = j.balance()
			return after.Sent == after.Received
		})
		require.GreaterOrEqual(t, after.Sent, before.Sent+uint64(len(sizes)))
	})
	t.Run("the messages that were sent and received are counted once, and their bytes", func(t *testing.T) {
		j := start(t, open, 2, nil)
		var bytes uint64
		for i, n := range sizes {
			m := send(1, i, message(i, n))
			m.Mode = rpi.Mode(i % 2) // an acknowledgement is no message
			s := j.start(0, m)
			j.do(1, recv(0, i, make([]byte, n)))
			j.wait(0, s)
			bytes += uint64(n)
		}
		cancelled := j.start(0, send(1, len(sizes), message(0, long)))
		j.do(1, probe(rpi.OpProbe, 0, len(sizes)))
		j.ranks[0].Cancel(cancelled)
		j.wait(0, cancelled)
		require.True(t, cancelled.Status.Cancelled)
		own := j.start(0, send(0, 1, message(0, 10)))
		j.do(0, recv(0, 1, make([]byte, 10)))
		j.wait(0, own)
		s, r := j.ranks[0].Pending(), j.ranks[1].Pending()
		n := uint64(len(sizes))
		require.Equal(t, [4]uint64{n, 0, bytes, 0}, [4]uint64{s.MessagesSent, s.MessagesReceived, s.BytesSent, s.BytesReceived})
		require.Equal(t, [4]uint64{0, n, 0, bytes}, [4]uint64{r.MessagesSent, r.MessagesReceived, r.BytesSent, r.BytesReceived})
	})
	t.Run("the lengths of messages and waits are counted where that is wanted", func(t *testing.T) {
		j := start(t, open, 2, func(_ int, cfg *rpi.Config) { cfg.Statistics = true })
		for i, n := range sizes {
			m, r := send(1, i, message(i, n)), recv(0, i, make([]byte, n))
			if i%3 == 0 { // as one of a collective operation
				m.Context, r.Context = m.Context|rpi.InOrder, r.Context|rpi.InOrder
			}
			s := j.start(0, m)
			j.do(1, r)
			j.wait(0, s)
		}
		cancelled := j.start(0, send(1, len(sizes), message(0, long)))
		j.do(1, probe(rpi.OpProbe, 0, len(sizes)))
		j.ranks[0].Cancel(cancelled)
		j.wait(0, cancelled)
		var want rpi.Lengths
		for i, n := range sizes {
			kind := rpi.PointToPoint
			if i%3 == 0 {
				kind = rpi.Collective
			}
			want[kind].Sent.Add(uint64(n))
		}
		s, r := j.ranks[0].Pending(), j.ranks[1].Pending()
		require.Equal(t, want, *s.Lengths)
		require.Equal(t, want[0].Sent, r.Lengths[0].Received)
		require.Equal(t, want[1].Sent, r.Lengths[1].Received)
		require.NotNil(t, j.ranks[1].(rpi.Timed).WaitTimes())

		j = start(t, open, 2, nil)
		require.Nil(t, j.ranks[0].Pending().Lengths)
		require.Nil(t, j.ranks[0].(rpi.Timed).WaitTimes())
	})
	t.Run("the most messages that no receive had taken", func(t *testing.T) {
		j := start(t, open, 2, nil)
		for i := range 3 {
			j.do(0, send(1, i, message(i, 8)))
			j.do(1, probe(rpi.OpProbe, 0, i))
		}
		for i := range 3 {
			j.do(1, recv(0, i, make([]byte, 8)))
		}
		require.Equal(t, 3, j.ranks[1].Pending().MostUnexpected)
		require.Zero(t, j.ranks[0].Pending().MostUnexpected)
	})
}

// meet makes the connections between all ranks.
func (j *job) meet() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for _, rank := range j.ranks {
		require.NoError(j.t, rank.Connect(ctx))
	}
}

// awaitPending returns what a rank has to do as soon as it fits, and fails the test if it never does.
func (j *job) awaitPending(rank int, fits func(s *rpi.Snapshot) bool) rpi.Snapshot {
	j.t.Helper()
	for deadline := time.Now().Add(patience); ; {
		j.ranks[rank].Advance()
		s := j.ranks[rank].Pending()
		if fits(&s) {
			return s
		}
		require.True(j.t, time.Now().Before(deadline), "%+v", s)
		time.Sleep(time.Millisecond)
	}
}

// seen is how many of n messages a transport can know of once it knows of one: all of them, unless
// the others wait in its channel, of which a transport without a progression layer knows the head alone.
func (j *job) seen(n int) int {
	if strings.HasSuffix(j.ranks[0].Name(), "-pertrc") {
		return 1
	}
	return n
}

// balance is the sum of what all ranks have sent and received.
func (j *job) balance() (sum rpi.Snapshot) {
	for _, rank := range j.ranks {
		rank.Advance()
		s := rank.Pending()
		sum.Sent += s.Sent
		sum.Received += s.Received
	}
	return sum
}

// awaitAnswering waits as package mpi does.
//
//go:noinline
func awaitAnswering(rank rpi.Transport, r *rpi.Request) {
	w := rpi.NewWaiter()
	defer w.Release()
	for waiting := r.Subscribe(w); waiting && !r.Completed(); w.Answer() {
		_ = rank.Await(context.Background(), w)
	}
	r.Unsubscribe(w)
}

// functions are the names in a call stack.
func functions(stack []uintptr) string {
	var names strings.Builder
	frames := runtime.CallersFrames(stack)
	for f, more := frames.Next(); ; f, more = frames.Next() {
		names.WriteString(f.Function + "\n")
		if !more {
			return names.String()
		}
	}
}
