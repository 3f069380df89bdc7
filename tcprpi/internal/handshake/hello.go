package handshake

import (
	"encoding/binary"

	"github.com/sctpmpi/sctpmpi/matching"
)

// Protocol is the transport that uses the connection.
type Protocol uint8

// The protocols.
const (
	PerPair Protocol = 1 + iota
	PerTRC
)

// Hello is a dialer's first message.
type Hello struct {
	Protocol Protocol
	// Purpose says what the connection is for, in the transport's terms, and
	// so do Tag and Context.
	Purpose  uint8
	From, To matching.Rank
	Tag      matching.Tag
	Context  matching.Context
	// Setting is a value that must be the same at both ends.
	Setting int64

	bigEnd bool
	nonce  [NonceSize]byte
}

const (
	magic = "SCTPMPI\x04" // the last byte is the version

	// Size is the length of an encoded hello in bytes.
	Size = len(magic) + 4 + 4 + 4 + 4 + 8 + 8 + NonceSize
)

func bigEndian() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) != 1 }

// Append appends the encoding of h, Size bytes, to b.
func (h *Hello) Append(b []byte) []byte {
	var order byte
	if bigEndian() {
		order = 1
	}
	b = append(b, magic...)
	b = append(b, byte(h.Protocol), h.Purpose, order, 0)
	b = binary.BigEndian.AppendUint32(b, uint32(h.From))
	b = binary.BigEndian.AppendUint32(b, uint32(h.To))
	b = binary.BigEndian.AppendUint32(b, uint32(h.Tag))
	b = binary.BigEndian.AppendUint64(b, uint64(h.Context))
	b = binary.BigEndian.AppendUint64(b, uint64(h.Setting))
	return append(b, h.nonce[:]...)
}

// Parse decodes the Size bytes of b, and reports whether they are a hello of
// this version.
func (h *Hello) Parse(b []byte) bool {
	if len(b) != Size || string(b[:len(magic)]) != magic {
		return false
	}
	b = b[len(magic):]
	h.Protocol, h.Purpose, h.bigEnd = Protocol(b[0]), b[1], b[2] == 1
	h.From = matching.Rank(binary.BigEndian.Uint32(b[4:]))
	h.To = matching.Rank(binary.BigEndian.Uint32(b[8:]))
	h.Tag = matching.Tag(binary.BigEndian.Uint32(b[12:]))
	h.Context = matching.Context(binary.BigEndian.Uint64(b[16:]))
	h.Setting = int64(binary.BigEndian.Uint64(b[24:]))
	copy(h.nonce[:], b[32:])
	return true
}

// Fits reports whether the dialer can talk with a process of this setting.
func (h *Hello) Fits(setting int64) bool {
	return h.bigEnd == bigEndian() && h.Setting == setting
}
