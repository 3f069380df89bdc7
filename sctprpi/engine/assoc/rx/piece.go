package rx

import "github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"

// Buffer is the memory that payloads lie in, a received packet's for one. It
// counts its references: one is given to the Reassembly with each payload.
//
// A payload that is a small part of its Buffer keeps all of it from being used
// again, and the receive window does not show that; copy such a payload.
type Buffer interface {
	// Release gives up a reference.
	Release()
}

// Piece is a piece of a message: the payload of one chunk. The pieces of a message
// come in order and, together, are the message. Those of an ordered message come
// with no other ordered message's of the stream between; those of unordered ones
// may mix. Stream, Unordered and MID together tell the messages being delivered
// apart.
type Piece struct {
	Stream    wire.StreamID
	Unordered bool
	// Begin and End mark a message's first and last piece.
	Begin, End bool
	// Aborted says that the message, whose Begin but not End has been
	// delivered, will not go on: the peer has abandoned it, or reset the
	// stream. Such a Piece has no payload.
	Aborted bool
	// MID is the message's number: its MID, its SSN or, if it is unordered and
	// came in DATA chunks, the TSN of its first chunk.
	MID  wire.MID
	PPID wire.PPID
	// Payload lies in Buffer, which is the reader's to release. Buffer is what
	// came with the chunk, and may be nil.
	Payload []byte
	Buffer  Buffer
}
