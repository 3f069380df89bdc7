package udp

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

var (
	second = netip.MustParseAddr("127.0.0.2")
	third  = netip.MustParseAddr("127.0.0.3")
)

func needSecond(t *testing.T) {
	c, err := Listen(new(packet.Pool), 0, []netip.Addr{second}, Config{})
	if err != nil {
		t.Skipf("this machine has no second loopback address: %v", err)
	}
	require.NoError(t, c.Close())
}

// A multihomed socket tells which of its addresses a datagram was sent to, sends from
// the one it is told to, GSO batches as well, and drops what is for none of them.
func TestMultihoming(t *testing.T) {
	needSecond(t)
	each(t, func(t *testing.T, v variant) {
		multi, peer := v.listen(t, loopback4, second), v.listen(t, loopback4)

		var batch packet.Batch
		for i := range 30 {
			to := []netip.Addr{loopback4, second, third}[i/5%3]
			add(&batch, packet.Packet{To: netip.AddrPortFrom(to, multi.Port())}, payload(i, 100))
		}
		require.NoError(t, peer.Send(&batch))
		got := collect(t, multi, 20, 8)
		requireNone(t, multi)
		count := map[netip.Addr]int{}
		for _, r := range got {
			count[r.to]++
		}
		assert.Equal(t, map[netip.Addr]int{loopback4: 10, second: 10}, count)

		batch.Reset()
		var from []netip.Addr
		for i := range 30 {
			from = append(from, multi.LocalAddrs()[i/3%2])
			add(&batch, packet.Packet{From: from[i], To: at(peer)}, payload(i, 100))
		}
		require.NoError(t, multi.Send(&batch))
		for i, r := range collect(t, peer, 30, 8) {
			require.Equal(t, netip.AddrPortFrom(from[i], multi.Port()), r.from)
		}
	})
}

// One socket has addresses of both families.
func TestHomesOfBothFamilies(t *testing.T) {
	needIPv6(t)
	each(t, func(t *testing.T, v variant) {
		multi, peer := v.listen(t, loopback4, loopback6), v.listen(t, loopback6, loopback4)
		for _, local := range []netip.Addr{loopback4, loopback6} {
			for _, from := range []netip.Addr{local, {}} {
				var batch packet.Batch
				var want [][]byte
				for i := range 10 {
					want = append(want, payload(i, 100))
					add(&batch, packet.Packet{From: from, To: netip.AddrPortFrom(local, peer.Port())}, want[i])
				}
				require.NoError(t, multi.Send(&batch))
				got := collect(t, peer, 10, 8)
				requireBytes(t, want, got)
				for _, r := range got {
					require.Equal(t, netip.AddrPortFrom(local, multi.Port()), r.from)
					require.Equal(t, local, r.to)
				}
			}
		}
	})
}

// The unspecified address is all of the host's, IPv6's those of IPv4 as well.
func TestUnspecifiedAddress(t *testing.T) {
	each(t, func(t *testing.T, v variant) {
		t.Run("IPv4", func(t *testing.T) {
			exchange(t, v.listen(t, netip.IPv4Unspecified()), v.listen(t, loopback4), loopback4)
		})
		t.Run("IPv6", func(t *testing.T) {
			needIPv6(t)
			any6 := v.listen(t, netip.IPv6Unspecified())
			exchange(t, any6, v.listen(t, loopback4), loopback4)
			exchange(t, any6, v.listen(t, loopback6), loopback6)
		})
	})
}

// exchange has two Conns send each other a datagram.
func exchange(t *testing.T, a, b *Conn, local netip.Addr) {
	for _, d := range [][2]*Conn{{a, b}, {b, a}} {
		var batch packet.Batch
		add(&batch, packet.Packet{To: netip.AddrPortFrom(local, d[1].Port())}, payload(0, 100))
		require.NoError(t, d[0].Send(&batch))
		got := collect(t, d[1], 1, 1)
		require.Equal(t, netip.AddrPortFrom(local, d[0].Port()), got[0].from)
	}
}
