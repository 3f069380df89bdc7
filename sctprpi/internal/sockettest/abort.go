package sockettest

import (
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// RFC 9260, sections 9.1 and 3.3.10.12.
var abortTests = []test{
	{rule: "Abort tells both ends which end and why", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		require.NoError(s, a.e.Abort(a.id, "rank 7 has failed"))
		local, remote := requireAborted(s, a), requireAborted(s, b)
		assert.False(s, local.Remote)
		assert.Equal(s, "rank 7 has failed", local.Reason)
		assert.True(s, remote.Remote)
		assert.Equal(s, "rank 7 has failed", remote.Reason)
		const userInitiated = 12
		assert.EqualValues(s, userInitiated, remote.Cause)
		requireDead(s, a.e, a.id)
		requireDead(s, b.e, b.id)
	}},
	{rule: "an abort may have no reason", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		require.NoError(s, b.e.Abort(b.id, ""))
		assert.True(s, requireAborted(s, a).Remote)
		assert.Empty(s, requireAborted(s, a).Reason)
		assert.False(s, requireAborted(s, b).Remote)
	}},
	{rule: "of a long reason the first 1,000 bytes are sent", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		reason := strings.Repeat("0123456789", 200)
		require.NoError(s, a.e.Abort(a.id, reason))
		requireAborted(s, a)
		assert.Equal(s, reason[:1000], requireAborted(s, b).Reason)
	}},
	{rule: "Abort of one association leaves the others", run: func(s *suite) {
		x := s.open(socket.Config{})
		a, b := s.join(x, s.open(socket.Config{}))
		c, d := s.join(x, s.open(socket.Config{}))
		require.NoError(s, x.Abort(a.id, ""))
		requireAborted(s, a)
		requireAborted(s, b)
		requireConversation(s, c, d)
	}},
	{rule: "an abort in the middle of everything", run: func(s *suite) {
		for i := range 10 {
			a, b := s.pair(narrow, narrow)
			ms := append(bySize(4)[:10], series(5, 200, 9000)...)
			a.queue(loans(ms)...)
			b.queue(loans(ms)...)
			// As many messages as this are received first.
			first := i * 15
			s.together(
				func() error {
					if err := a.awaitReceived(first); err != nil {
						return err
					}
					return a.e.Abort(a.id, "that will do")
				},
				func() error { return b.e.await("the end", func() bool { return b.end != nil }) },
			)
			requireAborted(s, a)
			requireAborted(s, b)
		}
	}},
	{rule: "Close aborts what there is for the peers", run: func(s *suite) {
		x := s.open(socket.Config{})
		var peers []*assoc
		for range 4 {
			_, b := s.join(x, s.open(socket.Config{}))
			peers = append(peers, b)
		}
		x.close()
		for _, b := range peers {
			assert.True(s, requireAborted(s, b).Remote)
		}
	}},
	{rule: "Close aborts an association that is being shut down", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, narrow)
		a.mustSend(loans(series(0, 100, 10<<10))...)
		require.NoError(s, a.e.Shutdown(a.id))
		a.e.close()
		requireAborted(s, b)
	}},
}

// requireAborted waits until an association has been aborted and returns why.
func requireAborted(s *suite, a *assoc) *socket.AbortError {
	s.Helper()
	end := a.untilEnd()
	require.Equal(s, "Aborted", kindName(end.Kind))
	var err *socket.AbortError
	require.ErrorAs(s, end.Err, &err)
	return err
}
