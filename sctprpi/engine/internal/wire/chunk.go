package wire

import "strconv"

// ChunkType says what a chunk is.
//
// See [RFC 9260, section 3.2].
//
// [RFC 9260, section 3.2]: https://www.rfc-editor.org/rfc/rfc9260#section-3.2
type ChunkType uint8

// The chunk types that this package encodes and decodes. Any other is unknown: see
// UnknownAction. Among these are AUTH (RFC 4895), ASCONF and ASCONF ACK (RFC 5061) and RE-CONFIG
// (RFC 6525).
const (
	TypeData             ChunkType = 0
	TypeInit             ChunkType = 1
	TypeInitAck          ChunkType = 2
	TypeSACK             ChunkType = 3
	TypeHeartbeat        ChunkType = 4
	TypeHeartbeatAck     ChunkType = 5
	TypeAbort            ChunkType = 6
	TypeShutdown         ChunkType = 7
	TypeShutdownAck      ChunkType = 8
	TypeError            ChunkType = 9
	TypeCookieEcho       ChunkType = 10
	TypeCookieAck        ChunkType = 11
	TypeECNE             ChunkType = 12
	TypeCWR              ChunkType = 13
	TypeShutdownComplete ChunkType = 14
	TypeIData            ChunkType = 0x40
	TypePad              ChunkType = 0x84
	TypeStreamCredit     ChunkType = 0xB0 // not standard: see StreamOffsets
	TypeStreamBlocked    ChunkType = 0xB1 // not standard: see StreamOffsets
	TypeForwardTSN       ChunkType = 0xC0
	TypeIForwardTSN      ChunkType = 0xC2
)

var chunkNames = map[ChunkType]string{
	TypeData: "DATA", TypeInit: "INIT", TypeInitAck: "INIT ACK", TypeSACK: "SACK",
	TypeHeartbeat: "HEARTBEAT", TypeHeartbeatAck: "HEARTBEAT ACK", TypeAbort: "ABORT",
	TypeShutdown: "SHUTDOWN", TypeShutdownAck: "SHUTDOWN ACK", TypeError: "ERROR",
	TypeCookieEcho: "COOKIE ECHO", TypeCookieAck: "COOKIE ACK", TypeECNE: "ECNE", TypeCWR: "CWR",
	TypeShutdownComplete: "SHUTDOWN COMPLETE", TypeIData: "I-DATA",
	TypePad: "PAD", TypeStreamCredit: "STREAM CREDIT", TypeStreamBlocked: "STREAM BLOCKED",
	TypeForwardTSN: "FORWARD-TSN", TypeIForwardTSN: "I-FORWARD-TSN",
}

func (t ChunkType) String() string {
	if name, ok := chunkNames[t]; ok {
		return name
	}
	return "chunk type " + strconv.Itoa(int(t))
}

// UnknownAction returns what to do with a chunk of this type when the type is
// unknown or not in use in the association.
func (t ChunkType) UnknownAction() UnknownAction { return UnknownAction(t >> 6) }

// Alone reports whether chunks of this type must not share a packet with
// others (RFC 9260, section 6.10).
func (t ChunkType) Alone() bool {
	return t == TypeInit || t == TypeInitAck || t == TypeShutdownComplete
}

// flagReflected is the T bit.
const flagReflected = 1 << 0

// Chunk is a chunk in a packet: a view, nothing is copied.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+---------------+-------------------------------+
//	|  Chunk Type   |  Chunk Flags  |         Chunk Length          |
//	+---------------+---------------+-------------------------------+
//	\                          Chunk Value                          \
//	+---------------------------------------------------------------+
type Chunk struct {
	Type  ChunkType
	Flags uint8
	raw   []byte
}

// ParseChunk returns the chunk at the start of b, which may go on after it.
func ParseChunk(b []byte) (Chunk, error) {
	c, _, err := cutChunk(b)
	return c, err
}

func cutChunk(b []byte) (c Chunk, rest []byte, err error) {
	raw, rest, ok := cut(b)
	if !ok {
		return Chunk{}, nil, ErrPartialChunk
	}
	return Chunk{Type: ChunkType(raw[0]), Flags: raw[1], raw: raw}, rest, nil
}

// Bytes returns the chunk with its header and without its padding: what an
// Unrecognized Chunk Type cause carries.
func (c Chunk) Bytes() []byte { return c.raw }

// Value returns what follows the chunk's header, without padding.
func (c Chunk) Value() []byte { return itemValue(c.raw) }

// Reflected returns the T bit of an ABORT or SHUTDOWN COMPLETE chunk: the
// packet carries the tag of the packet that it answers, not the one that its
// receiver expects (RFC 9260, section 8.5.1).
func (c Chunk) Reflected() bool { return c.Flags&flagReflected != 0 }

// openChunk appends the header of a chunk to be closed by closeChunk.
func openChunk(b []byte, t ChunkType, flags uint8) []byte {
	return openItem(b, uint16(t)<<8|uint16(flags))
}

// closeChunk ends the chunk that starts at start: length and padding.
func closeChunk(b []byte, start int) []byte {
	b = closeItem(b, start)
	return AppendPadding(b, len(b)-start)
}

// appendBareChunk appends a chunk that has no value.
func appendBareChunk(b []byte, t ChunkType, flags uint8) []byte {
	return append(b, byte(t), flags, 0, itemHeaderSize)
}

// reflected returns the chunk flags for a T bit.
func reflected(t bool) uint8 {
	if t {
		return flagReflected
	}
	return 0
}
