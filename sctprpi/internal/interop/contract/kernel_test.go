//go:build !race && linux

package contract

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/sockettest"
	"github.com/sctpmpi/sctpmpi/sctprpi/kernel"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// needKernel has a test run in the lab, unless this host's kernel has SCTP.
func needKernel(tb testing.TB) {
	tb.Helper()
	if kernel.Probe() != nil {
		labtest.InLab(tb)
	}
}

func listen(t testing.TB, c kernel.Config) socket.Socket {
	t.Helper()
	s, err := kernel.Listen(c)
	require.NoError(t, err)
	return s
}

// maker makes sockets that are like c.
func maker(c kernel.Config) sockettest.Maker {
	return func(t testing.TB, sc socket.Config, addrs ...netip.Addr) socket.Socket {
		c := c
		c.Config = sc
		if len(addrs) > 0 {
			c.Addrs = addrs
		}
		return listen(t, c)
	}
}

// features are those of sockets like c.
func features(c kernel.Config) sockettest.Features {
	return sockettest.Features{
		Multihoming: true, Interleaving: true,
		Rebind: func(t testing.TB, sc socket.Config, local socket.Addr) socket.Socket {
			c := c
			c.Config, c.Addrs, c.Port = sc, []netip.Addr{local.IP}, local.Port
			return listen(t, c)
		},
	}
}

func TestSocketContract(t *testing.T) {
	needKernel(t)
	sockettest.Run(t, maker(kernel.Config{}), features(kernel.Config{}))
}

// TestSocketContractUDP takes a kernel that has been told to take SCTP in UDP, as the lab's has.
func TestSocketContractUDP(t *testing.T) {
	labtest.InLab(t)
	c := kernel.Config{Encapsulated: true}
	sockettest.Run(t, maker(c), features(c))
}

// TestSocketContractIPv6 runs what depends on addresses; ::1 is the only one of its
// kind that loopback has.
func TestSocketContractIPv6(t *testing.T) {
	needKernel(t)
	c := kernel.Config{Addrs: []netip.Addr{netip.IPv6Loopback()}}
	f := features(c)
	f.Multihoming = false
	sockettest.Run(t, maker(c), f)
}

func BenchmarkSocket(b *testing.B) {
	needKernel(b)
	sockettest.Benchmark(b, maker(kernel.Config{}))
}
