// Package handshake is how a connection of a TCP transport begins: both sides prove that they know
// the job's token and agree to use the connection.
//
//	dialer → acceptor   hello: magic, protocol, byte order, ranks, setting, nonce,
//	                    and what the connection is for
//	acceptor → dialer   challenge: nonce, HMAC(token, "acceptor", hello, nonce)
//	dialer → acceptor   proof: HMAC(token, "dialer", hello, nonce)
//	acceptor → dialer   result
//
// Nothing that came before the proof has an effect.
package handshake

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

const (
	// NonceSize and ChallengeSize are lengths in bytes.
	NonceSize     = 16
	ChallengeSize = NonceSize + sha256.Size
)

// Result is how a handshake ends.
type Result byte

const (
	Accepted Result = 1 + iota
	// Yours: both sides were connecting at the same time, and the connection
	// that the acceptor is making is the one to use.
	Yours
	// Mismatch: the two processes differ in a setting or a property that must
	// be alike.
	Mismatch
	// ClosedDown: the acceptor has finalized.
	ClosedDown
	// Full: the acceptor has no descriptor for the connection.
	Full
)

// The errors of Initiate, beside those of the connection.
var (
	ErrToken     = errors.New("it does not know the job's token: it is not of this job (SCTPMPI_JOB_TOKEN differs)")
	ErrMismatch  = errors.New("it has another byte order or another SCTPMPI_UNEXPECTED_LIMIT: these must be alike in all processes of a job")
	ErrNotUs     = errors.New("it does not speak this version of the transport's protocol")
	ErrFinalized = errors.New("it has finalized")
	// ErrCut is worth another attempt: a process with too many connections in their handshake
	// closes some.
	ErrCut = errors.New("no answer to the handshake")
)

func cut(err error) error { return fmt.Errorf("%w: %w", ErrCut, err) }

// Final reports whether err, from Initiate, is final: another attempt would fail in the same way.
func Final(err error) bool {
	return errors.Is(err, ErrToken) || errors.Is(err, ErrMismatch) || errors.Is(err, ErrNotUs)
}

// Prove is the proof of one side that it knows the token.
func Prove(token []byte, side string, hello, nonce []byte) []byte {
	mac := hmac.New(sha256.New, token)
	io.WriteString(mac, side)
	mac.Write(hello)
	mac.Write(nonce)
	return mac.Sum(nil)
}

// Initiate is the dialer's side of the handshake. Without an error the result
// is Accepted, Yours or Full.
func Initiate(rw io.ReadWriter, token []byte, h Hello) (Result, error) {
	rand.Read(h.nonce[:]) // never fails
	first := h.Append(nil)
	if _, err := rw.Write(first); err != nil {
		return 0, cut(err)
	}
	var challenge [ChallengeSize]byte
	if _, err := io.ReadFull(rw, challenge[:]); err != nil {
		return 0, cut(err)
	}
	nonce, theirs := challenge[:NonceSize], challenge[NonceSize:]
	if !hmac.Equal(theirs, Prove(token, "acceptor", first, nonce)) {
		return 0, ErrToken
	}
	if _, err := rw.Write(Prove(token, "dialer", first, nonce)); err != nil {
		return 0, cut(err)
	}
	var v [1]byte
	if _, err := io.ReadFull(rw, v[:]); err != nil {
		return 0, cut(err)
	}
	switch Result(v[0]) {
	case Accepted, Yours, Full:
		return Result(v[0]), nil
	case Mismatch:
		return 0, ErrMismatch
	case ClosedDown:
		return 0, ErrFinalized
	}
	return 0, ErrNotUs
}

// Receive is the acceptor's side of the handshake up to the result. It returns the peer's rank and
// purpose once that is proven: another rank of the job that means to talk to this one. Any other
// hello is not answered: a proof by this process in the name of another rank would help an attacker
// to impersonate that rank.
func Receive(ctx context.Context, rw net.Conn, cfg rpi.Config, protocol Protocol) (Hello, error) {
	allow(ctx, rw, HelloTime)
	var first [Size]byte
	if _, err := io.ReadFull(rw, first[:]); err != nil {
		return Hello{}, err
	}
	var h Hello
	if !h.Parse(first[:]) || h.Protocol != protocol {
		return Hello{}, ErrNotUs
	}
	if h.From < 0 || int(h.From) >= cfg.Size || int(h.To) != cfg.Rank || h.From == h.To {
		return Hello{}, fmt.Errorf("rank %d connects to rank %d, this is rank %d of %d", h.From, h.To, cfg.Rank, cfg.Size)
	}
	allow(ctx, rw, ProofTime)
	var nonce [NonceSize]byte
	rand.Read(nonce[:])
	answer := append(nonce[:], Prove(cfg.Token, "acceptor", first[:], nonce[:])...)
	if _, err := rw.Write(answer); err != nil {
		return Hello{}, err
	}
	var proof [sha256.Size]byte
	if _, err := io.ReadFull(rw, proof[:]); err != nil {
		return Hello{}, err
	}
	if !hmac.Equal(proof[:], Prove(cfg.Token, "dialer", first[:], nonce[:])) {
		return Hello{}, ErrToken
	}
	return h, nil
}
