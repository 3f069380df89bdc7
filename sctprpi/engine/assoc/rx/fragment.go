package rx

import "github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"

// chunk is a DATA or I-DATA chunk.
type chunk struct {
	flags wire.DataFlags
	// seq is the message's SSN in the upper 16 bits, or its MID, so that serial
	// arithmetic is the same for both.
	seq uint32
	// pos is the place in the message: the TSN of a DATA, the FSN of an I-DATA
	// chunk.
	pos     uint32
	ppid    wire.PPID
	payload []byte
	buffer  Buffer
}

const whole = wire.FlagBegin | wire.FlagEnd

func (c *chunk) begin() bool { return c.flags&wire.FlagBegin != 0 }
func (c *chunk) end() bool   { return c.flags&wire.FlagEnd != 0 }

// fragment is a chunk that is held, or the notice of an aborted message.
type fragment struct {
	next    *fragment // in a fragmentList
	stream  *stream
	flags   wire.DataFlags
	aborted bool
	pos     uint32
	mid     wire.MID
	ppid    wire.PPID
	payload []byte
	buffer  Buffer
}

func (f *fragment) piece() Piece {
	return Piece{
		Stream:    f.stream.id,
		Unordered: f.flags&wire.FlagUnordered != 0,
		Begin:     f.flags&wire.FlagBegin != 0,
		End:       f.flags&wire.FlagEnd != 0,
		Aborted:   f.aborted,
		MID:       f.mid,
		PPID:      f.ppid,
		Payload:   f.payload,
		Buffer:    f.buffer,
	}
}

// fragmentList is a queue of fragments.
type fragmentList struct{ head, tail *fragment }

func (l *fragmentList) empty() bool { return l.head == nil }

func (l *fragmentList) push(f *fragment) {
	if l.empty() {
		l.head = f
	} else {
		l.tail.next = f
	}
	l.tail = f
}

func (l *fragmentList) pop() *fragment {
	f := l.head
	l.head, f.next = f.next, nil
	return f
}

// take moves all of another list to the end of l.
func (l *fragmentList) take(from *fragmentList) {
	if from.empty() {
		return
	}
	if l.empty() {
		*l = *from
	} else {
		l.tail.next, l.tail = from.head, from.tail
	}
	from.head = nil
}
