package sockettest

import (
	"errors"
	"fmt"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// RFC 9260, section 9.2.
var shutdownTests = []test{
	{rule: "Shutdown delivers all that was queued, then both ends are closed", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, narrow)
		sent := series(0, 200, 8<<10)
		a.mustSend(copies(sent)...)
		require.NoError(s, a.e.Shutdown(a.id))
		b.untilEnd()
		a.untilEnd()
		b.requireReceived(sent)
		for _, end := range []*assoc{a, b} {
			assert.Equal(s, "Closed", kindName(end.end.Kind))
			assert.NoError(s, end.end.Err)
		}
		assert.Equal(s, 1, b.seen[socket.PeerShutdown])
		assert.Zero(s, a.seen[socket.PeerShutdown])
	}},
	{rule: "after Shutdown nothing more can be sent", run: func(s *suite) {
		// The peer does not read, so the shutdown cannot be over.
		a, b := s.pair(socket.Config{}, narrow)
		sent := series(0, 100, 10<<10)
		a.mustSend(copies(sent)...)
		require.NoError(s, a.e.Shutdown(a.id))
		for _, m := range []socket.Message{numbered(0, 0, 1).copied(), numbered(0, 0, 1).lent()} {
			n, err := a.send(m)
			require.ErrorIs(s, err, socket.ErrShutdown)
			require.Zero(s, n)
		}
		b.untilEnd()
		b.requireReceived(sent)
	}},
	{rule: "after PeerShutdown nothing more can be sent", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		require.NoError(s, a.e.Shutdown(a.id))
		b.e.until("PeerShutdown", func() bool { return b.seen[socket.PeerShutdown] > 0 })
		_, err := b.send(numbered(0, 0, 1).copied())
		// By now it may be over, and the event on its way.
		if !errors.Is(err, socket.ErrAssoc) {
			require.ErrorIs(s, err, socket.ErrShutdown)
		}
	}},
	{rule: "messages of the peer still arrive", run: func(s *suite) {
		a, b := s.pair(narrow, socket.Config{})
		sent := series(0, 100, 10<<10) // more than a can hold
		b.mustSend(loans(sent)...)
		require.NoError(s, a.e.Shutdown(a.id))
		require.Equal(s, "Closed", kindName(a.untilEnd().Kind))
		require.Equal(s, "Closed", kindName(b.untilEnd().Kind))
		a.requireReceived(sent)
	}},
	{rule: "both ends may shut down at once", run: func(s *suite) {
		x, y := s.open(socket.Config{}), s.open(socket.Config{})
		for range 30 {
			a, b := s.join(x, y)
			sent := series(0, 10, 3000)
			a.mustSend(copies(sent)...)
			b.mustSend(loans(sent)...)
			s.together(
				func() error { return x.leave(a) },
				func() error { return y.leave(b) },
			)
			for _, end := range []*assoc{a, b} {
				require.Equal(s, "Closed", kindName(end.untilEnd().Kind))
				end.requireReceived(sent)
			}
		}
	}},
	{rule: "an association can be shut down before it is up", run: func(s *suite) {
		x, y := s.open(socket.Config{}), s.open(socket.Config{})
		a := x.connect(y.LocalAddrs()...)
		sent := series(0, 10, 3000)
		a.mustSend(loans(sent)...)
		require.NoError(s, x.Shutdown(a.id))
		require.Equal(s, "Closed", kindName(a.untilEnd().Kind))
		b := y.only()
		b.untilEnd()
		b.requireReceived(sent)
	}},
	{rule: "Shutdown of one association leaves the others", run: func(s *suite) {
		x := s.open(socket.Config{})
		a, b := s.join(x, s.open(socket.Config{}))
		c, d := s.join(x, s.open(socket.Config{}))
		require.NoError(s, x.Shutdown(a.id))
		a.untilEnd()
		b.untilEnd()
		requireConversation(s, c, d)
	}},
	{rule: "Abort ends a shutdown that takes too long", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, narrow)
		a.mustSend(loans(series(0, 100, 10<<10))...)
		require.NoError(s, a.e.Shutdown(a.id))
		require.NoError(s, a.e.Abort(a.id, "too long"))
		require.Equal(s, "Aborted", kindName(a.untilEnd().Kind))
		require.Equal(s, "Aborted", kindName(b.untilEnd().Kind))
	}},
}

// leave shuts an association down, which the peer may have done already.
func (e *endpoint) leave(a *assoc) error {
	err := e.Shutdown(a.id)
	if err == nil || errors.Is(err, socket.ErrAssoc) || errors.Is(err, socket.ErrShutdown) {
		return nil
	}
	return fmt.Errorf("%s: Shutdown: %w", e.name, err)
}
