package sockettest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// That each lent message is released once, and before the event that ends the
// association, is checked in every test.
var zeroCopyTests = []test{
	{rule: "lent messages come back acknowledged", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		sent := append(bySize(3), series(4, 300, 64)...)
		s.exchange(a, b, loans(sent), nil)
		b.requireReceived(sent)
		require.Len(s, a.released, len(sent))
		for _, r := range a.released {
			require.Equal(s, socket.Acknowledged, r.outcome)
		}
	}},
	{rule: "what has come back is not read any more", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		a.onRelease = func(owner any) { owner.(*loan).spoil() }
		sent := append(bySize(3), series(4, 300, 3000)...)
		s.exchange(a, b, loans(sent), nil)
		b.requireReceived(sent)
	}},
	{rule: "what is acknowledged has arrived, even if it has not been read", needs: []need{zeroCopy}, run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		a.onRelease = func(owner any) { owner.(*loan).spoil() }
		sent := series(0, 50, 4000)
		a.mustSend(loans(sent)...)
		a.untilReleased()
		b.e.drain() // without waiting
		b.requireReceived(sent)
	}},
	{rule: "messages that Send has not taken are not lent", run: func(s *suite) {
		a, b := s.pair(narrow, narrow)
		sent := series(0, 300, 4000)
		n, err := a.send(loans(sent)...)
		require.ErrorIs(s, err, socket.ErrWouldBlock)
		b.untilReceived(n)
		a.untilReleased()
		require.Len(s, a.released, n)
		b.requireReceived(sent[:n])
	}},
	{rule: "an abort gives back what was lent, with the truth about it", run: func(s *suite) {
		for _, who := range []string{"locally", "by the peer"} {
			a, b := s.pair(socket.Config{}, narrow)
			a.onRelease = func(owner any) { owner.(*loan).spoil() }
			sent := series(0, 100, 10<<10) // more than the peer can hold
			a.mustSend(loans(sent)...)
			aborter := a
			if who == "by the peer" {
				aborter = b
			}
			require.NoError(s, aborter.e.Abort(aborter.id, ""))
			require.Equal(s, "Aborted", kindName(a.untilEnd().Kind), who)
			b.untilEnd()
			require.Len(s, a.released, len(sent))
			if !s.features.ZeroCopy {
				continue
			}
			count := make(map[socket.Outcome]int)
			for _, r := range a.released {
				count[r.outcome]++
			}
			assert.Zero(s, count[socket.Expired])
			assert.Positive(s, count[socket.Unsent]+count[socket.Unacknowledged])
			assert.LessOrEqual(s, len(b.messages), count[socket.Acknowledged]+count[socket.Unacknowledged])
		}
	}},
	{rule: "a shutdown gives back what was lent, acknowledged", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, narrow)
		sent := series(0, 100, 10<<10)
		a.mustSend(loans(sent)...)
		require.NoError(s, a.e.Shutdown(a.id))
		b.untilReceived(len(sent))
		require.Equal(s, "Closed", kindName(a.untilEnd().Kind))
		for _, r := range a.released {
			require.Equal(s, socket.Acknowledged, r.outcome)
		}
		b.untilEnd()
		b.requireReceived(sent)
	}},
	{rule: "when Close has returned, what was lent is not read any more", run: func(s *suite) {
		// The race detector reports reads that come later.
		a, b := s.pair(socket.Config{}, narrow)
		ms := loans(series(0, 200, 10<<10))
		a.mustSend(ms...)
		a.e.close()
		for _, m := range ms {
			m.Owner.(*loan).spoil()
		}
		require.Equal(s, "Aborted", kindName(b.untilEnd().Kind))
		for i, m := range b.messages {
			require.Equal(s, numbered(0, i, 10<<10), m)
		}
	}},
}
