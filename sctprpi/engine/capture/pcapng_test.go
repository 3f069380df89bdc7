package capture

import (
	"encoding/hex"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// unhex returns the bytes that lines give in hexadecimal, with comments after
// a semicolon.
func unhex(t *testing.T, lines string) []byte {
	t.Helper()
	var digits strings.Builder
	for line := range strings.Lines(lines) {
		code, _, _ := strings.Cut(line, ";")
		digits.WriteString(strings.Join(strings.Fields(code), ""))
	}
	b, err := hex.DecodeString(digits.String())
	require.NoError(t, err)
	return b
}

func TestFileBeginsWithSectionAndInterface(t *testing.T) {
	padded := func(code, s string) string {
		return code + hex.EncodeToString([]byte{byte(len(s)), 0}) +
			hex.EncodeToString([]byte(s+strings.Repeat("\x00", -len(s)&3))) + "\n"
	}
	options := padded("0100", comment) + padded("0200", runtime.GOARCH) + padded("0300", runtime.GOOS) + padded("0400", "farm")
	size := 24 + len(unhex(t, options)) + 4 + 4
	length := hex.EncodeToString(le.AppendUint32(nil, uint32(size)))
	require.Less(t, len(comment), 256)

	want := unhex(t, `
		0a0d0d0a `+length+` ; Section Header Block
		4d3c2b1a 0100 0000  ; byte order, version 1.0
		ffffffffffffffff    ; section of unknown length
		`+options+`
		0000 0000
		`+length+`
		01000000 28000000   ; Interface Description Block
		6500 0000 00000000  ; LINKTYPE_RAW, no snap length
		0200 0300 756470 00 ; name: udp
		0900 0100 09 000000 ; resolution: nanoseconds
		0000 0000
		28000000`)
	assert.Equal(t, hex.EncodeToString(want), hex.EncodeToString(appendHeader(nil, "farm")))
}

func TestPacketOverIPv4(t *testing.T) {
	d := newDatagram(time.Unix(0, 0x0102030405060708), true,
		netip.MustParseAddrPort("192.0.2.1:9899"), netip.MustParseAddrPort("192.0.2.2:5000"),
		[][]byte{{0xaa}, nil, {0xbb, 0xcc, 0xdd, 0xee}})
	want := unhex(t, `
		06000000 50000000 00000000 ; Enhanced Packet Block, interface 0
		04030201 08070605          ; time, high and low half
		21000000 21000000          ; 33 bytes captured, of 33
		45 00 0021 0000 4000 40 11 b6c8 c0000201 c0000202
		26ab 1388 000d 0000        ; UDP, no checksum
		aabbccddee 000000
		0200 0400 01000000         ; flags: inbound
		0000 0000
		50000000`)
	assert.Equal(t, hex.EncodeToString(want), hex.EncodeToString(appendPacket(nil, &d, 0)))
}

func TestPacketOverIPv6(t *testing.T) {
	d := newDatagram(time.Unix(1, 2), false,
		netip.MustParseAddrPort("[2001:db8::1]:9899"), netip.MustParseAddrPort("[2001:db8::2]:5000"),
		[][]byte{{0xaa, 0xbb, 0xcc, 0xdd}})
	want := unhex(t, `
		06000000 6c000000 00000000
		00000000 02ca9a3b
		34000000 34000000
		60 000000 000c 11 40       ; IPv6: length, UDP, hop limit
		20010db8000000000000000000000001
		20010db8000000000000000000000002
		26ab 1388 000c f294        ; UDP
		aabbccdd
		0200 0400 02000000         ; flags: outbound
		0400 0800 0300000000000000 ; three lost before it
		0000 0000
		6c000000`)
	b := appendPacket(nil, &d, 3)
	setChecksums(b)
	assert.Equal(t, hex.EncodeToString(want), hex.EncodeToString(b))
}

func TestStatistics(t *testing.T) {
	want := unhex(t, `
		05000000 34000000 00000000 ; Interface Statistics Block
		00000000 07000000
		0400 0800 0900000000000000 ; nine seen
		0500 0800 0200000000000000 ; two lost
		0000 0000
		34000000`)
	got := appendStatistics(nil, statistics{last: 7, seen: 9, lost: 2})
	assert.Equal(t, hex.EncodeToString(want), hex.EncodeToString(got))
}

// A name is not to break the file.
func TestApplicationThatIsNotUTF8IsMended(t *testing.T) {
	assert.Contains(t, string(appendHeader(nil, "f\xffrm")), "f\uFFFDrm")
}

func TestWholeBlocksAreFoundInWhatWasWritten(t *testing.T) {
	first := appendStatistics(nil, statistics{})
	both := appendStatistics(first, statistics{})
	for n := range both {
		want := 0
		if n >= len(first) {
			want = len(first)
		}
		assert.Equal(t, want, wholeBlocks(both, n), "of %d bytes", n)
	}
	assert.Equal(t, len(both), wholeBlocks(both, len(both)))
}

// maxPacketOverhead is the bound that a chunk's room is reckoned with.
func TestNoPacketTakesMoreThanItsOverhead(t *testing.T) {
	a := netip.MustParseAddrPort("[2001:db8::1]:1")
	longest := 0
	for size := range 8 {
		d := newDatagram(time.Unix(0, 0), true, a, a, [][]byte{make([]byte, size)})
		longest = max(longest, len(appendPacket(nil, &d, 1))-size)
	}
	assert.Equal(t, maxPacketOverhead, longest)
}
