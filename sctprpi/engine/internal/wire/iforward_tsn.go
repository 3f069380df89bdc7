package wire

import (
	"encoding/binary"
	"iter"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// IForwardTSN is an I-FORWARD-TSN chunk, the FORWARD-TSN chunk of associations
// that use I-DATA chunks.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+---------------+-------------------------------+
//	|  Type = 194   |   Flags = 0   |            Length             |
//	+---------------+---------------+-------------------------------+
//	|                      New Cumulative TSN                       |
//	+-------------------------------+-----------------------------+-+
//	|       Stream Identifier       |          Reserved           |U|
//	+-------------------------------+-----------------------------+-+
//	|                      Message Identifier                       |
//	+---------------------------------------------------------------+
//	\                  ... two words per message                    \
//	+---------------------------------------------------------------+
//
// See [RFC 8260, section 2.3.1].
//
// [RFC 8260, section 2.3.1]: https://www.rfc-editor.org/rfc/rfc8260#section-2.3.1
type IForwardTSN struct {
	CumulativeTSN TSN
	// Skipped names, for each stream with messages among the ones given up,
	// the last of its ordered and the last of its unordered ones.
	Skipped SkippedMIDs
}

const skippedMIDSize = 8

// AppendIForwardTSN appends an I-FORWARD-TSN chunk. The caller keeps it within
// the packet: each skipped message takes 8 bytes.
func AppendIForwardTSN(b []byte, f *IForwardTSN) []byte {
	start := len(b)
	b = openChunk(b, TypeIForwardTSN, 0)
	b = binary.BigEndian.AppendUint32(b, uint32(f.CumulativeTSN))
	return closeChunk(append(b, f.Skipped...), start)
}

var errIForwardTSNLength = violation("I-FORWARD-TSN chunk length is not that of a whole number of messages")

// ParseIForwardTSN decodes an I-FORWARD-TSN chunk. Whether the streams exist
// and the TSN is near enough is for the association to check.
func ParseIForwardTSN(c Chunk) (IForwardTSN, error) {
	if len(c.raw) < forwardTSNHeaderSize || (len(c.raw)-forwardTSNHeaderSize)%skippedMIDSize != 0 {
		return IForwardTSN{}, errIForwardTSNLength
	}
	return IForwardTSN{
		CumulativeTSN: TSN(binary.BigEndian.Uint32(c.raw[4:])),
		Skipped:       SkippedMIDs(c.raw[forwardTSNHeaderSize:]),
	}, nil
}

// SkippedMID says that the ordered or unordered messages of a stream up to MID
// will not come.
type SkippedMID struct {
	Stream    socket.StreamID
	Unordered bool
	MID       MID
}

// SkippedMIDs is a list of skipped messages in the form that it has on the
// wire.
type SkippedMIDs []byte

// Append adds a message at the end.
func (l SkippedMIDs) Append(s SkippedMID) SkippedMIDs {
	var u byte
	if s.Unordered {
		u = 1
	}
	l = binary.BigEndian.AppendUint16(l, uint16(s.Stream))
	l = append(l, 0, u)
	return binary.BigEndian.AppendUint32(l, uint32(s.MID))
}

// All walks the messages in order.
func (l SkippedMIDs) All() iter.Seq[SkippedMID] {
	return func(yield func(SkippedMID) bool) {
		for ; len(l) >= skippedMIDSize; l = l[skippedMIDSize:] {
			s := SkippedMID{
				Stream:    socket.StreamID(binary.BigEndian.Uint16(l)),
				Unordered: l[3]&1 != 0,
				MID:       MID(binary.BigEndian.Uint32(l[4:])),
			}
			if !yield(s) {
				return
			}
		}
	}
}
