package sockettest

import (
	"net/netip"
	"slices"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

var homes = []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.AddrFrom4([4]byte{127, 0, 0, 2})}

// RFC 9260, sections 5.1.2 and 6.4.
var multihomingTests = []test{
	{rule: "a socket has the addresses that it was bound to", needs: []need{multihoming}, run: func(s *suite) {
		var ips []netip.Addr
		for _, addr := range s.open(socket.Config{}, homes...).LocalAddrs() {
			ips = append(ips, addr.IP)
		}
		require.ElementsMatch(s, homes, ips)
	}},
	{rule: "each end learns all addresses of the other", needs: []need{multihoming}, run: func(s *suite) {
		x, y := s.open(socket.Config{}, homes...), s.open(socket.Config{}, homes...)
		a := x.connect(y.LocalAddrs()[0]) // one is enough
		a.until("Up", func() bool { return a.up })
		b := y.only()
		for _, end := range []struct {
			of    *assoc
			peers []socket.Addr
		}{{a, y.LocalAddrs()}, {b, x.LocalAddrs()}} {
			var paths []socket.Addr
			primaries := 0
			for _, p := range end.of.status().Paths {
				paths = append(paths, p.Addr)
				if p.Primary {
					primaries++
				}
			}
			assert.ElementsMatch(s, end.peers, paths)
			assert.Equal(s, 1, primaries)
		}
		requireConversation(s, a, b)
	}},
	{rule: "the first address of Connect is the primary path", needs: []need{multihoming}, run: func(s *suite) {
		x, y := s.open(socket.Config{}, homes...), s.open(socket.Config{}, homes...)
		addrs := y.LocalAddrs()
		a := x.connect(addrs[1], addrs[0])
		a.until("Up", func() bool { return a.up })
		assert.Equal(s, addrs[1], a.upAddr)
		for _, p := range a.status().Paths {
			assert.Equal(s, p.Addr == addrs[1], p.Primary, "%v", p.Addr)
		}
	}},
	{rule: "any address of a peer finds its association", needs: []need{multihoming}, run: func(s *suite) {
		x, y := s.open(socket.Config{}, homes...), s.open(socket.Config{}, homes...)
		a, b := s.join(x, y)
		untilConfirmed(s, a, b)
		for _, addr := range y.LocalAddrs() {
			id, err := x.Connect(addr)
			require.NoError(s, err)
			require.Equal(s, a.id, id, "%v", addr)
		}
		for _, addr := range x.LocalAddrs() {
			id, err := y.Connect(addr)
			require.NoError(s, err)
			require.Equal(s, b.id, id, "%v", addr)
		}
	}},
	{rule: "ends with different numbers of addresses go together", needs: []need{multihoming}, run: func(s *suite) {
		a, b := s.join(s.open(socket.Config{}, homes[0]), s.open(socket.Config{}, homes...))
		sent := bySize(3)
		s.exchange(a, b, copies(sent), copies(sent))
		a.requireReceived(sent)
		b.requireReceived(sent)
	}},
	{rule: "Connect of both ends by different addresses makes one association", needs: []need{multihoming}, run: func(s *suite) {
		for range 20 {
			x, y := s.open(socket.Config{}, homes...), s.open(socket.Config{}, homes...)
			a := x.connect(y.LocalAddrs()[1])
			b := y.connect(x.LocalAddrs()[0])
			requireConversation(s, a, b)
			requireOneAssoc(s, x, y)
			x.end()
			y.end()
		}
	}},
}

// untilConfirmed has two ends talk until each has heard the other from all its addresses:
// RFC 9260, section 5.4.
func untilConfirmed(s *suite, a, b *assoc) {
	s.Helper()
	unproven := func(p socket.PathStatus) bool { return !p.Confirmed }
	for deadline := time.Now().Add(s.patience); slices.ContainsFunc(append(a.status().Paths, b.status().Paths...), unproven); {
		require.True(s, time.Now().Before(deadline), "addresses are never confirmed")
		requireConversation(s, a, b)
	}
}
