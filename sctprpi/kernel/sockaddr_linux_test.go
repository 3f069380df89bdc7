package kernel

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSockaddrsAreReadAsTheyWereWritten(t *testing.T) {
	for _, text := range []string{"127.0.0.1:1", "192.0.2.7:65535", "[2001:db8::1]:5001", "[fe80::1%lo]:80"} {
		want := netip.MustParseAddrPort(text)
		b := appendSockaddr(nil, want)
		got, n := parseSockaddr(append(b, "what follows"...))
		assert.Equal(t, want, got)
		assert.Len(t, b, n)
		for short := range b {
			_, n := parseSockaddr(b[:short])
			assert.Zero(t, n, "%s, of %d bytes", text, short)
		}
	}
	mapped, _ := parseSockaddr(appendSockaddr(nil, netip.MustParseAddrPort("[::ffff:192.0.2.7]:9")))
	assert.Equal(t, netip.MustParseAddrPort("192.0.2.7:9"), mapped)
}
