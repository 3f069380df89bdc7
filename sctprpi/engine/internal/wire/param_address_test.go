package wire

import (
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
)

func randomAddr(r *rand.Rand) netip.Addr {
	if r.IntN(2) == 0 {
		return netip.AddrFrom4([4]byte(randomBytes(r, 4, 4)))
	}
	a := [16]byte(randomBytes(r, 16, 16))
	a[0] |= 1 // not IPv4-mapped
	return netip.AddrFrom16(a)
}

// RFC 9260, sections 3.3.2.1.1 and 3.3.2.1.2.
func TestAddressParameters(t *testing.T) {
	for _, c := range []struct{ addr, bytes string }{
		{"192.0.2.1", "0005 0008 c0000201"},
		{"2001:db8::1", "0006 0014 20010db8 00000000 00000000 00000001"},
	} {
		a := netip.MustParseAddr(c.addr)
		assert.Equal(t, Params(unhex(t, c.bytes)), Params{}.AppendAddress(a))
		got, err := paramOf(t, c.bytes).Address()
		assert.NoError(t, err)
		assert.Equal(t, a, got)
	}
}

// RFC 9260, section 3.3.2.1.2: a sender must not use an IPv4-mapped address.
func TestIPv4MappedAddressGoesAsIPv4(t *testing.T) {
	l := Params{}.AppendAddress(netip.MustParseAddr("::ffff:192.0.2.1"))
	assert.Equal(t, Params(unhex(t, "0005 0008 c0000201")), l)
}

func TestZoneOfAnAddressIsLeftOut(t *testing.T) {
	with, without := netip.MustParseAddr("fe80::1%eth0"), netip.MustParseAddr("fe80::1")
	assert.Equal(t, Params{}.AppendAddress(without), Params{}.AppendAddress(with))
	assert.Empty(t, Params{}.AppendAddress(netip.Addr{}))
}

func TestMalformedAddressParameters(t *testing.T) {
	for _, digits := range []string{
		"0005 0004", "0005 0007 010203", "0005 0009 0102030405",
		"0006 0008 01020304", "0006 0013 000102030405060708090a0b0c0d0e",
		"0005 0014 000102030405060708090a0b0c0d0e0f",
		"0006 0014 00000000 00000000 0000ffff c0000201", // IPv4-mapped
		"000b 0008 41424300",                            // a host name
	} {
		_, err := paramOf(t, digits).Address()
		assert.ErrorIs(t, err, errAddress, digits)
	}
}

// RFC 9260, section 3.3.2.1.5.
func TestSupportedAddressTypes(t *testing.T) {
	types := NumbersOf(ParamIPv4Address, ParamIPv6Address)
	const digits = "000c 0008 0005 0006"
	assert.Equal(t, Params(unhex(t, digits)), Params{}.AppendSupportedAddressTypes(types))
	got, err := paramOf(t, digits).SupportedAddressTypes()
	assert.NoError(t, err)
	assert.Equal(t, types, got)
	_, err = paramOf(t, "000c 0007 0005 00").SupportedAddressTypes()
	assert.ErrorIs(t, err, errAddressTypes)
}
