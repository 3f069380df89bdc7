package udp

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
)

// An address is the same after it has been through the kernel's form, and plain IPv4
// if it was mapped into IPv6. Link-local ones keep their zone.
func TestSocketAddresses(t *testing.T) {
	for _, c := range []struct {
		addr       string
		ipv4, ipv6 string // what comes of it on a socket of that family
	}{
		{"127.0.0.1:1", "127.0.0.1:1", "127.0.0.1:1"},
		{"[::ffff:127.0.0.1]:258", "127.0.0.1:258", "127.0.0.1:258"},
		{"[2001:db8::1]:65535", "", "[2001:db8::1]:65535"},
		{"[fe80::1%lo]:9899", "", "[fe80::1%lo]:9899"},
		{"[fe80::1%123456]:9899", "", "[fe80::1%123456]:9899"},
	} {
		for want, ipv6 := range map[string]bool{"v4" + c.ipv4: false, "v6" + c.ipv6: true} {
			var n name
			length := n.put(netip.MustParseAddrPort(c.addr), ipv6)
			if want == "v4" {
				assert.Zero(t, length, "%s on IPv4", c.addr)
				continue
			}
			assert.NotZero(t, length)
			assert.Equal(t, want[2:], n.get().String())
		}
	}
	var n name
	assert.Zero(t, n.put(netip.AddrPort{}, true))
}
