package trc

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// NoteKind says what a Note is.
type NoteKind uint8

// The kinds of notes. Those from Reclaim on are for carriers: see Carrier.Hear.
const (
	// Ack tells a sender that its synchronous message has matched.
	Ack NoteKind = 1 + iota
	// Void says that a sequence number will never carry a message.
	Void
	// Retract asks the receiver to forget a message that has not matched.
	Retract
	// Retracted says that it has, Kept that it has not.
	Retracted
	Kept
	// Refusal tells the sender of a message that it will never be received, Understood that
	// the sender waits for it no more.
	Refusal
	Understood
	// Reclaim asks the other end of a channel to give it up, when it is idle. Drained says that all messages of a
	// channel have been taken, so that another TRC may use it.
	Reclaim
	Drained
	// Bye is a process's last note: it has finalized.
	Bye
	// Alive says nothing but that the process lives.
	Alive
	// GaveUp is a process's last note to a peer that it counts as dead, as it
	// has heard nothing from it for so long.
	GaveUp
	// Cut says that a channel has ended before it was in use.
	Cut
	// Short says that a TRC waits for a channel, as there is none, Want that an operation waits for a message of such a TRC,
	// Ample that none waits: see Layer.Short.
	Short
	Want
	Ample
	noteEnd
)

// Note is what processes say to each other beside their messages. Which fields mean something depends
// on the kind:
//
//	Ack        ID
//	Void       Context Tag Seq
//	Retract    ID Context Tag (the slot, if the message has one) Seq
//	Retracted  as in the Retract
//	Kept       as in the Retract
//	Refusal    ID (0 if the send waits for no ack) Context Tag Seq
//	Understood ID Context Tag Seq
//	Reclaim    what the carrier says
//	Drained    what the carrier says
//	Bye        –
//	Alive      –
//	GaveUp     Seq (how long, in milliseconds)
//	Cut        what the carrier says
//	Short      ID (the tag of a message), Context and Tag of its Key, Seq
//	Want       ID (what it names), Context and Tag of a receive or a Key, Seq (for any tag of the first message that is missing)
//	Ample      –
type Note struct {
	Kind    NoteKind
	ID      uint32 // of the send, at its sender
	Context matching.Context
	Tag     matching.Tag
	Seq     matching.Seq
}

// NoteSize is the length of an encoded note in bytes: the kind in four, ID,
// context, tag, sequence number; big-endian.
const NoteSize = 4 + 4 + 8 + 4 + 8

// Append encodes a note.
func (n *Note) Append(b []byte) []byte {
	b = append(b, byte(n.Kind), 0, 0, 0)
	b = binary.BigEndian.AppendUint32(b, n.ID)
	b = binary.BigEndian.AppendUint64(b, uint64(n.Context))
	b = binary.BigEndian.AppendUint32(b, uint32(n.Tag))
	return binary.BigEndian.AppendUint64(b, uint64(n.Seq))
}

// Parse decodes the note at the start of b, which has at least NoteSize bytes.
func (n *Note) Parse(b []byte) error {
	*n = Note{
		Kind:    NoteKind(b[0]),
		ID:      binary.BigEndian.Uint32(b[4:]),
		Context: matching.Context(binary.BigEndian.Uint64(b[8:])),
		Tag:     matching.Tag(binary.BigEndian.Uint32(b[16:])),
		Seq:     matching.Seq(binary.BigEndian.Uint64(b[20:])),
	}
	switch {
	case n.Kind == 0 || n.Kind >= noteEnd || b[1] != 0 || b[2] != 0 || b[3] != 0:
		return Violation("unknown note %#x", b[:4])
	case n.Tag < 0 && (n.Kind == Void || n.Kind == Retract || n.Kind == Refusal):
		return Violation("note %d with negative tag %d", n.Kind, n.Tag)
	}
	return nil
}

// Silence is how long a GaveUp says that nothing was heard.
func (n *Note) Silence() time.Duration {
	const longest = math.MaxInt64 / matching.Seq(time.Millisecond)
	return time.Duration(min(n.Seq, longest)) * time.Millisecond
}

// Tell sends a note to a peer, if that is still there.
func (l *Layer) Tell(p *Peer, n Note) {
	if !p.Dead && !p.Parted {
		l.Told(p.Rank, 1)
		l.carrier.Tell(p.Rank, n)
	}
}

// Hear takes in what a peer says: notes, and at the end perhaps a part of one. It returns that part, to be heard again in front of what follows.
// An error means that the peer broke the protocol.
func (l *Layer) Hear(p *Peer, b []byte) (part []byte, err error) {
	for ; len(b) >= NoteSize; b = b[NoteSize:] {
		var n Note
		if err = n.Parse(b); err != nil {
			return nil, err
		}
		l.Heard(p.Rank)
		if err = l.hear(p, &n); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (l *Layer) hear(p *Peer, n *Note) error {
	switch n.Kind {
	case Ack:
		r := l.Requests.Find(n.ID)
		if r == nil || r.Op != rpi.OpSend || r.Peer != p.Rank || r.Mode != rpi.Synchronous || r.Transport.Matched {
			return Violation("it acknowledged send %d, which does not wait for it", n.ID)
		}
		r.Transport.Matched = true
		if r.Transport.Pending == nil {
			l.Finish(r, nil)
		}
	case Void:
		return l.void(p, n)
	case Retract:
		return l.retract(p, n)
	case Retracted, Kept:
		l.answered(p, n)
	case Refusal:
		return l.turnedAway(p, n)
	case Understood:
		l.understood(p, n)
	default:
		return l.carrier.Hear(p, *n)
	}
	return nil
}
