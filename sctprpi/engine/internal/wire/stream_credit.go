package wire

import (
	"encoding/binary"
	"iter"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// StreamOffset is a place in what one side sends on a stream: the sum of the charges
// of its chunks, StreamCharge, since the association began. Resetting the stream (RFC
// 6525) does not begin it anew. It wraps around.
type StreamOffset struct {
	Stream socket.StreamID
	Offset uint32
}

// MinStreamCharge is what a chunk takes of a stream's limit at least.
const MinStreamCharge = 256

// StreamCharge returns what a chunk with n bytes of user data takes of its stream's
// limit: tiny chunks more than their bytes, since what a limit is to bound is memory.
// Both ends must count alike.
func StreamCharge(n int) uint32 { return uint32(max(n, MinStreamCharge)) }

// StreamOffsets are what STREAM CREDIT and STREAM BLOCKED chunks carry, in the form
// that it has on the wire. These chunks are this engine's own, with types that a
// receiver which does not know them skips in silence, and are used between ends which
// have both sent the parameter ParamStreamLimit.
//
// A STREAM CREDIT chunk (type 0xB0) says of streams that its sender receives how much
// of them has been read. A STREAM BLOCKED chunk (type 0xB1) says of streams that its
// sender sends on how much of them it knows to have been read, and that it waits for
// more. Neither is acknowledged, and either may come late, twice or never.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+---------------+-------------------------------+
//	| Type = 0xB0/1 |   Flags = 0   |            Length             |
//	+---------------+---------------+-------------------------------+
//	|       Stream Identifier       |           Reserved            |
//	+-------------------------------+-------------------------------+
//	|                            Offset                             |
//	+---------------------------------------------------------------+
//	\                   ... two words per stream                    \
//	+---------------------------------------------------------------+
type StreamOffsets []byte

const streamOffsetSize = 8

// StreamOffsetsRoom returns how many streams a chunk in room bytes of a packet can
// list; 0 or less if it can list none.
func StreamOffsetsRoom(room int) int { return (room - itemHeaderSize) / streamOffsetSize }

// Append adds a stream at the end.
func (l StreamOffsets) Append(o StreamOffset) StreamOffsets {
	l = binary.BigEndian.AppendUint32(l, uint32(o.Stream)<<16)
	return binary.BigEndian.AppendUint32(l, o.Offset)
}

// All walks the streams in order.
func (l StreamOffsets) All() iter.Seq[StreamOffset] {
	return func(yield func(StreamOffset) bool) {
		for ; len(l) >= streamOffsetSize; l = l[streamOffsetSize:] {
			o := StreamOffset{socket.StreamID(binary.BigEndian.Uint16(l)), binary.BigEndian.Uint32(l[4:])}
			if !yield(o) {
				return
			}
		}
	}
}

// AppendStreamCredit appends a STREAM CREDIT chunk, which must list a stream. The
// caller keeps it within the packet by StreamOffsetsRoom.
func AppendStreamCredit(b []byte, l StreamOffsets) []byte {
	return appendStreamOffsets(b, TypeStreamCredit, l)
}

// AppendStreamBlocked appends a STREAM BLOCKED chunk as AppendStreamCredit does a
// STREAM CREDIT chunk.
func AppendStreamBlocked(b []byte, l StreamOffsets) []byte {
	return appendStreamOffsets(b, TypeStreamBlocked, l)
}

func appendStreamOffsets(b []byte, t ChunkType, l StreamOffsets) []byte {
	start := len(b)
	return closeChunk(append(openChunk(b, t, 0), l...), start)
}

var errStreamOffsets = violation("stream credit or stream blocked chunk length is not that of a whole number of streams, or of none")

// ParseStreamOffsets decodes a STREAM CREDIT or STREAM BLOCKED chunk. Whether the
// streams exist and the offsets make sense is for the association to check.
func ParseStreamOffsets(c Chunk) (StreamOffsets, error) {
	l := StreamOffsets(c.Value())
	if len(l) == 0 || len(l)%streamOffsetSize != 0 {
		return nil, errStreamOffsets
	}
	return l, nil
}
