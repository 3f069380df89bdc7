package capture

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// RFC 1071, section 3, adds up these bytes by hand.
func TestChecksumOfRFC1071(t *testing.T) {
	assert.Equal(t, uint16(0xddf2), fold(sum(0, []byte{0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7})))
}

// The sum is that of 16-bit words with end-around carry, whatever the length.
func TestChecksumIsThatOfWords(t *testing.T) {
	b := make([]byte, 100)
	for i := range b {
		b[i] = byte(251 - 7*i)
	}
	for n := range len(b) {
		want := uint32(0)
		for i, v := range b[:n] {
			want += uint32(v) << (8 * (1 - i%2))
			want = want>>16 + want&0xFFFF
		}
		assert.Equal(t, uint16(want), fold(sum(0, b[:n])), "%d bytes", n)
	}
}

// A checksum that comes out as 0 is sent as its other form, 0xFFFF (RFC 768): 0
// is for none, and IPv6 does not allow that.
func TestChecksumOfUDPIsNeverZero(t *testing.T) {
	packet := make([]byte, ipv6HeaderSize+udpHeaderSize+2)
	packet[0] = 6 << 4
	// Pseudo-header: length 10 and protocol 17. The payload makes up for them.
	be.PutUint16(packet[ipv6HeaderSize+udpHeaderSize:], 0xFFFF-10-17)
	setUDPChecksum(packet)
	assert.Equal(t, uint16(0xFFFF), be.Uint16(packet[ipv6HeaderSize+6:]))
}
