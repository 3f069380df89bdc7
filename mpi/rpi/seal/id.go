package seal

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
)

// ID names a socket: 128 bits, of which 64 at least are random, drawn when it is opened and never used again.
type ID [16]byte

// NewID draws an ID, all of it random. See Marker for IDs that others recognise.
func NewID() (id ID) {
	rand.Read(id[:]) // never fails
	return id
}

// String returns the ID in hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// Less orders IDs, so that two ends can agree on roles.
func (id ID) Less(other ID) bool { return bytes.Compare(id[:], other[:]) < 0 }

// errID: a text is no ID.
var errID = errors.New("seal: an ID has 32 hexadecimal digits")

// parseID decodes what String returns.
func parseID(text string) (id ID, err error) {
	if len(text) != hex.EncodedLen(len(id)) {
		return id, errID
	}
	if _, err := hex.Decode(id[:], []byte(text)); err != nil {
		return id, errID
	}
	return id, nil
}
