package sockettest

import (
	"context"
	"slices"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

var streamReceiveTests = []test{
	{rule: "a held stream is not received, others are", needs: []need{streamReceive}, run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		require.NoError(s, b.receiver().Hold(b.id, 1, true))
		held, other := series(1, 20, 3000), series(2, 200, 30_000)
		a.mustSend(loans(held)...)
		a.untilReleased() // all of it is there, then
		s.exchange(a, b, copies(other), nil)
		b.e.drain()
		b.requireReceived(other)
		require.Equal(s, []socket.StreamID{1}, b.ready())

		// Let go, the stream is received like the others.
		b.messages = nil
		require.NoError(s, b.receiver().Hold(b.id, 1, false))
		b.untilReceived(len(held))
		b.requireReceived(held)
		require.Empty(s, b.ready())
	}},
	{rule: "ReceiveStream has what is held", needs: []need{streamReceive}, run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		for stream := range socket.StreamID(3) {
			require.NoError(s, b.receiver().Hold(b.id, stream, true))
		}
		sent := [][]message{series(0, 5, 100), series(1, 5, 20_000), series(2, 5, 1)}
		for _, ms := range sent {
			a.mustSend(loans(ms)...)
		}
		a.untilReleased()
		require.ElementsMatch(s, []socket.StreamID{0, 1, 2}, b.ready())
		for _, stream := range []socket.StreamID{1, 2, 0} {
			b.messages = nil
			b.drainStream(stream)
			b.requireReceived(sent[stream])
			require.NotContains(s, b.ready(), stream)
		}
		b.messages = nil
		b.e.drain()
		require.Empty(s, b.messages)
		b.letGo(3)
	}},
	{rule: "WaitStream waits for data of a held stream", needs: []need{streamReceive}, run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		require.NoError(s, b.receiver().Hold(b.id, 1, true))
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		require.ErrorIs(s, b.receiver().WaitStream(ctx, b.id, 1), context.Canceled)

		ctx, cancel = context.WithTimeout(context.Background(), s.patience)
		defer cancel()
		sent := series(1, 1, 100)
		s.together(
			func() error { return b.receiver().WaitStream(ctx, b.id, 1) },
			func() error {
				_, err := a.send(append(loans(series(2, 1, 100)), loans(sent)...)...)
				return err
			},
		)
		b.drainStream(1)
		b.requireReceived(sent)
		b.messages = nil
		b.letGo(2)
		b.untilReceived(1)
	}},
	{rule: "ReceiveStream has what is not held", needs: []need{streamReceive}, run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		one, two := series(1, 10, 3000), series(2, 10, 3000)
		for i := range one {
			a.mustSend(one[i].lent(), two[i].lent())
		}
		a.untilReleased()
		b.drainStream(2)
		b.requireReceived(two)
		b.messages = nil
		b.e.drain()
		b.requireReceived(one)
	}},
	{rule: "a stream that is held halts its sender, and loses nothing", needs: []need{streamReceive}, run: func(s *suite) {
		c := narrow
		c.StreamLimit = 32 << 10
		a, b := s.pair(narrow, c)
		require.NoError(s, b.receiver().Hold(b.id, 3, true))
		sent := series(3, 200, 5000)
		a.queue(loans(sent)...)
		a.press()
		require.NotEmpty(s, a.outbox)
		require.LessOrEqual(s, b.status().Held, narrow.ReceiveBuffer+64<<10)
		b.letGo(4)
		s.together(a.awaitSent, func() error { return b.awaitReceived(len(sent)) })
		b.requireReceived(sent)
	}},
	{rule: "what is put back is received again, first", needs: []need{streamReceive}, run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		sent := series(1, 3, 1000)
		a.mustSend(loans(sent)...)
		a.untilReleased()
		batch := make([]socket.Event, 1)
		for _, taken := range []int{0, 400} {
			n, err := b.receiver().ReceiveStream(b.id, 1, batch)
			require.NoError(s, err)
			require.Equal(s, 1, n)
			require.True(s, batch[0].Begin)
			require.ErrorIs(s, b.receiver().PutBack(&batch[0], len(batch[0].Payload)+1), socket.ErrEvent)
			first := slices.Clone(batch[0].Payload)
			require.NoError(s, b.receiver().PutBack(&batch[0], taken))
			require.ErrorIs(s, b.receiver().PutBack(&batch[0], 0), socket.ErrEvent)
			b.e.drain()
			require.Empty(s, b.messages, "it is on hold")
			if taken == 0 {
				continue
			}
			n, err = b.receiver().ReceiveStream(b.id, 1, batch)
			require.NoError(s, err)
			require.Equal(s, 1, n)
			assert.False(s, batch[0].Begin)
			assert.Equal(s, first[taken:], batch[0].Payload)
			batch[0].Release()
		}
		b.letGo(2)
		b.untilReceived(len(sent) - 1)
		b.requireReceived(sent[1:])
	}},
	{rule: "streams are held of associations that exist", needs: []need{streamReceive}, run: func(s *suite) {
		a, _ := s.pair(socket.Config{Streams: 10}, socket.Config{Streams: 10})
		r := a.receiver()
		batch := make([]socket.Event, 1)
		for _, id := range []socket.AssocID{0, a.id + 1000} {
			assert.ErrorIs(s, r.Hold(id, 0, true), socket.ErrAssoc)
			_, err := r.ReceiveStream(id, 0, batch)
			assert.ErrorIs(s, err, socket.ErrAssoc)
			_, err = r.ReadyStreams(id, nil)
			assert.ErrorIs(s, err, socket.ErrAssoc)
		}
		assert.ErrorIs(s, r.Hold(a.id, 10, true), socket.ErrStream)
		_, err := r.ReceiveStream(a.id, 10, batch)
		assert.ErrorIs(s, err, socket.ErrStream)
		assert.ErrorIs(s, r.WaitStream(context.Background(), a.id, 10), socket.ErrStream)
		assert.ErrorIs(s, r.WaitStream(context.Background(), 0, 0), socket.ErrAssoc)
	}},
}

func (a *assoc) receiver() socket.StreamReceiver {
	a.e.s.Helper()
	r, ok := a.e.Socket.(socket.StreamReceiver)
	require.True(a.e.s, ok, "%T is a socket.StreamReceiver", a.e.Socket)
	return r
}

// ready returns the streams that have data, after checking that what was there is
// left alone.
func (a *assoc) ready() []socket.StreamID {
	a.e.s.Helper()
	streams, err := a.receiver().ReadyStreams(a.id, []socket.StreamID{99})
	require.NoError(a.e.s, err)
	require.NotEmpty(a.e.s, streams)
	require.EqualValues(a.e.s, 99, streams[0])
	return slices.Delete(streams, 0, 1)
}

// drainStream receives what a stream has, by a few pieces at a time.
func (a *assoc) drainStream(stream socket.StreamID) {
	a.e.s.Helper()
	batch := make([]socket.Event, 3)
	for {
		n, err := a.receiver().ReceiveStream(a.id, stream, batch)
		require.NoError(a.e.s, err)
		for i := range batch[:n] {
			require.Equal(a.e.s, "Data", kindName(batch[i].Kind))
			require.Equal(a.e.s, a.id, batch[i].Assoc)
			require.Equal(a.e.s, stream, batch[i].Stream)
			a.e.take(&batch[i])
		}
		if n == 0 {
			return
		}
	}
}

// letGo lets go of the first n streams.
func (a *assoc) letGo(n socket.StreamID) {
	a.e.s.Helper()
	for stream := range n {
		require.NoError(a.e.s, a.receiver().Hold(a.id, stream, false))
	}
}
