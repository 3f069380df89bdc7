package sctprpi

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
)

// An association begins with a handshake on stream 0. It is the same for both ends, since both may
// have begun the association:
//
//	hello    magic, byte order, ranks, job size, credit, nonce
//	proof    HMAC(token, our hello, the peer's hello)
//	result   once the peer's proof has been verified
//
// The end that began the association sends its hello at once, the other one in answer to it. A
// proof answers a hello, and a result answers a proof. An end accepts frames after it has sent its
// result, and sends frames after it has received the peer's result. So no frame has to be kept
// before its sender is authenticated, even if its stream overtakes the handshake. That costs half a
// round trip, once for each pair of processes.
const (
	magic     = "SCTPRPI\x03" // the last byte is the version
	nonceSize = 16
	helloSize = len(magic) + 4 + 4 + 4 + 4 + 8 + nonceSize
)

// result is how a handshake ends.
type result byte

const (
	accepted result = 1 + iota
	// another: both ends were making an association, and this is not the one to use. SCTP could not
	// know that they belong together.
	another
	// mismatch: the two processes differ in a setting that must be the same.
	mismatch
	// closedDown: the process has finalized, or has given up the peer.
	closedDown
	resultEnd
)

var (
	errToken     = errors.New("it does not know the job's token: it is not of this job (SCTPMPI_JOB_TOKEN differs)")
	errMismatch  = errors.New("it has another byte order, job size or SCTPMPI_UNEXPECTED_LIMIT: these must be alike in all processes of a job")
	errNotUs     = errors.New("it does not speak this version of the SCTP transport's protocol")
	errFinalized = errors.New("it has finalized")
)

// hello is an end's first message.
type hello struct {
	from, to matching.Rank
	size     uint32
	bigEnd   bool
	share    int64 // eager credit that the process grants each peer
	nonce    [nonceSize]byte
}

func newHello(cfg rpi.Config, to matching.Rank) *hello {
	h := &hello{
		from: matching.Rank(cfg.Rank), to: to, size: uint32(cfg.Size),
		bigEnd: bigEndian(), share: progression.Share(cfg),
	}
	rand.Read(h.nonce[:]) // never fails
	return h
}

func bigEndian() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) != 1 }

func (h *hello) encode() []byte {
	b := append(make([]byte, 0, helloSize), magic...)
	var order [4]byte
	if h.bigEnd {
		order[0] = 1
	}
	b = append(b, order[:]...)
	b = binary.BigEndian.AppendUint32(b, uint32(h.from))
	b = binary.BigEndian.AppendUint32(b, uint32(h.to))
	b = binary.BigEndian.AppendUint32(b, h.size)
	b = binary.BigEndian.AppendUint64(b, uint64(h.share))
	return append(b, h.nonce[:]...)
}

func decodeHello(b []byte) (*hello, error) {
	if len(b) != helloSize || string(b[:len(magic)]) != magic {
		return nil, errNotUs
	}
	b = b[len(magic):]
	h := &hello{
		bigEnd: b[0] == 1,
		from:   matching.Rank(binary.BigEndian.Uint32(b[4:])),
		to:     matching.Rank(binary.BigEndian.Uint32(b[8:])),
		size:   binary.BigEndian.Uint32(b[12:]),
		share:  int64(binary.BigEndian.Uint64(b[16:])),
	}
	copy(h.nonce[:], b[24:])
	return h, nil
}

// fits reports whether the peer's settings agree with those of this process.
func (h *hello) fits(cfg rpi.Config) bool {
	return h.bigEnd == bigEndian() && h.share == progression.Share(cfg) && h.size == uint32(cfg.Size)
}

// addressed checks that a hello is from another process of the job to this one.
func (h *hello) addressed(cfg rpi.Config) error {
	if h.from < 0 || int(h.from) >= cfg.Size || int(h.to) != cfg.Rank || h.from == h.to {
		return fmt.Errorf("it says to be rank %d and looks for rank %d, this is rank %d of %d", h.from, h.to, cfg.Rank, cfg.Size)
	}
	return nil
}

// prove is the proof of the end that sent the hello own that it knows the token. It covers the
// nonces of both ends, so that it is valid for this association only.
func prove(token []byte, own, others *hello) []byte {
	mac := hmac.New(sha256.New, token)
	mac.Write(own.encode())
	mac.Write(others.encode())
	return mac.Sum(nil)
}
