package sockettest

import (
	"errors"
	"net"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// hasty gives up on a silent peer soon.
var hasty = socket.Config{
	RTOInitial: 20 * time.Millisecond, RTOMin: 10 * time.Millisecond, RTOMax: 40 * time.Millisecond,
	InitRetransmissions: 2, PathRetransmissions: 2, AssocRetransmissions: 3, Heartbeat: 20 * time.Millisecond,
}

var refusalTests = []test{
	{rule: "Connect to a missing peer ends with Lost", run: func(s *suite) {
		a := s.open(hasty).connect(s.missingPeer()...)
		end := a.untilEnd()
		require.Equal(s, "Lost", kindName(end.Kind))
		require.False(s, a.up)
		if s.features.Silence {
			require.ErrorIs(s, end.Err, socket.ErrUnreachable)
		}
		_, err := a.send(numbered(0, 0, 1).copied())
		require.ErrorIs(s, err, socket.ErrAssoc)
	}},
	{rule: "Connect to a missing peer can be tried again", run: func(s *suite) {
		x, peer := s.open(hasty), s.missingPeer()
		first := x.connect(peer...)
		first.untilEnd()
		second := x.connect(peer...)
		require.NotEqual(s, first.id, second.id)
		second.untilEnd()
	}},
	{rule: "what was lent to an association that never was comes back unsent", needs: []need{zeroCopy, silence}, run: func(s *suite) {
		x, peer := s.open(hasty), s.missingPeer()
		var a *assoc
		for sent := false; !sent; { // unless it is over before Send
			a = x.connect(peer...)
			_, err := a.send(loans(series(0, 10, 1000))...)
			sent = !errors.Is(err, socket.ErrAssoc)
			a.untilEnd()
		}
		require.Len(s, a.released, 10)
		for _, r := range a.released {
			assert.Equal(s, socket.Unsent, r.outcome)
		}
	}},
	{rule: "Abort gives up the set-up", needs: []need{silence}, run: func(s *suite) {
		a := s.open(socket.Config{}).connect(s.missingPeer()...)
		a.mustSend(loans(series(0, 10, 1000))...)
		require.NoError(s, a.e.Abort(a.id, "enough"))
		require.Equal(s, "Aborted", kindName(a.untilEnd().Kind))
		for _, r := range a.released {
			if s.features.ZeroCopy {
				assert.Equal(s, socket.Unsent, r.outcome)
			}
		}
	}},
	{rule: "RefuseIncoming refuses associations", run: func(s *suite) {
		c := hasty
		c.RefuseIncoming = true
		x, y := s.open(hasty), s.open(c)
		a := x.connect(y.LocalAddrs()...)
		require.Equal(s, "Lost", kindName(a.untilEnd().Kind))
		require.False(s, a.up)
		y.drain()
		require.Empty(s, y.order)
	}},
	{rule: "a socket that refuses incoming associations can begin some", run: func(s *suite) {
		a, b := s.pair(socket.Config{RefuseIncoming: true}, socket.Config{})
		requireConversation(s, a, b)
	}},
	{rule: "a socket has no more associations than it may", run: func(s *suite) {
		x := s.open(socket.Config{MaxAssociations: 1})
		first, second := s.open(socket.Config{}), s.open(hasty)
		a, b := s.join(first, x)
		turned := second.connect(x.LocalAddrs()...)
		require.Equal(s, "Lost", kindName(turned.untilEnd().Kind))
		_, err := x.Connect(second.LocalAddrs()...)
		require.ErrorIs(s, err, socket.ErrTooMany)
		requireConversation(s, a, b)
		require.Len(s, x.order, 1)

		// When it has ended there is room for another.
		require.NoError(s, x.Shutdown(b.id))
		b.untilEnd()
		a.untilEnd()
		s.join(s.open(socket.Config{}), x)
	}},
	{rule: "Connect refuses addresses that are none", run: func(s *suite) {
		x := s.open(socket.Config{})
		good := s.open(socket.Config{}).LocalAddrs()[0]
		portless, elsewhere := good, good
		portless.Port = 0
		elsewhere.Port ^= 1
		for name, addrs := range map[string][]socket.Addr{
			"none":               {},
			"zero":               {{}},
			"without a port":     {portless},
			"without an IP":      {{Port: good.Port, UDP: good.UDP}},
			"one bad of two":     {good, {}},
			"of different ports": {good, elsewhere},
		} {
			id, err := x.Connect(addrs...)
			assert.ErrorIs(s, err, socket.ErrAddr, name)
			assert.Zero(s, id, name)
		}
	}},
}

// missingPeer returns the address of a peer that does not exist and will almost certainly not exist
// while the test runs.
func (s *suite) missingPeer() []socket.Addr {
	s.Helper()
	gone := s.open(socket.Config{})
	addr := gone.LocalAddrs()[0]
	gone.close()
	if s.features.Encapsulation {
		// A UDP port of a socket that never answers.
		conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: addr.IP.AsSlice()})
		require.NoError(s, err)
		s.Cleanup(func() { _ = conn.Close() })
		addr.UDP = conn.LocalAddr().(*net.UDPAddr).AddrPort().Port()
	}
	return []socket.Addr{addr}
}
