//go:build !race && linux

package interop

import (
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/internal/interop/interoptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func shutdownByCaller(s *setting) {
	caller, called := s.joined(socket.Config{}, 0)
	shutdown(s, caller, called)
}

func shutdownByCalled(s *setting) {
	caller, called := s.joined(socket.Config{}, 0)
	shutdown(s, called, caller)
}

// shutdown: what has been queued by both ends is delivered before the association is
// Closed (RFC 9260, section 9.2).
func shutdown(s *setting, by, other *interoptest.Peer) {
	interoptest.Converse(by, other) // which has both stacks up to date
	var last []interoptest.Message
	for stream := range 10 {
		last = append(last, interoptest.NewMessage(stream, 20_000))
	}
	for _, p := range []*interoptest.Peer{by, other} {
		p.Messages = nil
		p.Queue(last...)
		p.Until("room to send", p.Sent)
	}
	require.NoError(s, by.Shutdown(by.ID))
	requireClosed(s, by, other)
	assert.Positive(s, other.Seen[socket.PeerShutdown])
	interoptest.RequireSame(s, last, by.Messages)
	interoptest.RequireSame(s, last, other.Messages)
}

// requireClosed waits for the graceful end of an association.
func requireClosed(s *setting, a, b *interoptest.Peer) {
	s.Helper()
	ended := func(p *interoptest.Peer) func() error {
		return func() error { return p.Await("the end", func() bool { return p.End != nil }) }
	}
	interoptest.Together(s, ended(a), ended(b))
	for _, p := range []*interoptest.Peer{a, b} {
		require.Equal(s, socket.Closed, p.End.Kind, "%v: %v", p.End.Kind, p.End.Err)
	}
}

func abortByCaller(s *setting) {
	caller, called := s.joined(socket.Config{}, 0)
	abort(s, caller, called)
}

func abortByCalled(s *setting) {
	caller, called := s.joined(socket.Config{}, 0)
	abort(s, called, caller)
}

// abort: the peer learns which end has aborted the association, and why (RFC 9260, section 9.1).
func abort(s *setting, by, other *interoptest.Peer) {
	const userInitiated = 12
	reason := strings.Repeat("why ", 250) // the longest that is sent
	require.NoError(s, by.Abort(by.ID, reason))
	for _, c := range []struct {
		p    *interoptest.Peer
		want socket.AbortError
	}{
		{by, socket.AbortError{Cause: userInitiated, Reason: reason}},
		{other, socket.AbortError{Remote: true, Cause: userInitiated, Reason: reason}},
	} {
		c.p.Until("the end", func() bool { return c.p.End != nil })
		require.Equal(s, socket.Aborted, c.p.End.Kind)
		require.Equal(s, &c.want, c.p.End.Err)
	}
}
