package seal

import (
	"encoding/binary"
	"errors"
	"sync"
)

// CounterSize is the length of the counter at the end of a record's header, in bytes.
const CounterSize = 8

// Limit is how many records a Sealer seals. With records of 64 KiB an attacker who has seen all of them tells AES-GCM from
// a random function with an advantage of 2^-49 (RFC 9001, appendix B.1.1). Change the key long before.
const Limit = 1 << 27

// Errors of records. What has caused one must be dropped without an answer.
var (
	ErrShort    = errors.New("seal: a record is too short")
	ErrForged   = errors.New("seal: a record was changed, or sealed with another key")
	ErrReplayed = errors.New("seal: a record came before, or far too late")
	// ErrSpent: a key has been used as often as it may be.
	ErrSpent = errors.New("seal: the key is spent")
)

// Sealer seals records. It owns its key and counter, so that no nonce is ever used twice: see Secret.Sealer. Any goroutine
// may use it.
type Sealer struct {
	mu   sync.Mutex
	key  protection
	next uint64
}

// Sealer returns the Sealer for terms. Make one only for the same Secret and terms: two would use each nonce twice.
func (s *Secret) Sealer(t Terms) *Sealer { return &Sealer{key: s.protection(t)} }

// Seal makes a record of a header and a payload, which b has one after the other: it writes the counter into the last
// CounterSize bytes of the header, encrypts the payload in place, and appends the tag. It allocates nothing if b has room
// for the tag. It fails with ErrSpent after Limit records.
func (s *Sealer) Seal(b []byte, header int) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next >= Limit {
		return nil, ErrSpent
	}
	binary.BigEndian.PutUint64(b[header-CounterSize:header], s.next)
	s.key.setNonce(s.next)
	s.next++
	if s.key.readable {
		return s.key.aead.Seal(b, s.key.nonce[:], nil, b), nil
	}
	return s.key.aead.Seal(b[:header], s.key.nonce[:], b[header:], b[:header]), nil
}

// Sealed returns how many records the Sealer has made: the counter of the next one.
func (s *Sealer) Sealed() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.next
}

// Opener opens records, each once. Use Secret.Opener. Any goroutine may use it.
type Opener struct {
	mu     sync.Mutex
	key    protection
	window window
	forged uint64
}

// Opener returns the Opener for terms.
func (s *Secret) Opener(t Terms) *Opener { return &Opener{key: s.protection(t)} }

// Open verifies a record with a header of a given length and decrypts its payload in place. The payload is a part of b.
// Records may come in any order, within Window. Those that are not genuine change nothing, but b.
func (o *Opener) Open(b []byte, header int) (payload []byte, err error) {
	return o.openAs(b, header, inWindow)
}

// OpenUnseen is Open for records whose headers say where they belong, so that the caller knows that a record has not been
// opened: in any order, without a Window.
func (o *Opener) OpenUnseen(b []byte, header int) (payload []byte, err error) {
	return o.openAs(b, header, unseen)
}

// OpenNext is Open for a stream, whose records must all arrive in the order in which they were sealed.
func (o *Opener) OpenNext(b []byte, header int) (payload []byte, err error) {
	return o.openAs(b, header, inOrder)
}

// order says which records an Opener takes, by their counters.
type order uint8

const (
	inWindow order = iota // those that have not come before
	inOrder               // the next one
	unseen                // any: the caller knows
)

// openAs opens a record, if it may come now.
func (o *Opener) openAs(b []byte, header int, which order) (payload []byte, err error) {
	if len(b) < header+TagSize {
		return nil, ErrShort
	}
	counter := binary.BigEndian.Uint64(b[header-CounterSize : header])
	o.mu.Lock()
	defer o.mu.Unlock()
	if which != unseen && !o.window.fresh(counter) || which == inOrder && counter != o.window.next {
		return nil, ErrReplayed
	}
	if payload, err = o.open(b, header, counter); err == nil && which != unseen {
		o.window.mark(counter)
	}
	return payload, err
}

// open verifies a record that has not been opened yet.
func (o *Opener) open(b []byte, header int, counter uint64) (payload []byte, err error) {
	if counter >= Limit || o.forged >= o.key.forgeries {
		return nil, ErrSpent
	}
	o.key.setNonce(counter)
	if o.key.readable {
		signed, tag := b[:len(b)-TagSize], b[len(b)-TagSize:]
		payload = signed[header:]
		_, err = o.key.aead.Open(tag[:0], o.key.nonce[:], tag, signed)
	} else {
		payload, err = o.key.aead.Open(b[header:header], o.key.nonce[:], b[header:], b[:header])
	}
	if err != nil {
		o.forged++
		return nil, ErrForged
	}
	return payload[:len(payload):len(payload)], nil
}
