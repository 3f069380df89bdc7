package shm

import (
	"encoding/binary"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/internal/shm/internal/ring"
)

// What is put into a ring is a record: a header of the size of a frame's, and a body. By the first byte of the header it is
//
//   - a kind of frame (header.Kind): the header of a frame, and as much of its body as the record has, or of several
//     coalesced ones;
//   - such a kind with the bit lent: the header of a frame whose body is lent. The record's body says where it is: the
//     address, and the number of the loan;
//   - more: the next bytes of the frame that has begun before;
//   - returned: the receiver has read the loan whose number is at idOffset;
//   - unreadable: it could not read that one, as the sender has no such memory.
const (
	lent       byte = 0x80
	more       byte = 0x7f
	returned   byte = 0x7e
	unreadable byte = 0x7d
)

const (
	idOffset = 8
	loanSize = 8 + 4
)

type recordHeader = [ring.HeaderSize]byte

// The header of a frame is one.
var _ recordHeader = [header.Size]byte{}

var moreHeader = recordHeader{more}

func returnedHeader(id uint32) recordHeader   { return loanHeader(returned, id) }
func unreadableHeader(id uint32) recordHeader { return loanHeader(unreadable, id) }

// loanHeader is a record about a loan.
func loanHeader(what byte, id uint32) (h recordHeader) {
	h[0] = what
	binary.NativeEndian.PutUint32(h[idOffset:], id)
	return h
}

func idOf(h *recordHeader) uint32 { return binary.NativeEndian.Uint32(h[idOffset:]) }

// putLoan encodes where a body is.
func putLoan(b *[loanSize]byte, address uint64, id uint32) []byte {
	binary.NativeEndian.PutUint64(b[:], address)
	binary.NativeEndian.PutUint32(b[8:], id)
	return b[:]
}

func loanOf(b *[loanSize]byte) (address uint64, id uint32) {
	return binary.NativeEndian.Uint64(b[:]), binary.NativeEndian.Uint32(b[8:])
}
