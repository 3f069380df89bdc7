package engine

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/internal/sockettest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func listen(t testing.TB, c Config) *Socket {
	s, err := Listen(c)
	require.NoError(t, err)
	t.Cleanup(func() { require.Zero(t, s.pool.Lent(), "buffers are lent after Close") })
	return s
}

var features = sockettest.Features{
	Multihoming: true, Interleaving: true, StreamReceive: true, StreamSchedule: true,
	ZeroCopy: true, Silence: true, Encapsulation: true,
	Rebind: func(t testing.TB, c socket.Config, local socket.Addr) socket.Socket {
		return listen(t, Config{Config: c, Addrs: []netip.Addr{local.IP}, UDPPort: local.UDP, Port: local.Port})
	},
}

func TestSocketContract(t *testing.T) {
	for name, c := range map[string]Config{
		"offload":    {},
		"no offload": {NoOffload: true},
	} {
		t.Run(name, func(t *testing.T) {
			sockettest.Run(t, func(t testing.TB, sc socket.Config, addrs ...netip.Addr) socket.Socket {
				config := c
				config.Config, config.Addrs = sc, addrs
				return listen(t, config)
			}, features)
		})
	}
}

func BenchmarkSocket(b *testing.B) {
	sockettest.Benchmark(b, func(t testing.TB, c socket.Config, addrs ...netip.Addr) socket.Socket {
		return listen(t, Config{Config: c, Addrs: addrs})
	})
}
