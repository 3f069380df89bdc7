package handshake

import (
	"bytes"
	"encoding/binary"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

const (
	magic     = "SCTPRPI\x07" // the last byte is the version
	helloSize = len(magic) + ProtocolSize + 4 + 4 + 4 + 4 + 8 + 3*len(seal.ID{})

	// ProtocolSize is the greatest length of Terms.Protocol, in bytes.
	ProtocolSize = 16
)

// Hello is an end's first message.
type Hello struct {
	From, To matching.Rank
	// Sender is the ID of the process that says hello, and receiver that of the process that it looks for.
	Sender, receiver seal.ID

	protocol protocolName
	size     uint32
	bigEnd   bool
	setting  int64
	policy   seal.Policy
	aes      bool
	nonce    seal.ID
}

type protocolName [ProtocolSize]byte

func protocol(name string) (p protocolName) {
	copy(p[:], name)
	return p
}

func (p protocolName) String() string { return string(bytes.TrimRight(p[:], "\x00")) }

func bigEndian() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) != 1 }

// Encode returns the message.
func (h *Hello) Encode() []byte {
	b := append(make([]byte, 0, helloSize), magic...)
	b = append(b, h.protocol[:]...)
	b = append(b, flag(h.bigEnd), byte(h.policy), flag(h.aes), 0)
	b = binary.BigEndian.AppendUint32(b, uint32(h.From))
	b = binary.BigEndian.AppendUint32(b, uint32(h.To))
	b = binary.BigEndian.AppendUint32(b, h.size)
	b = binary.BigEndian.AppendUint64(b, uint64(h.setting))
	b = append(b, h.Sender[:]...)
	b = append(b, h.receiver[:]...)
	return append(b, h.nonce[:]...)
}

func flag(set bool) byte {
	if set {
		return 1
	}
	return 0
}

// Decode decodes a message that should be a hello.
func Decode(b []byte) (*Hello, error) {
	if len(b) != helloSize || string(b[:len(magic)]) != magic {
		return nil, errNotUs
	}
	h := new(Hello)
	b = b[len(magic):]
	b = b[copy(h.protocol[:], b):]
	h.bigEnd, h.policy, h.aes = b[0] == 1, seal.Policy(b[1]), b[2] == 1
	if h.policy > seal.AlwaysEncrypt {
		return nil, errNotUs
	}
	h.From = matching.Rank(binary.BigEndian.Uint32(b[4:]))
	h.To = matching.Rank(binary.BigEndian.Uint32(b[8:]))
	h.size = binary.BigEndian.Uint32(b[12:])
	h.setting = int64(binary.BigEndian.Uint64(b[16:]))
	b = b[24:]
	b = b[copy(h.Sender[:], b):]
	b = b[copy(h.receiver[:], b):]
	copy(h.nonce[:], b)
	return h, nil
}
