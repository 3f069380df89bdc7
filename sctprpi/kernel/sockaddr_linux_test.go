package kernel

import (
	"net"
	"net/netip"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestSockaddrsAreReadAsTheyWereWritten(t *testing.T) {
	for _, text := range []string{"127.0.0.1:1", "192.0.2.7:65535", "[2001:db8::1]:5001", "[fe80::1%lo]:80"} {
		want := netip.MustParseAddrPort(text)
		b := sockaddrs(want.Port(), want.Addr())
		got, n := parseSockaddr(append(b, "what follows"...))
		assert.Equal(t, want, got)
		assert.Len(t, b, n)
		for short := range b {
			_, n := parseSockaddr(b[:short])
			assert.Zero(t, n, "%s, of %d bytes", text, short)
		}
	}
}

func TestAMappedAddressIsOneOfIPv4(t *testing.T) {
	b := sockaddrs(9, netip.MustParseAddr("::ffff:192.0.2.7"))
	require.Len(t, b, unix.SizeofSockaddrInet4)
	got, _ := parseSockaddr(b)
	assert.Equal(t, netip.MustParseAddrPort("192.0.2.7:9"), got)
}

func TestAZoneMayBeANumber(t *testing.T) {
	lo, err := net.InterfaceByName("lo")
	require.NoError(t, err)
	got, _ := parseSockaddr(sockaddrs(80, netip.MustParseAddr("fe80::1").WithZone(strconv.Itoa(lo.Index))))
	assert.Equal(t, netip.MustParseAddrPort("[fe80::1%lo]:80"), got)
}

func TestAddressesOfBothFamiliesAreOneList(t *testing.T) {
	want := []netip.Addr{netip.MustParseAddr("192.0.2.7"), netip.MustParseAddr("2001:db8::1"), netip.MustParseAddr("192.0.2.8")}
	b := sockaddrs(80, want...)
	for _, ip := range want {
		got, n := parseSockaddr(b)
		assert.Equal(t, netip.AddrPortFrom(ip, 80), got)
		b = b[n:]
	}
	assert.Empty(t, b)
}
