package wire

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The vectors of RFC 3720, appendix B.4, and the usual check value.
func TestChecksumIsCRC32c(t *testing.T) {
	ascending, descending := make([]byte, 32), make([]byte, 32)
	for i := range ascending {
		ascending[i], descending[31-i] = byte(i), byte(i)
	}
	for _, c := range []struct {
		of   []byte
		want uint32
	}{
		{nil, 0},
		{[]byte("123456789"), 0xe3069283},
		{make([]byte, 32), 0x8a9136aa},
		{bytes.Repeat([]byte{0xff}, 32), 0x62a8ab43},
		{ascending, 0x46dd794e},
		{descending, 0x113fdb5c},
	} {
		assert.Equal(t, c.want, UpdateChecksum(0, c.of))
		half := len(c.of) / 2
		assert.Equal(t, c.want, UpdateChecksum(UpdateChecksum(0, c.of[:half]), c.of[half:]), "in two steps")
	}
}

func TestChecksumOfAGatherListIsThatOfThePacket(t *testing.T) {
	r := newRand(t)
	for range 200 {
		packet := randomBytes(r, HeaderSize, 3000)
		whole := bytes.Clone(packet)
		SetChecksum(whole)
		require.True(t, VerifyChecksum(whole, false))

		first := HeaderSize + r.IntN(len(packet)-HeaderSize+1)
		second := first + r.IntN(len(packet)-first+1)
		SetChecksum(packet[:first], packet[first:second], packet[second:])
		require.Equal(t, whole, packet)
	}
}

func TestAnyFlippedBitIsDetected(t *testing.T) {
	packet := AppendShutdownAck(AppendHeader(nil, Header{5000, 5001, 0xdecade}))
	SetChecksum(packet)
	for bit := range 8 * len(packet) {
		packet[bit/8] ^= 1 << (bit % 8)
		assert.False(t, VerifyChecksum(packet, false), "bit %d", bit)
		packet[bit/8] ^= 1 << (bit % 8)
	}
	assert.True(t, VerifyChecksum(packet, false))
}

// RFC 9653, section 5.3.
func TestZeroChecksumIsTakenOnlyWhereAcceptable(t *testing.T) {
	packet := AppendCookieAck(AppendHeader(nil, Header{5000, 5001, 7}))
	assert.True(t, VerifyChecksum(packet, true))
	assert.False(t, VerifyChecksum(packet, false))
	SetChecksum(packet)
	assert.True(t, VerifyChecksum(packet, true), "a right checksum will do as well")
	packet[checksumOffset]++
	assert.False(t, VerifyChecksum(packet, true), "a wrong one will not")
}

func TestTooShortForAChecksum(t *testing.T) {
	for n := range HeaderSize {
		assert.False(t, VerifyChecksum(make([]byte, n), true), "%d bytes", n)
	}
}
