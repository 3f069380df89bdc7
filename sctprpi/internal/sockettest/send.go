package sockettest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// narrow has small buffers, so that they are soon full.
var narrow = socket.Config{SendBuffer: 256 << 10, ReceiveBuffer: 128 << 10}

var sendTests = []test{
	{rule: "Send takes what comes before a message that it cannot take", run: func(s *suite) {
		a, b := s.pair(narrow, socket.Config{})
		status, err := a.e.Status(a.id)
		require.NoError(s, err)
		for _, bad := range []struct {
			m    socket.Message
			want error
		}{
			{socket.Message{}, socket.ErrEmpty},
			{socket.Message{Data: [][]byte{nil, {}}}, socket.ErrEmpty},
			{numbered(0, 0, narrow.SendBuffer+1).copied(), socket.ErrTooLong},
			{numbered(0, 0, narrow.SendBuffer+1).lent(), socket.ErrTooLong},
			{numbered(socket.StreamID(status.Outbound), 0, 1).copied(), socket.ErrStream},
			{numbered(65_535, 0, 1).lent(), socket.ErrStream},
		} {
			sent := series(0, 3, 100)
			n, err := a.send(sent[0].copied(), sent[1].copied(), bad.m, sent[2].copied())
			require.ErrorIs(s, err, bad.want)
			require.Equal(s, 2, n)
			a.mustSend(sent[2].copied())
			b.untilReceived(3)
			b.requireReceived(sent)
			b.messages = nil
		}
	}},
	{rule: "Send of no messages does nothing", run: func(s *suite) {
		a, _ := s.pair(socket.Config{}, socket.Config{})
		n, err := a.send()
		require.NoError(s, err)
		require.Zero(s, n)
	}},
	{rule: "a full send buffer is ErrWouldBlock, then Writable", run: func(s *suite) {
		a, b := s.pair(narrow, narrow)
		all := series(0, 500, 8<<10)
		n, err := a.send(copies(all)...)
		require.ErrorIs(s, err, socket.ErrWouldBlock)
		require.Positive(s, n)
		a.blocked = true
		require.NoError(s, b.awaitReceived(n))
		a.until("Writable", func() bool { return !a.blocked })
		n2, err := a.send(all[n].copied())
		require.NoError(s, err, "after Writable")
		require.Equal(s, 1, n2)
		a.queue(copies(all[n+1:])...)
		s.together(a.awaitSent, func() error { return b.awaitReceived(len(all)) })
		b.requireReceived(all)
	}},
	{rule: "long messages get room among short ones", run: func(s *suite) {
		a, b := s.pair(narrow, narrow)
		var sent []message
		for i := range 400 {
			sent = append(sent, numbered(socket.StreamID(i%2), i, []int{500, narrow.SendBuffer / 2, 500, 500}[i%4]))
		}
		s.exchange(a, b, copies(sent), nil)
		b.requireReceived(sent)
	}},
	{rule: "copied messages may be overwritten when Send returns", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		sent := bySize(5)
		for _, m := range sent {
			w := m.lent()
			l := w.Owner.(*loan)
			w.ZeroCopy, w.Owner = false, nil
			for {
				_, err := a.send(w)
				if err == nil {
					break
				}
				require.ErrorIs(s, err, socket.ErrWouldBlock)
				b.e.drain()
				a.blocked = true
				a.until("Writable", func() bool { return !a.blocked })
			}
			l.spoil()
		}
		b.untilReceived(len(sent))
		b.requireReceived(sent)
		require.Empty(s, a.released)
	}},
	{rule: "what has no association is ErrAssoc", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		requireDead(s, a.e, 0)
		requireDead(s, a.e, a.id+1000)
		require.NoError(s, a.e.Shutdown(a.id))
		a.untilEnd()
		b.untilEnd()
		requireDead(s, a.e, a.id)
		requireDead(s, b.e, b.id)
	}},
	{rule: "a message that has outlived its lifetime is not sent", needs: []need{zeroCopy}, run: func(s *suite) {
		// The receiver reads nothing until what waits has expired.
		a, b := s.pair(socket.Config{}, narrow)
		sent := series(0, 60, 10<<10)
		a.mustSend(copies(sent)...)
		brief := loans(series(1, 3, 1000))
		for i := range brief {
			brief[i].Lifetime = time.Millisecond
		}
		lasting := numbered(1, 3, 1000).lent()
		lasting.Lifetime = time.Hour
		a.mustSend(brief...)
		a.mustSend(lasting)
		a.e.linger(10 * time.Millisecond)
		b.untilReceived(len(sent) + 1)
		b.requireReceived(append(sent, numbered(1, 3, 1000)))
		a.untilReleased()
		for _, r := range a.released {
			want := socket.Expired
			if r.owner == lasting.Owner {
				want = socket.Acknowledged
			}
			assert.Equal(s, want, r.outcome)
		}
	}},
}

// requireDead checks that an ID names no association.
func requireDead(s *suite, e *endpoint, id socket.AssocID) {
	s.Helper()
	n, err := e.Send(id, []socket.Message{numbered(0, 0, 1).copied()})
	require.ErrorIs(s, err, socket.ErrAssoc, "Send")
	require.Zero(s, n)
	require.ErrorIs(s, e.Shutdown(id), socket.ErrAssoc, "Shutdown")
	require.ErrorIs(s, e.Abort(id, ""), socket.ErrAssoc, "Abort")
	_, err = e.Status(id)
	require.ErrorIs(s, err, socket.ErrAssoc, "Status")
}
