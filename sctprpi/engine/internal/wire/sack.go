package wire

import (
	"encoding/binary"
	"iter"
	"math"
)

const sackHeaderSize = 16

// SACK acknowledges all TSNs up to CumulativeTSN, and those in GapBlocks.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+---------------+-------------------------------+
//	|   Type = 3    |  Chunk Flags  |         Chunk Length          |
//	+---------------+---------------+-------------------------------+
//	|                      Cumulative TSN Ack                       |
//	+---------------------------------------------------------------+
//	|          Advertised Receiver Window Credit (a_rwnd)           |
//	+-------------------------------+-------------------------------+
//	| Number of Gap Ack Blocks = N  |  Number of Duplicate TSNs = M |
//	+-------------------------------+-------------------------------+
//	|    Gap Ack Block #1 Start     |     Gap Ack Block #1 End      |
//	+-------------------------------+-------------------------------+
//	\                        ... up to block N                      \
//	+---------------------------------------------------------------+
//	|                        Duplicate TSN 1                        |
//	+---------------------------------------------------------------+
//	\                         ... up to TSN M                       \
//	+---------------------------------------------------------------+
//
// See [RFC 9260, section 3.3.4].
//
// [RFC 9260, section 3.3.4]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.4
type SACK struct {
	CumulativeTSN TSN
	// Window is the sender's free receive buffer in bytes.
	Window    uint32
	GapBlocks GapBlocks
	// Duplicates are TSNs that came again since the last SACK, each as often
	// as it did.
	Duplicates Numbers[TSN]
}

// SACKRoom returns how many gap ack blocks and duplicate TSNs together, being
// of one size, a SACK chunk in room bytes of a packet can hold; negative if
// not even the chunk itself fits.
func SACKRoom(room int) int { return (min(room, math.MaxUint16) - sackHeaderSize) >> 2 }

// AppendSACK appends a SACK chunk. The caller keeps it within the packet by
// SACKRoom.
func AppendSACK(b []byte, s *SACK) []byte {
	start := len(b)
	b = openChunk(b, TypeSACK, 0)
	b = binary.BigEndian.AppendUint32(b, uint32(s.CumulativeTSN))
	b = binary.BigEndian.AppendUint32(b, s.Window)
	b = binary.BigEndian.AppendUint16(b, uint16(s.GapBlocks.Len()))
	b = binary.BigEndian.AppendUint16(b, uint16(s.Duplicates.Len()))
	b = append(b, s.GapBlocks...)
	b = append(b, s.Duplicates...)
	return closeChunk(b, start)
}

var (
	errSACKLength = violation("SACK chunk length does not match its numbers of gap ack blocks and duplicate TSNs")
	errGapBlock   = violation("SACK chunk with a gap ack block that ends before it starts or starts at 0")
)

// ParseSACK decodes a SACK chunk. That the blocks are ascending and apart, and
// that what they acknowledge was ever sent, is for the association to check.
func ParseSACK(c Chunk) (SACK, error) {
	raw := c.raw
	if len(raw) < sackHeaderSize {
		return SACK{}, errSACKLength
	}
	gaps := 4 * int(binary.BigEndian.Uint16(raw[12:]))
	dups := 4 * int(binary.BigEndian.Uint16(raw[14:]))
	lists := raw[sackHeaderSize:]
	if len(lists) != gaps+dups {
		return SACK{}, errSACKLength
	}
	s := SACK{
		CumulativeTSN: TSN(binary.BigEndian.Uint32(raw[4:])),
		Window:        binary.BigEndian.Uint32(raw[8:]),
		GapBlocks:     GapBlocks(lists[:gaps:gaps]),
		Duplicates:    Numbers[TSN](lists[gaps:]),
	}
	for g := range s.GapBlocks.All() {
		if g.Start == 0 || g.End < g.Start {
			return SACK{}, errGapBlock
		}
	}
	return s, nil
}

// GapBlock is a run of received TSNs, as distances from the cumulative TSN:
// 0 < Start ≤ End.
type GapBlock struct{ Start, End uint16 }

// GapBlocks is a list of gap ack blocks in the form that it has on the wire.
type GapBlocks []byte

// Len returns the number of blocks.
func (l GapBlocks) Len() int { return len(l) / 4 }

// Append adds a block at the end.
func (l GapBlocks) Append(g GapBlock) GapBlocks {
	return binary.BigEndian.AppendUint32(l, uint32(g.Start)<<16|uint32(g.End))
}

// All walks the blocks in order.
func (l GapBlocks) All() iter.Seq[GapBlock] {
	return func(yield func(GapBlock) bool) {
		for ; len(l) >= 4; l = l[4:] {
			both := binary.BigEndian.Uint32(l)
			if !yield(GapBlock{uint16(both >> 16), uint16(both)}) {
				return
			}
		}
	}
}
