package kernel

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// sockaddr is an address as the kernel has it.
func sockaddr(a netip.AddrPort) []byte { return sockaddrs(a.Port(), a.Addr()) }

// FuzzSockaddr reads addresses as the kernel has them.
func FuzzSockaddr(f *testing.F) {
	for _, text := range []string{"192.0.2.1:5000", "[2001:db8::1]:5000", "[::ffff:192.0.2.1]:1", "[fe80::1%1]:65535"} {
		f.Add(sockaddr(netip.MustParseAddrPort(text)))
	}
	f.Add([]byte{unix.AF_INET6, 0, 1, 2})
	f.Fuzz(func(t *testing.T, b []byte) {
		addr, n := parseSockaddr(b)
		require.LessOrEqual(t, n, len(b))
		require.Equal(t, n > 0, addr.IsValid())
		if n > 0 {
			again, m := parseSockaddr(sockaddr(addr))
			require.NotZero(t, m)
			require.Equal(t, addr.Port(), again.Port())
			require.Equal(t, addr.Addr().WithZone(""), again.Addr().WithZone(""))
		}
	})
}
