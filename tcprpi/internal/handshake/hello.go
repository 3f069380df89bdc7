package handshake

import (
	"encoding/binary"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

// Protocol is the transport that uses the connection.
type Protocol uint8

// The protocols.
const (
	PerPair Protocol = 1 + iota
	PerTRC
)

// Hello is what a dialer asks for, when both ends have proven that they belong to the job.
type Hello struct {
	From, To matching.Rank
	// Purpose says what the connection is for, in the transport's terms, and
	// so do Tag and Context.
	Purpose uint8
	Tag     matching.Tag
	Context matching.Context
	// Setting is a value that must be the same at both ends.
	Setting int64
	// Number is the transport's for this attempt to connect. After is that of a connection before it, 0 if there is none.
	Number, After uint32

	bigEnd bool
}

// Fits reports whether the dialer can talk with a process of this setting.
func (h *Hello) Fits(setting int64) bool {
	return h.bigEnd == bigEndian() && h.Setting == setting
}

func bigEndian() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) != 1 }

const helloSize = 1 + 1 + 2 + 4 + 8 + 8 + 4 + 4

// append appends the encoding of h, helloSize bytes, but for the ranks: these are in the greeting.
func (h *Hello) append(b []byte) []byte {
	var order byte
	if bigEndian() {
		order = 1
	}
	b = append(b, h.Purpose, order, 0, 0)
	b = binary.BigEndian.AppendUint32(b, uint32(h.Tag))
	b = binary.BigEndian.AppendUint64(b, uint64(h.Context))
	b = binary.BigEndian.AppendUint64(b, uint64(h.Setting))
	b = binary.BigEndian.AppendUint32(b, h.Number)
	return binary.BigEndian.AppendUint32(b, h.After)
}

// parse decodes the helloSize bytes of b.
func (h *Hello) parse(b []byte) {
	h.Purpose, h.bigEnd = b[0], b[1] == 1
	h.Tag = matching.Tag(binary.BigEndian.Uint32(b[4:]))
	h.Context = matching.Context(binary.BigEndian.Uint64(b[8:]))
	h.Setting = int64(binary.BigEndian.Uint64(b[16:]))
	h.Number = binary.BigEndian.Uint32(b[24:])
	h.After = binary.BigEndian.Uint32(b[28:])
}

// greeting is how a dialer begins.
type greeting struct {
	protocol Protocol
	// mode is 0 if nothing is sealed. Then id is random, else it is the dialer's.
	mode           seal.Mode
	suite          seal.Suite
	resumes        bool  // the connection is one of a Session, which id names
	from, to, size int32 // ranks, and how many there are
	id             seal.ID
}

const (
	magic = "SCTPMPI\x09" // the last byte is the version

	greetingSize = len(magic) + 4 + 3*4 + len(seal.ID{})
)

// append appends the encoding of g, greetingSize bytes, to b.
func (g *greeting) append(b []byte) []byte {
	b = append(b, magic...)
	var resumes byte
	if g.resumes {
		resumes = 1
	}
	b = append(b, byte(g.protocol), byte(g.mode), byte(g.suite), resumes)
	for _, n := range [...]int32{g.from, g.to, g.size} {
		b = binary.BigEndian.AppendUint32(b, uint32(n))
	}
	return append(b, g.id[:]...)
}

// parse decodes the greetingSize bytes of b, and reports whether they are a greeting of this version.
func (g *greeting) parse(b []byte) bool {
	if string(b[:len(magic)]) != magic {
		return false
	}
	b = b[len(magic):]
	g.protocol, g.mode, g.suite, g.resumes = Protocol(b[0]), seal.Mode(b[1]), seal.Suite(b[2]), b[3] == 1
	for i, n := range [...]*int32{&g.from, &g.to, &g.size} {
		*n = int32(binary.BigEndian.Uint32(b[4+4*i:]))
	}
	copy(g.id[:], b[16:])
	return b[3] <= 1
}
