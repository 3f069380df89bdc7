package sockettest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// authenticateTests are about peers that the user does not know yet.
var authenticateTests = []test{
	{rule: "of the peers that are not known one makes room for the next", run: func(s *suite) {
		x := s.open(socket.Config{MaxAssociations: 3, MaxUnauthenticated: 2})
		auth, ok := x.Socket.(socket.Authenticator)
		if !ok {
			s.Log("not tested: the implementation has no Authenticator")
			return
		}
		a, b := s.join(s.open(socket.Config{}), x)
		require.NoError(s, auth.Authenticated(b.id))
		_, first := s.join(s.open(socket.Config{}), x)
		s.join(s.open(socket.Config{}), x)
		s.join(s.open(socket.Config{}), x)
		require.Equal(s, "Aborted", kindName(first.untilEnd().Kind))

		// No peer that this end knows or calls has to go, or has no room.
		called := x.connect(s.open(socket.Config{}).LocalAddrs()...)
		called.until("Up", func() bool { return called.up })
		for range 5 {
			s.join(s.open(socket.Config{}), x)
		}
		requireConversation(s, a, b)
		assert.Nil(s, called.end)
		assert.Nil(s, b.end)

		// But they have a limit too.
		third := x.connect(s.open(socket.Config{}).LocalAddrs()...)
		third.until("Up", func() bool { return third.up })
		_, err := x.Connect(s.missingPeer()...)
		assert.ErrorIs(s, err, socket.ErrTooMany)
		assert.ErrorIs(s, auth.Authenticated(first.id), socket.ErrAssoc)
	}},
	{rule: "data goes on when the peer is known", run: func(s *suite) {
		x, y := s.open(socket.Config{UnauthenticatedBuffer: 64 << 10}), s.open(socket.Config{})
		a, b := s.join(y, x)
		there := series(0, 100, 10<<10)
		s.exchange(a, b, copies(there[:50]), nil)
		if auth, ok := x.Socket.(socket.Authenticator); ok {
			require.NoError(s, auth.Authenticated(b.id))
		}
		s.exchange(a, b, copies(there[50:]), nil)
		b.requireReceived(there)
	}},
}
