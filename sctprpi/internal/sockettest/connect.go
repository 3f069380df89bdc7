package sockettest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

var connectTests = []test{
	{rule: "all local addresses have one port", run: func(s *suite) {
		addrs := s.open(socket.Config{}).LocalAddrs()
		require.NotEmpty(s, addrs)
		require.NotZero(s, addrs[0].Port)
		for _, addr := range addrs {
			assert.Equal(s, addrs[0].Port, addr.Port)
			assert.True(s, addr.IP.IsLoopback(), "%v", addr)
		}
	}},
	{rule: "Up comes at both ends, with the peer's address", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		assert.Equal(s, b.e.LocalAddrs()[0], a.upAddr)
		assert.Contains(s, a.e.LocalAddrs(), b.upAddr)
		for _, end := range []*assoc{a, b} {
			status, err := end.e.Status(end.id)
			require.NoError(s, err)
			assert.True(s, status.Established)
		}
	}},
	{rule: "messages sent before Up are delivered after it", run: func(s *suite) {
		x, y := s.open(socket.Config{}), s.open(socket.Config{})
		a := x.connect(y.LocalAddrs()...)
		sent := append(series(0, 20, 100), series(1, 20, 3000)...)
		a.mustSend(copies(sent[:20])...)
		a.mustSend(loans(sent[20:])...)
		b := y.only()
		b.untilReceived(len(sent))
		b.requireReceived(sent)
		a.untilReleased()
		for _, r := range a.released {
			assert.Equal(s, socket.Acknowledged, r.outcome)
		}
	}},
	{rule: "a second Connect finds the association (RFC 9260, section 5.2)", run: func(s *suite) {
		x, y := s.open(socket.Config{}), s.open(socket.Config{})
		a := x.connect(y.LocalAddrs()...)
		again, err := x.Connect(y.LocalAddrs()...)
		require.NoError(s, err)
		require.Equal(s, a.id, again, "during set-up")
		a.until("Up", func() bool { return a.up })
		again, err = x.Connect(y.LocalAddrs()...)
		require.NoError(s, err)
		require.Equal(s, a.id, again, "after Up")
		b := y.only()
		again, err = y.Connect(b.upAddr)
		require.NoError(s, err)
		require.Equal(s, b.id, again, "at the end that did not Connect")
	}},
	{rule: "Connect of both ends makes one association (RFC 9260, section 5.2)", run: func(s *suite) {
		for i := range 60 {
			x, y := s.open(socket.Config{}), s.open(socket.Config{})
			var a, b *assoc
			connect := [2]func() error{
				func() (err error) { a, err = x.begin(y); return err },
				func() (err error) { b, err = y.begin(x); return err },
			}
			switch i % 3 {
			case 0:
				require.NoError(s, connect[0]())
				require.NoError(s, connect[1]())
			case 1:
				require.NoError(s, connect[1]())
				require.NoError(s, connect[0]())
			case 2:
				s.together(connect[0], connect[1])
			}
			requireConversation(s, a, b)
			requireOneAssoc(s, x, y)
			x.end()
			y.end()
		}
	}},
	{rule: "an association that has ended gives way to a new one with a new ID", run: func(s *suite) {
		x, y := s.open(socket.Config{}), s.open(socket.Config{})
		ids := make(map[socket.AssocID]bool)
		for range 5 {
			a, _ := s.join(x, y)
			require.False(s, ids[a.id], "ID %d has been used before", a.id)
			ids[a.id] = true
			require.NoError(s, x.Shutdown(a.id))
			x.until("all ends", x.ended)
			y.until("all ends", y.ended)
		}
	}},
	{rule: "both ends send as soon as they Connect", run: func(s *suite) {
		for range 20 {
			x, y := s.open(socket.Config{}), s.open(socket.Config{})
			sent := series(3, 10, 500)
			var a, b *assoc
			s.together(
				func() (err error) {
					if a, err = x.begin(y); err == nil {
						_, err = a.send(copies(sent)...)
					}
					return err
				},
				func() (err error) {
					if b, err = y.begin(x); err == nil {
						_, err = b.send(copies(sent)...)
					}
					return err
				},
			)
			a.untilReceived(len(sent))
			b.untilReceived(len(sent))
			a.requireReceived(sent)
			b.requireReceived(sent)
			requireOneAssoc(s, x, y)
			x.end()
			y.end()
		}
	}},
}

// only waits for the one association that a socket has.
func (e *endpoint) only() *assoc {
	e.s.Helper()
	e.until("an association", func() bool { return len(e.order) > 0 })
	require.Len(e.s, e.order, 1)
	return e.order[0]
}

// begin connects without ending the test when it fails, for goroutines.
func (e *endpoint) begin(peer *endpoint) (*assoc, error) {
	id, err := e.Connect(peer.LocalAddrs()...)
	if err != nil {
		return nil, err
	}
	return e.assoc(id), nil
}

// end closes a socket whose associations shutdownAll leaves out.
func (e *endpoint) end() {
	e.s.Helper()
	e.drain()
	e.close()
}

// requireConversation has a message go each way.
func requireConversation(s *suite, a, b *assoc) {
	s.Helper()
	there, back := len(b.messages), len(a.messages)
	a.mustSend(numbered(0, there, 40).copied())
	b.mustSend(numbered(0, back, 50).copied())
	a.untilReceived(back + 1)
	b.untilReceived(there + 1)
	require.Equal(s, numbered(0, there, 40), b.messages[there])
	require.Equal(s, numbered(0, back, 50), a.messages[back])
}

func requireOneAssoc(s *suite, es ...*endpoint) {
	s.Helper()
	for _, e := range es {
		e.drain()
		require.Len(s, e.order, 1, "associations of %s", e.name)
		require.True(s, e.order[0].up)
		require.Nil(s, e.order[0].end)
	}
}
