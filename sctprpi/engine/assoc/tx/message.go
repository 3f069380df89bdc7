package tx

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"
)

// Message is a user message to be sent.
type Message struct {
	Stream wire.StreamID
	PPID   wire.PPID
	// Unordered lets the message overtake others of its stream.
	Unordered bool
	// Immediate asks the peer not to delay the SACK for the message's end.
	Immediate bool
	// Lifetime is how long the message may wait to be sent, 0 for ever. Once
	// its first fragment has been sent it will be delivered, however late.
	Lifetime time.Duration
	// Data is the message as a gather list, at least one byte in all. It is
	// not copied: list and bytes belong to the Sender, which does not write to
	// them, until it releases the message.
	Data [][]byte
	// Owner comes back when the message is released. A pointer costs no
	// allocation.
	Owner any
}

// message is a Message on its way.
type message struct {
	Message
	// next links the messages of a stream, those released and the free ones.
	next   *message
	stream *stream
	size   int
	// cut is how much has been made into chunks, and at where the rest begins.
	cut int
	at  cursor
	// unacked is how much has not been acknowledged cumulatively.
	unacked int
	// arrival numbers messages in the order in which they were queued.
	arrival uint64
	expires time.Duration
	// ssn or mid is assigned with the first chunk, so that a message dropped
	// before leaves no hole; fsn counts the chunks.
	ssn wire.SSN
	mid wire.MID
	fsn wire.FSN
	// outcome is how it ended, once it has been released.
	outcome Outcome
}

func (m *message) rest() int { return m.size - m.cut }

func (m *message) expired(now time.Duration) bool { return m.cut == 0 && m.expires <= now }

// cursor is a place in a gather list: a byte of one of its pieces.
type cursor struct{ piece, offset int }

// skip returns the place n bytes on.
func (c cursor) skip(data [][]byte, n int) cursor {
	for n > 0 && n >= len(data[c.piece])-c.offset {
		n -= len(data[c.piece]) - c.offset
		c = cursor{piece: c.piece + 1}
	}
	c.offset += n
	return c
}

// appendView appends n bytes from there to a gather list.
func (c cursor) appendView(list, data [][]byte, n int) [][]byte {
	for ; n > 0; c = (cursor{piece: c.piece + 1}) {
		view := data[c.piece][c.offset:]
		if len(view) == 0 {
			continue
		}
		view = view[:min(n, len(view))]
		list = append(list, view)
		n -= len(view)
	}
	return list
}
