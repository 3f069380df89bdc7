package rx

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/list"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// chunk is a DATA or I-DATA chunk.
type chunk struct {
	flags wire.DataFlags
	// seq is the message's SSN in the upper 16 bits, or its MID, so that serial
	// arithmetic is the same for both.
	seq uint32
	// pos is the place in the message: the TSN of a DATA, the FSN of an I-DATA
	// chunk.
	pos uint32
	// mid is the message's number in events, if this chunk begins it: see Reassembly.Next.
	mid     wire.MID
	ppid    socket.PPID
	payload []byte
	memory  socket.Memory
}

const whole = wire.FlagBegin | wire.FlagEnd

func (c *chunk) begin() bool { return c.flags&wire.FlagBegin != 0 }
func (c *chunk) end() bool   { return c.flags&wire.FlagEnd != 0 }

// fragment is a chunk that is held, or the notice of an aborted message.
type fragment struct {
	link    list.Link[fragment] // in message.prefix, or stream.ready
	stream  *stream
	flags   wire.DataFlags
	aborted bool
	pos     uint32
	mid     wire.MID
	ppid    socket.PPID
	payload []byte
	memory  socket.Memory
	// charge is what counts as read of the stream when the fragment is.
	charge uint32
}

// event puts the fragment into a Data event. Assoc is left to the association.
func (f *fragment) event(e *socket.Event) {
	*e = socket.Event{
		Kind:      socket.Data,
		Stream:    f.stream.id,
		Unordered: f.flags&wire.FlagUnordered != 0,
		Begin:     f.flags&wire.FlagBegin != 0,
		End:       f.flags&wire.FlagEnd != 0,
		Broken:    f.aborted,
		MID:       uint32(f.mid),
		PPID:      f.ppid,
		Payload:   f.payload,
		Memory:    f.memory,
	}
}
