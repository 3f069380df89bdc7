package handshake

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"io"
	"net"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

// challengeSize is the length of a challenge in bytes: a nonce and a proof.
const challengeSize = len(seal.ID{}) + sha256.Size

// proof is the proof of one side that it knows the token.
func proof(token []byte, side string, said ...[]byte) []byte {
	mac := hmac.New(sha256.New, token)
	io.WriteString(mac, side)
	for _, b := range said {
		mac.Write(b)
	}
	return mac.Sum(nil)
}

// prove is the dialer's side of a handshake without keys, up to the result.
func (s *Self) prove(nc net.Conn, h Hello) error {
	first := s.greeting(greeting{id: seal.NewID()}, h.To)
	if _, err := nc.Write(first); err != nil {
		return err
	}
	var challenge [challengeSize]byte
	if _, err := io.ReadFull(nc, challenge[:]); err != nil {
		return err
	}
	nonce, theirs := challenge[:len(seal.ID{})], challenge[len(seal.ID{}):]
	if !hmac.Equal(theirs, proof(s.cfg.Token, "acceptor", first, nonce)) {
		return ErrToken
	}
	said := h.append(nil)
	_, err := nc.Write(append(said, proof(s.cfg.Token, "dialer", first, nonce, said)...))
	return err
}

// challenge is the acceptor's side of it. It returns the hello.
func (s *Self) challenge(ctx context.Context, nc net.Conn, g greeting, first []byte) ([]byte, error) {
	if g.mode != 0 || g.suite != 0 || g.resumes {
		return nil, ErrPolicy
	}
	allow(ctx, nc, ProofTime)
	nonce := seal.NewID()
	if _, err := nc.Write(append(nonce[:], proof(s.cfg.Token, "acceptor", first, nonce[:])...)); err != nil {
		return nil, err
	}
	var said [helloSize + sha256.Size]byte
	if _, err := io.ReadFull(nc, said[:]); err != nil {
		return nil, err
	}
	if !hmac.Equal(said[helloSize:], proof(s.cfg.Token, "dialer", first, nonce[:], said[:helloSize])) {
		return nil, ErrToken
	}
	return said[:helloSize], nil
}
