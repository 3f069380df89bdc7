package udp

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// bits receives n datagrams and returns their bits of ECN.
func bits(t *testing.T, c *Conn, n int) (list []packet.ECN) {
	batch := make([]packet.Datagram, 8)
	giveUp := time.Now().Add(patience)
	for len(list) < n {
		got, err := c.Receive(batch)
		require.NoError(t, err)
		for _, d := range batch[:got] {
			list = append(list, d.ECN)
			d.Buffer.Release()
		}
		if got == 0 {
			require.True(t, time.Now().Before(giveUp), "%d datagrams of %d came", len(list), n)
			await(c, time.Until(giveUp))
		}
	}
	return list
}

// Packets go out as they say, in GSO batches with others of the kind, and so they are received; without Config.ECN no bits are set or told.
func TestPacketsHaveTheirBitsOfECN(t *testing.T) {
	for _, v := range variants {
		if v.name == "portable" {
			continue
		}
		for name, locals := range map[string][]netip.Addr{
			"IPv4": {loopback4}, "IPv6": {loopback6}, "both": {loopback4, loopback6}, "both, IPv6 first": {loopback6, loopback4},
		} {
			t.Run(v.name+"/"+name, func(t *testing.T) {
				if len(locals) > 1 || locals[0].Is6() {
					needIPv6(t)
				}
				v := v
				v.config.ECN = true
				a, b := v.listen(t, locals...), v.listen(t, locals...)
				v.config.ECN = false
				off := v.listen(t, locals...)
				assert.True(t, a.ECN())
				assert.False(t, off.ECN())
				for _, local := range locals {
					var batch packet.Batch
					var want []packet.ECN
					for i, ecn := range []packet.ECN{packet.ECT0, packet.ECT0, packet.NotECT, packet.NotECT, packet.NotECT, packet.ECT0} {
						add(&batch, packet.Packet{To: netip.AddrPortFrom(local, b.Port()), ECN: ecn}, payload(i, 1000))
						want = append(want, ecn)
					}
					require.NoError(t, a.Send(&batch))
					assert.Equal(t, want, bits(t, b, len(want)))
					require.NoError(t, off.Send(&batch))
					assert.Equal(t, make([]packet.ECN, len(want)), bits(t, b, len(want)), "sent without")
				}
				if calls := a.Stats().SentSegmented; v.name == "system" {
					assert.EqualValues(t, 2*len(locals), calls, "batches of one kind")
				}
			})
		}
	}
}

// A mark of the network is told.
func TestAMarkIsTold(t *testing.T) {
	for name, local := range map[string]netip.Addr{"IPv4": loopback4, "IPv6": loopback6} {
		t.Run(name, func(t *testing.T) {
			family, level, option := unix.AF_INET, unix.SOL_IP, unix.IP_TOS
			if local.Is6() {
				needIPv6(t)
				family, level, option = unix.AF_INET6, unix.SOL_IPV6, unix.IPV6_TCLASS
			}
			fd, err := unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
			require.NoError(t, err)
			defer unix.Close(fd)
			require.NoError(t, unix.SetsockoptInt(fd, level, option, 0xb8|int(packet.CE)))
			for _, c := range []Config{{ECN: true}, {}} {
				to := variant{open: open, config: c}.listen(t, local)
				require.NoError(t, unix.Sendto(fd, []byte("marked"), 0, sockaddr(at(to))))
				want := packet.NotECT
				if c.ECN {
					want = packet.CE
				}
				assert.Equal(t, []packet.ECN{want}, bits(t, to, 1))
			}
		})
	}
}
