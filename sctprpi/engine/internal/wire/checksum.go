package wire

import (
	"encoding/binary"
	"hash/crc32"
)

// The processor computes CRC32c itself where it can; hash/crc32 knows how.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// What the checksum field counts as while the checksum is computed.
var zeroField [4]byte

const checksumOffset = 8

// UpdateChecksum returns the CRC32c of what gave crc followed by b. The CRC32c
// of nothing is 0.
func UpdateChecksum(crc uint32, b []byte) uint32 { return crc32.Update(crc, castagnoli, b) }

// SetChecksum computes the checksum of the packet whose bytes are those of
// parts, one after the other, and writes it into the common header. The
// header must be whole in the first part. Nothing is copied.
//
// A packet that may do without a checksum is sent as AppendHeader left it,
// with 0 in the field. Packets with an INIT or COOKIE ECHO chunk never may
// (RFC 9653, section 5.2).
//
// See [RFC 9260, section 6.8] and appendix A.
//
// [RFC 9260, section 6.8]: https://www.rfc-editor.org/rfc/rfc9260#section-6.8
func SetChecksum(parts ...[]byte) {
	field := parts[0][checksumOffset:HeaderSize]
	copy(field, zeroField[:])
	var crc uint32
	for _, part := range parts {
		crc = UpdateChecksum(crc, part)
	}
	putChecksum(field, crc)
}

// VerifyChecksum reports whether the packet b carries its own checksum. With
// zeroAcceptable a packet without one, that is with 0 in the field, will do
// too: for a receiver that has sent the Zero Checksum Acceptable parameter
// and whose condition for it holds ([RFC 9653, section 5.3]). A packet too
// short to have a common header fails.
//
// [RFC 9653, section 5.3]: https://www.rfc-editor.org/rfc/rfc9653#section-5.3
func VerifyChecksum(b []byte, zeroAcceptable bool) bool {
	if len(b) < HeaderSize {
		return false
	}
	field := b[checksumOffset:HeaderSize]
	if zeroAcceptable && [4]byte(field) == zeroField {
		return true
	}
	crc := UpdateChecksum(0, b[:checksumOffset])
	crc = UpdateChecksum(crc, zeroField[:])
	crc = UpdateChecksum(crc, b[HeaderSize:])
	return checksumIn(field) == crc
}

// The checksum is the one field in little-endian order: RFC 9260, appendix A,
// sends the polynomial's coefficients in the order in which a serial link
// would, and hash/crc32 keeps them reflected.
func putChecksum(field []byte, crc uint32) { binary.LittleEndian.PutUint32(field, crc) }
func checksumIn(field []byte) uint32       { return binary.LittleEndian.Uint32(field) }
