package cookie

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"time"
)

const macSize = sha256.Size

// Signer signs cookies with HMAC-SHA-256 (RFC 2104) and a secret of its own.
type Signer struct {
	random io.Reader
	// keys are the current one and the one before it, each in the place that
	// the lowest bit of its generation names.
	keys       [2]hash.Hash
	generation byte
	// sum is where MACs are computed; it is here so that it need not be
	// allocated.
	sum [macSize]byte
}

// NewSigner returns a Signer that draws its secrets from random, or from
// crypto/rand if that is nil; anything else is for tests that are to be repeated.
// The only errors are those of random.
func NewSigner(random io.Reader) (*Signer, error) {
	if random == nil {
		random = rand.Reader
	}
	s := &Signer{random: random}
	if err := s.Rotate(); err != nil {
		return nil, err
	}
	return s, nil
}

// Rotate draws a new secret to sign with. Cookies that were signed with the one
// before it still open, older ones do not, so the time between two calls must not
// be shorter than cookies live; an hour is what RFC 9260, section 5.1.3, suggests.
// After an error, which is one of the random source, all is as it was.
func (s *Signer) Rotate() error {
	var secret [sha256.Size]byte
	if _, err := io.ReadFull(s.random, secret[:]); err != nil {
		return fmt.Errorf("cookie: drawing a secret: %w", err)
	}
	s.generation++
	s.keys[s.generation%2] = hmac.New(sha256.New, secret[:])
	return nil
}

// Append appends a signed cookie, of MaxSize bytes at most.
func (s *Signer) Append(b []byte, st *State) []byte {
	start := len(b)
	b = append(b, version, s.generation)
	b = appendState(b, st)
	return append(b, s.mac(s.generation, b[start:])...)
}

// Open reads a cookie into st, whose PeerAddrs it reuses. Only what this Signer has
// signed is decoded. The errors are
//
//   - ErrForged: it is not one of this Signer's, or its secret is gone. The packet
//     is to be dropped in silence. What st holds then means nothing.
//   - ErrStale, as a *StaleError: it is, but its life is over. The packet is to be
//     answered with an ERROR chunk, unless the tags in st, which is valid, are
//     those of an association that exists (section 5.2.4, step 3).
//
// Nothing is allocated but what PeerAddrs, an IPv6 zone and a *StaleError take.
func (s *Signer) Open(b []byte, now time.Duration, st *State) error {
	if len(b) < headerSize+macSize || len(b) > MaxSize {
		return ErrForged
	}
	signed, mac := b[:len(b)-macSize], b[len(b)-macSize:]
	generation := signed[1]
	if s.keys[generation%2] == nil || s.generation-generation > 1 {
		return ErrForged
	}
	if !hmac.Equal(mac, s.mac(generation, signed)) {
		return ErrForged
	}
	if signed[0] != version || !parseState(signed[headerSize:], st) {
		return ErrForged
	}
	if late := now - st.Created - st.Life; late > 0 {
		return &StaleError{By: late}
	}
	return nil
}

// mac returns the MAC of b, valid until the next call.
func (s *Signer) mac(generation byte, b []byte) []byte {
	h := s.keys[generation%2]
	h.Reset()
	h.Write(b)
	return h.Sum(s.sum[:0])
}
