package seal

import (
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// version is in all that is derived: another version of this package has other keys.
const version = "sctpmpi seal 1 "

// What keys are derived for. None is the beginning of another one.
const (
	forRecords    = version + "record"
	forHandshake  = version + "noise psk"
	forIdentity   = version + "identity"
	forNext       = version + "next"
	forIDs        = version + "ids"
	forResumption = version + "resumption"
	forConnection = version + "connection"
	forName       = version + "name"
)

// Secret is a key from which others are derived. Use NewSecret, or a handshake.
type Secret struct {
	prk   []byte
	label string
}

// NewSecret makes the Secret of a job's token for the protocol with a name, its version included. A token must be as long
// as a key: all else follows from it, and nothing makes up for one that can be guessed.
func NewSecret(token []byte, protocol string) *Secret {
	return extract(token, protocol)
}

func extract(secret []byte, label string) *Secret {
	prk, err := hkdf.Extract(sha256.New, secret, []byte(version+label))
	if err != nil {
		panic(err) // SHA-256 is approved wherever this runs
	}
	return &Secret{prk, label}
}

// Next returns the Secret of the epoch that follows, for two ends that change their keys without another handshake: on a
// stream both count records. What was sealed before cannot be read with it, but what is sealed afterwards can.
func (s *Secret) Next() *Secret { return s.derive(forNext) }

// derive returns another Secret, which tells nothing of this one.
func (s *Secret) derive(purpose string) *Secret {
	return &Secret{s.expand(purpose, nil, sha256.Size), s.label}
}

// expand derives n bytes for a purpose and what they are bound to.
func (s *Secret) expand(purpose string, bound []byte, n int) []byte {
	key, err := hkdf.Expand(sha256.New, s.prk, purpose+"\x00"+string(bound), n)
	if err != nil {
		panic(err) // more bytes than SHA-256 gives
	}
	return key
}

// Terms are what the keys of records are bound to. Both ends must have the same.
type Terms struct {
	// From seals, To opens.
	From, To ID
	// Epoch counts the Secrets that two sockets have had for this direction: a Secret is for one epoch.
	Epoch uint64
	Mode  Mode
	Suite Suite
}

// Reversed returns the terms of the other direction.
func (t Terms) Reversed() Terms {
	t.From, t.To = t.To, t.From
	return t
}

func (t Terms) encode() []byte {
	b := append(t.From[:], t.To[:]...)
	b = binary.BigEndian.AppendUint64(b, t.Epoch)
	return append(b, byte(t.Mode), byte(t.Suite))
}

// protection returns the AEAD and the iv for terms.
func (s *Secret) protection(t Terms) protection {
	if t.Mode != Auth && t.Mode != Encrypt || !t.Suite.Known() || t.From == t.To {
		panic(fmt.Sprintf("seal: terms that cannot be: %v", t))
	}
	key := s.expand(forRecords, t.encode(), t.Suite.keySize()+nonceSize)
	p := protection{aead: t.Suite.aead(key[:t.Suite.keySize()]), readable: t.Mode == Auth, forgeries: t.Suite.forgeries()}
	copy(p.iv[:], key[t.Suite.keySize():])
	clear(key)
	return p
}

// protection is a key in use.
type protection struct {
	aead      cipher.AEAD
	iv, nonce [nonceSize]byte
	readable  bool
	forgeries uint64
}

// setNonce makes the nonce of a counter.
func (p *protection) setNonce(counter uint64) {
	p.nonce = p.iv
	low := p.nonce[nonceSize-CounterSize:]
	binary.BigEndian.PutUint64(low, binary.BigEndian.Uint64(low)^counter)
}
