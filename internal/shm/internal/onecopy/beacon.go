package onecopy

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
)

const nonceSize = 16

// BeaconSize is the length of what Beacon.Encode returns, in bytes.
const BeaconSize = 8 + nonceSize

// Beacon is memory that peers read to find out whether they can.
type Beacon struct {
	nonce *[nonceSize]byte
	pin   Pin
}

// NewBeacon makes a beacon, to be closed.
func NewBeacon() *Beacon {
	b := &Beacon{nonce: new([nonceSize]byte)}
	rand.Read(b.nonce[:]) // never fails
	b.pin.Announce(b.nonce[:])
	return b
}

// Encode returns what the peer must know: the address, and what is there.
func (b *Beacon) Encode() []byte {
	return append(binary.BigEndian.AppendUint64(nil, b.pin.Address()), b.nonce[:]...)
}

// Close lets the memory go. A peer that probes after that gets ErrProbe, mostly.
func (b *Beacon) Close() { b.pin.Release() }

// Probe reads the peer's beacon, of which encoded is what the peer has said. Without an error Read works, and reads the memory
// of the process that has said it.
func (r *Reader) Probe(encoded []byte) error {
	if len(encoded) != BeaconSize {
		return ErrProbe
	}
	var nonce [nonceSize]byte
	if _, err := r.Read(nonce[:], binary.BigEndian.Uint64(encoded)); err != nil {
		return err
	}
	if !bytes.Equal(nonce[:], encoded[8:]) {
		return ErrProbe
	}
	return nil
}
