package wire

import (
	"encoding/binary"
	"iter"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

const forwardTSNHeaderSize = 8

// ForwardTSN is a FORWARD-TSN chunk: its sender gives up all TSNs up to
// CumulativeTSN.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+---------------+-------------------------------+
//	|  Type = 192   |   Flags = 0   |            Length             |
//	+---------------+---------------+-------------------------------+
//	|                      New Cumulative TSN                       |
//	+-------------------------------+-------------------------------+
//	|           Stream-1            |       Stream Sequence-1       |
//	+-------------------------------+-------------------------------+
//	\                              ...                              \
//	+-------------------------------+-------------------------------+
//	|           Stream-N            |       Stream Sequence-N       |
//	+-------------------------------+-------------------------------+
//
// See [RFC 3758, section 3.2].
//
// [RFC 3758, section 3.2]: https://www.rfc-editor.org/rfc/rfc3758#section-3.2
type ForwardTSN struct {
	CumulativeTSN TSN
	// Skipped names, for each stream with ordered messages among the ones
	// given up, the last of them.
	Skipped SkippedSSNs
}

// AppendForwardTSN appends a FORWARD-TSN chunk. The caller keeps it within the
// packet: each skipped stream takes 4 bytes.
func AppendForwardTSN(b []byte, f *ForwardTSN) []byte {
	start := len(b)
	b = openChunk(b, TypeForwardTSN, 0)
	b = binary.BigEndian.AppendUint32(b, uint32(f.CumulativeTSN))
	return closeChunk(append(b, f.Skipped...), start)
}

var errForwardTSNLength = violation("FORWARD-TSN chunk length is not that of a whole number of streams")

// ParseForwardTSN decodes a FORWARD-TSN chunk. Whether the streams exist and
// the TSN is near enough is for the association to check.
func ParseForwardTSN(c Chunk) (ForwardTSN, error) {
	if len(c.raw) < forwardTSNHeaderSize || len(c.raw)%4 != 0 {
		return ForwardTSN{}, errForwardTSNLength
	}
	return ForwardTSN{
		CumulativeTSN: TSN(binary.BigEndian.Uint32(c.raw[4:])),
		Skipped:       SkippedSSNs(c.raw[forwardTSNHeaderSize:]),
	}, nil
}

// SkippedSSN says that the messages of a stream up to SSN will not come.
type SkippedSSN struct {
	Stream socket.StreamID
	SSN    SSN
}

// SkippedSSNs is a list of skipped streams in the form that it has on the wire.
type SkippedSSNs []byte

// Append adds a stream at the end.
func (l SkippedSSNs) Append(s SkippedSSN) SkippedSSNs {
	return binary.BigEndian.AppendUint32(l, uint32(s.Stream)<<16|uint32(s.SSN))
}

// All walks the streams in order.
func (l SkippedSSNs) All() iter.Seq[SkippedSSN] {
	return func(yield func(SkippedSSN) bool) {
		for ; len(l) >= 4; l = l[4:] {
			both := binary.BigEndian.Uint32(l)
			if !yield(SkippedSSN{socket.StreamID(both >> 16), SSN(both)}) {
				return
			}
		}
	}
}
