package window

import (
	"encoding/binary"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// verb is what a message asks for, or that it answers.
type verb uint8

const (
	put verb = 1 + iota
	putLong
	get
	getLong
	accumulate
	getAccumulate
	compareAndSwap
	lock
	unlock // and flush
	flush
	complete
	post
	stir    // something in memory that both have has changed: see control.go
	answer  // the outcome of an operation
	refusal // its error, in words
	verbEnd
)

// header is the beginning of each message. Its data follows.
type header struct {
	verb verb
	op   collective.Reduction // of an accumulate
	kind datatype.Kind        // of its elements
	// lock is which lock is wanted; class the class of the error in a refusal.
	lock  LockType
	class uint8
	// id is the number that the origin has given the operation, to find it when the answer comes. A long operation has
	// the number of its slot there, and slot is the number of the operation.
	id   uint32
	slot uint8
	// The memory begins at disp units of the target's, and offset bytes.
	disp   int64
	offset int64
	length uint64 // of the data, or of what is wanted
	// shape is how long the description of the target's datatype is, before the data, and count how many elements of it
	// there are; 0: the memory is one piece.
	shape uint16
	count uint32
}

const headerSize = 40

// Messages have headerSize bytes and up to maxData more.
const maxData = 16 << 10

func (h header) append(b []byte) []byte {
	b = append(b, byte(h.verb), byte(h.op), byte(h.kind), byte(h.lock), h.class, h.slot)
	b = binary.LittleEndian.AppendUint16(b, h.shape)
	b = binary.LittleEndian.AppendUint32(b, h.id)
	b = binary.LittleEndian.AppendUint32(b, h.count)
	b = binary.LittleEndian.AppendUint64(b, uint64(h.disp))
	b = binary.LittleEndian.AppendUint64(b, uint64(h.offset))
	return binary.LittleEndian.AppendUint64(b, h.length)
}

// parse takes a message apart. It reports false if that is not one.
func parse(b []byte) (h header, data []byte, ok bool) {
	if len(b) < headerSize {
		return h, nil, false
	}
	h = header{
		verb: verb(b[0]), op: collective.Reduction(b[1]), kind: datatype.Kind(b[2]), lock: LockType(b[3]), class: b[4], slot: b[5],
		shape: binary.LittleEndian.Uint16(b[6:]), count: binary.LittleEndian.Uint32(b[12:]),
		id:   binary.LittleEndian.Uint32(b[8:]),
		disp: int64(binary.LittleEndian.Uint64(b[16:])), offset: int64(binary.LittleEndian.Uint64(b[24:])), length: binary.LittleEndian.Uint64(b[32:]),
	}
	return h, b[headerSize:], h.verb > 0 && h.verb < verbEnd
}
