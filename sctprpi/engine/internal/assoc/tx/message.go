package tx

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/list"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// message is a socket.Message on its way.
type message struct {
	// data is a gather list, not to be written to; owner comes back when the message is
	// released.
	data  [][]byte
	owner any
	ppid  socket.PPID
	// unordered and immediate are as in socket.Message.
	unordered, immediate bool
	// link is its place in the stream, or among those released.
	link   list.Link[message]
	stream *stream
	size   int
	// lent: its bytes take nothing of the send buffer. See Config.SendBuffer.
	lent bool
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
	outcome socket.Outcome
}

// Release gives a message back to its owner.
type Release struct {
	Owner   any
	Outcome socket.Outcome
}

func (m *message) rest() int { return m.size - m.cut }

// charge is what the message takes of the send buffer.
func (m *message) charge() int { return chargeOf(m.size, m.lent) }

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
