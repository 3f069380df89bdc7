package guard

import (
	"encoding/binary"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

// headerSize is what a datagram has before its packet, in bytes.
const headerSize = 4 + len(seal.ID{}) + seal.CounterSize

// The first byte: a version, and flags.
const (
	version    = 0x50
	versionBit = 0xf8
	control    = 1 // for the guard itself
	encrypted  = 2 // seal.Encrypt, else seal.Auth
	chacha     = 4 // seal.ChaCha20Poly1305, else seal.AES128GCM
)

// maxEpoch is the last epoch that a header has room for. A session that gets there keeps its keys.
const maxEpoch = 1<<24 - 1

// header is what can be read of a datagram.
type header struct {
	control bool
	mode    seal.Mode
	suite   seal.Suite
	epoch   uint32
	from    seal.ID
	counter uint64
}

// put writes the header, but for the counter, which is the sealer's to write.
func (h *header) put(b []byte) {
	first := uint32(version)
	if h.control {
		first |= control
	}
	if h.mode == seal.Encrypt {
		first |= encrypted
	}
	if h.suite == seal.ChaCha20Poly1305 {
		first |= chacha
	}
	binary.BigEndian.PutUint32(b, first<<24|h.epoch)
	copy(b[4:], h.from[:])
}

// parse reads a header. Nothing in it is to be trusted until the datagram has been opened.
func parse(b []byte) (h header, ok bool) {
	if len(b) < headerSize || b[0]&versionBit != version {
		return h, false
	}
	h = header{control: b[0]&control != 0, mode: seal.Auth, suite: seal.AES128GCM, epoch: binary.BigEndian.Uint32(b) & maxEpoch}
	if b[0]&encrypted != 0 {
		h.mode = seal.Encrypt
	}
	if b[0]&chacha != 0 {
		h.suite = seal.ChaCha20Poly1305
	}
	copy(h.from[:], b[4:])
	h.counter = binary.BigEndian.Uint64(b[headerSize-seal.CounterSize:])
	return h, true
}
