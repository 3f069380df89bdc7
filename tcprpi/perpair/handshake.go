package perpair

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
)

// A connection begins with a handshake, in which both sides prove that they
// know the job's token and agree that they can talk:
//
//	dialer → acceptor   hello: magic, byte order, ranks, credit, nonce
//	acceptor → dialer   challenge: nonce, HMAC(token, "acceptor", hello, nonce)
//	dialer → acceptor   proof: HMAC(token, "dialer", hello, nonce)
//	acceptor → dialer   verdict
//
// Nothing that came before the proof is acted upon.
const (
	magic         = "SCTPMPI\x01" // the last byte is the version
	nonceSize     = 16
	helloSize     = len(magic) + 4 + 4 + 4 + 8 + nonceSize
	challengeSize = nonceSize + sha256.Size
)

// verdict is how a handshake ends.
type verdict byte

const (
	welcome verdict = 1 + iota
	// yours: both sides were connecting at the same time, and the connection
	// that the acceptor is making is the one to use.
	yours
	// mismatch: the two processes differ in a setting or a property that must
	// be alike.
	mismatch
	// closedDown: the acceptor has finalized.
	closedDown
)

var (
	errToken    = errors.New("it does not know the job's token: it is not of this job (SCTPMPI_JOB_TOKEN differs)")
	errMismatch = errors.New("it has another byte order or another SCTPMPI_UNEXPECTED_LIMIT: these must be alike in all processes of a job")
	errNotUs    = errors.New("it does not speak this version of the tcp-perpair protocol")
)

// hello is a dialer's first message.
type hello struct {
	from, to matching.Rank
	bigEnd   bool
	share    int64 // eager credit that the process grants each peer
	nonce    [nonceSize]byte
}

func newHello(cfg rpi.Config, to matching.Rank) *hello {
	h := &hello{from: matching.Rank(cfg.Rank), to: to, bigEnd: bigEndian(), share: progression.Share(cfg)}
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
	b = binary.BigEndian.AppendUint64(b, uint64(h.share))
	return append(b, h.nonce[:]...)
}

func (h *hello) decode(b []byte) error {
	if string(b[:len(magic)]) != magic {
		return errNotUs
	}
	b = b[len(magic):]
	h.bigEnd = b[0] == 1
	h.from = matching.Rank(binary.BigEndian.Uint32(b[4:]))
	h.to = matching.Rank(binary.BigEndian.Uint32(b[8:]))
	h.share = int64(binary.BigEndian.Uint64(b[12:]))
	copy(h.nonce[:], b[20:])
	return nil
}

// prove is the proof of one side that it knows the token.
func prove(token []byte, side string, hello, nonce []byte) []byte {
	mac := hmac.New(sha256.New, token)
	io.WriteString(mac, side)
	mac.Write(hello)
	mac.Write(nonce)
	return mac.Sum(nil)
}

// greet is the dialer's side of the handshake.
func greet(rw io.ReadWriter, cfg rpi.Config, peer matching.Rank) (verdict, error) {
	first := newHello(cfg, peer).encode()
	if _, err := rw.Write(first); err != nil {
		return 0, err
	}
	var challenge [challengeSize]byte
	if _, err := io.ReadFull(rw, challenge[:]); err != nil {
		return 0, fmt.Errorf("no answer to the handshake: %w", err)
	}
	nonce, theirs := challenge[:nonceSize], challenge[nonceSize:]
	if !hmac.Equal(theirs, prove(cfg.Token, "acceptor", first, nonce)) {
		return 0, errToken
	}
	if _, err := rw.Write(prove(cfg.Token, "dialer", first, nonce)); err != nil {
		return 0, err
	}
	var v [1]byte
	if _, err := io.ReadFull(rw, v[:]); err != nil {
		return 0, fmt.Errorf("the handshake was cut off: %w", err)
	}
	switch verdict(v[0]) {
	case welcome, yours:
		return verdict(v[0]), nil
	case mismatch:
		return 0, errMismatch
	case closedDown:
		return 0, errors.New("it has finalized")
	}
	return 0, errNotUs
}

// receiveHello is the acceptor's side of the handshake up to the verdict. It
// returns who is there once that is proven.
func receiveHello(rw io.ReadWriter, cfg rpi.Config) (*hello, error) {
	var first [helloSize]byte
	if _, err := io.ReadFull(rw, first[:]); err != nil {
		return nil, err
	}
	h := new(hello)
	if err := h.decode(first[:]); err != nil {
		return nil, err
	}
	var nonce [nonceSize]byte
	rand.Read(nonce[:])
	answer := append(nonce[:], prove(cfg.Token, "acceptor", first[:], nonce[:])...)
	if _, err := rw.Write(answer); err != nil {
		return nil, err
	}
	var proof [sha256.Size]byte
	if _, err := io.ReadFull(rw, proof[:]); err != nil {
		return nil, err
	}
	if !hmac.Equal(proof[:], prove(cfg.Token, "dialer", first[:], nonce[:])) {
		return nil, errToken
	}
	if h.from < 0 || int(h.from) >= cfg.Size || int(h.to) != cfg.Rank || h.from == h.to {
		return nil, fmt.Errorf("rank %d connects to rank %d, this is rank %d of %d", h.from, h.to, cfg.Rank, cfg.Size)
	}
	return h, nil
}

// fits reports whether the dialer's settings allow it to talk with us.
func (h *hello) fits(cfg rpi.Config) bool {
	return h.bigEnd == bigEndian() && h.share == progression.Share(cfg)
}
