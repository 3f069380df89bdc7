package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/subtle"
)

// markSize is how many bytes of a marked ID follow from the others and the Secret.
const markSize = 8

// Marker makes IDs that a process with the same Secret tells from others before it derives a key for one, in some ten nanoseconds. So a
// flood of made-up IDs costs it little. Of a marked ID 64 bits are random, and 64 are a MAC over these. It says that a process with the
// Secret has drawn the ID, and not who has sent it: IDs can be read on the way.
//
// The MAC is AES of one block, on every processor. Where that has no instructions for it, its timing may tell the key, with which one can
// make such a flood and nothing else.
type Marker struct {
	block cipher.Block
	out   [aes.BlockSize]byte
}

// Marker returns the one of a Secret, for one goroutine at a time.
func (s *Secret) Marker() *Marker {
	block, err := aes.NewCipher(s.expand(forIDs, nil, 16))
	if err != nil {
		panic(err) // the key is one of AES-128
	}
	return &Marker{block: block}
}

// NewID draws an ID.
func (m *Marker) NewID() (id ID) {
	rand.Read(id[:len(id)-markSize]) // never fails
	copy(id[len(id)-markSize:], m.mark(id))
	return id
}

// Marked reports whether NewID has drawn an ID, here or elsewhere.
func (m *Marker) Marked(id ID) bool {
	return subtle.ConstantTimeCompare(m.mark(id), id[len(id)-markSize:]) == 1
}

// mark returns the MAC over the random bytes of an ID, until the next call.
func (m *Marker) mark(id ID) []byte {
	clear(id[len(id)-markSize:])
	m.out = id
	m.block.Encrypt(m.out[:], m.out[:])
	return m.out[:markSize]
}
