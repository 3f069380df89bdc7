package pertrc

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
)

// noteKind says what a frame on a control connection is.
type noteKind uint8

const (
	// ack tells a sender that its synchronous message has matched.
	ack noteKind = 1 + iota
	// void says that a sequence number will never carry a message.
	void
	// retract asks the receiver to forget a message that has not matched.
	retract
	// retracted says that it has, kept that it has not.
	retracted
	kept
	// reclaim asks the sender to close a TRC's connection, when it is idle.
	reclaim
	// bye is a process's last frame: it has finalized.
	bye
	// alive says nothing but that the process lives.
	alive
	// gaveUp is a process's last frame to a peer that it counts as dead, as it
	// has heard nothing from it for so long.
	gaveUp
	// refusal tells the sender of a message that it will never be received, understood that
	// the sender waits for it no more.
	refusal
	understood
	noteEnd
)

// note is a frame on a control connection. Which fields mean something depends
// on the kind:
//
//	ack        id
//	void       context tag seq
//	retract    id context tag seq
//	retracted  id context tag seq
//	kept       id context tag seq
//	reclaim    context tag
//	bye        –
//	alive      –
//	gaveUp     seq (how long, in milliseconds)
//	refusal    id (0 if the send waits for no ack) context tag seq
//	understood id context tag seq
type note struct {
	kind    noteKind
	id      uint32 // of the send, at its sender
	context matching.Context
	tag     matching.Tag
	seq     matching.Seq
}

// noteSize is the length of an encoded note in bytes: the kind in four, id,
// context, tag, seq; big-endian.
const noteSize = 4 + 4 + 8 + 4 + 8

func (n *note) append(b []byte) []byte {
	b = append(b, byte(n.kind), 0, 0, 0)
	b = binary.BigEndian.AppendUint32(b, n.id)
	b = binary.BigEndian.AppendUint64(b, uint64(n.context))
	b = binary.BigEndian.AppendUint32(b, uint32(n.tag))
	return binary.BigEndian.AppendUint64(b, uint64(n.seq))
}

// silence is how long a gaveUp says that nothing was heard.
func (n *note) silence() time.Duration {
	const longest = math.MaxInt64 / matching.Seq(time.Millisecond)
	return time.Duration(min(n.seq, longest)) * time.Millisecond
}

// parse decodes the note at the start of b, which has noteSize bytes.
func (n *note) parse(b []byte) error {
	*n = note{
		kind:    noteKind(b[0]),
		id:      binary.BigEndian.Uint32(b[4:]),
		context: matching.Context(binary.BigEndian.Uint64(b[8:])),
		tag:     matching.Tag(binary.BigEndian.Uint32(b[16:])),
		seq:     matching.Seq(binary.BigEndian.Uint64(b[20:])),
	}
	switch {
	case n.kind == 0 || n.kind >= noteEnd || b[1] != 0 || b[2] != 0 || b[3] != 0:
		return fmt.Errorf("unknown control frame %#x", b[:4])
	case n.tag < 0 && (n.kind == void || n.kind == retract || n.kind == refusal):
		return fmt.Errorf("control frame %d with negative tag %d", n.kind, n.tag)
	}
	return nil
}
