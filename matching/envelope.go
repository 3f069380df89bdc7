package matching

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Named integers of the matching layer. A rank here is always the rank of a
// process in the job (its rank in the world communicator); communicators
// translate to and from their own numbering above this package.
type (
	// Rank names a process of the job, or AnySource in a receive.
	Rank int32
	// Tag is the user's message tag, or AnyTag in a receive.
	Tag int32
	// Context keeps the messages of different communicators apart (MPI 4.1,
	// section 7.2).
	Context uint64
	// Seq numbers the messages that one process sends to another in one
	// context, from 0. By it an AnyTag receive takes messages in the order of
	// sending, though they have travelled on different streams.
	Seq uint64
	// Type identifies the layout of a message's elements: if it is the same at
	// two processes, so is the layout.
	Type uint32
)

// Wildcards of a receive or probe.
const (
	AnySource Rank = -1
	AnyTag    Tag  = -1
)

// AnyContext in a Demand stands for more than one context. No message has it.
const AnyContext = ^Context(0)

// Kind says what a frame is.
type Kind uint8

// The kinds of frame. Eager, RTS and Void take part in matching and carry
// a sequence number; the others refer to requests that matched before.
const (
	// Eager is a whole message: its body follows the envelope.
	Eager Kind = 1 + iota
	// RTS announces a long message (request to send): its body waits at the sender.
	RTS
	// Void takes the place of a message that was cancelled before any part of
	// it had left: its sequence number will not carry a message.
	Void
	// CTS answers an RTS that matched a receive (clear to send).
	CTS
	// Body is a fragment of a long message.
	Body
	// Ack tells a sender that its message matched and that no (further) body
	// is wanted.
	Ack
	// Retract asks the receiver to forget an RTS that has not matched yet.
	Retract
	// Retracted answers a Retract that came in time. A Retract that came too
	// late gets no answer: a CTS or an Ack is on its way.
	Retracted
	// Credit returns eager credit to a sender.
	Credit
	// Bye is a process's last frame to a peer: it has finalized.
	Bye
	// Alive only shows that the process lives.
	Alive
	// GaveUp is a process's last frame to a peer that counts as dead because
	// nothing has come from it for a time. Length is that time.
	GaveUp
	// Held says that a message waits at its sender for credit and is not announced.
	Held
	// Demand asks the sender to announce the first held message of a context and tag now,
	// without credit: a receive waits for it, or the receiver will never post one and answers
	// that it is undeliverable.
	Demand
	// None answers a Demand for which there is no message.
	None
	// Undeliverable tells a sender that its message will never be received.
	Undeliverable
	kindEnd
)

var kindNames = [kindEnd]string{
	Eager: "eager", RTS: "RTS", Void: "void", CTS: "CTS", Body: "body",
	Ack: "ack", Retract: "retract", Retracted: "retracted", Credit: "credit", Bye: "bye",
	Alive: "alive", GaveUp: "gave up",
	Held: "held", Demand: "demand", None: "none", Undeliverable: "undeliverable",
}

func (k Kind) String() string {
	if k > 0 && k < kindEnd {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Matches reports whether frames of this kind take part in matching, that is,
// carry a context, a tag and a sequence number.
func (k Kind) Matches() bool { return k == Eager || k == RTS || k == Void }

// Envelope is the header of every frame between two processes.
//
// Which fields mean something depends on the kind:
//
//	kind          fields
//	Eager         Tag Context Seq Length Type ElemSize Slot Rationed; SendID if Sync
//	RTS           Tag Context Seq Length Type ElemSize SendID Answer Rationed
//	Void          Tag Context Seq
//	CTS           SendID RecvID
//	Body          RecvID Offset Length (of the fragment)
//	Ack           SendID
//	Retract       SendID Context Tag Seq
//	Retracted     SendID
//	Credit        Length (bytes returned) Rationed; Tag Context if Rationed
//	Bye           –
//	Alive         –
//	GaveUp        Length (how long, in milliseconds)
//	Held          Tag Context
//	Demand        Tag (or AnyTag) Context (or AnyContext)
//	None          Tag (or AnyTag) Context (or AnyContext) Length (how many messages are held)
//	Undeliverable SendID
type Envelope struct {
	Kind Kind
	// Sync marks an Eager message whose sender waits for an Ack of its match.
	Sync bool
	// Rationed says of a message that its sender counts its credit by TRC, and of a Credit for which TRC.
	Rationed bool
	// Answer says of an RTS which Demand it answers, if any.
	Answer Answer
	// Slot is the channel of a message that shares some with others, in transports without a progression layer; below MaxSlots.
	Slot uint8
	// ElemSize is the size of one element in bytes; 0 if that is more than a uint16 holds. It may also be 0 when Length is.
	ElemSize uint16
	Tag      Tag
	Context  Context
	Seq      Seq
	// Offset is where a Body fragment starts in its message, in bytes.
	Offset uint64
	// Length is the length of the message, or of the fragment, in bytes.
	Length uint64
	Type   Type
	// SendID and RecvID name the request at the sender of the message and at
	// its receiver.
	SendID, RecvID uint32
}

// Answer says which Demand an RTS answers.
type Answer uint8

// The answers: to no Demand, to one for the message's tag, to one for any tag, to one for
// any context and tag.
const (
	Unasked Answer = iota
	ToTag
	ToAnyTag
	ToAnyContext
)

// Demanded is the context and the tag of the Demand that an RTS answers.
func (e *Envelope) Demanded() (Context, Tag) {
	switch e.Answer {
	case ToAnyContext:
		return AnyContext, AnyTag
	case ToAnyTag:
		return e.Context, AnyTag
	}
	return e.Context, e.Tag
}

// EnvelopeSize is the length of an encoded envelope in bytes.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+---------------+-------------------------------+
//	|     Kind      |     Flags     |           ElemSize            |
//	+---------------+---------------+-------------------------------+
//	|                              Tag                              |
//	+---------------------------------------------------------------+
//	|                            Context                            |
//	|                                                               |
//	+---------------------------------------------------------------+
//	|                     Seq   (Body: Offset)                      |
//	|                                                               |
//	+---------------------------------------------------------------+
//	|                            Length                             |
//	|                                                               |
//	+---------------------------------------------------------------+
//	|                  Type   (CTS, Body: RecvID)                   |
//	+---------------------------------------------------------------+
//	|                            SendID                             |
//	+---------------------------------------------------------------+
//
// All integers are big-endian; flag bit 0 is Sync, bits 1 and 2 are Answer, bit 3 is Rationed, bits 4 to 7
// are Slot.
const EnvelopeSize = 40

const (
	flagSync     = 1 << 0
	answerShift  = 1
	flagRationed = 1 << 3
	slotShift    = 4
)

// MaxSlots bounds Envelope.Slot.
const MaxSlots = 1 << (8 - slotShift)

// MaxLength bounds the length of a message in bytes: what an int holds on
// every platform that the project supports, and far below where offset
// arithmetic could wrap.
const MaxLength = 1 << 46

// ErrEnvelope is wrapped by every error of ParseEnvelope.
var ErrEnvelope = errors.New("malformed envelope")

// AppendEnvelope appends the encoding of e, EnvelopeSize bytes, to b.
func AppendEnvelope(b []byte, e *Envelope) []byte {
	flags := byte(e.Answer)<<answerShift | e.Slot<<slotShift
	if e.Sync {
		flags |= flagSync
	}
	if e.Rationed {
		flags |= flagRationed
	}
	order, id := uint64(e.Seq), uint32(e.Type)
	switch e.Kind {
	case Body:
		order, id = e.Offset, e.RecvID
	case CTS:
		id = e.RecvID
	}
	b = append(b, byte(e.Kind), flags)
	b = binary.BigEndian.AppendUint16(b, e.ElemSize)
	b = binary.BigEndian.AppendUint32(b, uint32(e.Tag))
	b = binary.BigEndian.AppendUint64(b, uint64(e.Context))
	b = binary.BigEndian.AppendUint64(b, order)
	b = binary.BigEndian.AppendUint64(b, e.Length)
	b = binary.BigEndian.AppendUint32(b, id)
	return binary.BigEndian.AppendUint32(b, e.SendID)
}

// whole reports whether the length may be that of whole elements.
func (e *Envelope) whole() bool {
	if e.ElemSize == 0 {
		return e.Length == 0 || e.Length > math.MaxUint16
	}
	return e.Length%uint64(e.ElemSize) == 0
}

// ParseEnvelope decodes the envelope at the start of b into e. It refuses
// what no correct sender produces: an unknown kind or flag, a negative tag, a
// length beyond MaxLength or one that is not a whole number of elements, a
// fragment that would end beyond MaxLength.
func ParseEnvelope(e *Envelope, b []byte) error {
	if len(b) < EnvelopeSize {
		return fmt.Errorf("%w: %d bytes, want %d", ErrEnvelope, len(b), EnvelopeSize)
	}
	b = b[:EnvelopeSize]
	order, id := binary.BigEndian.Uint64(b[16:]), binary.BigEndian.Uint32(b[32:])
	*e = Envelope{
		Kind:     Kind(b[0]),
		Sync:     b[1]&flagSync != 0,
		Answer:   Answer(b[1] >> answerShift & 3),
		Rationed: b[1]&flagRationed != 0,
		Slot:     b[1] >> slotShift,
		ElemSize: binary.BigEndian.Uint16(b[2:]),
		Tag:      Tag(binary.BigEndian.Uint32(b[4:])),
		Context:  Context(binary.BigEndian.Uint64(b[8:])),
		Length:   binary.BigEndian.Uint64(b[24:]),
		SendID:   binary.BigEndian.Uint32(b[36:]),
	}
	switch e.Kind {
	case Body:
		e.Offset, e.RecvID = order, id
	case CTS:
		e.RecvID = id
	default:
		e.Seq, e.Type = Seq(order), Type(id)
	}
	switch {
	case e.Kind == 0 || e.Kind >= kindEnd:
		return fmt.Errorf("%w: unknown %v", ErrEnvelope, e.Kind)
	case (e.Sync || e.Slot > 0) && e.Kind != Eager || e.Answer != Unasked && e.Kind != RTS ||
		e.Rationed && (e.Kind != Eager && e.Kind != RTS && e.Kind != Credit || e.Answer != Unasked):
		return fmt.Errorf("%w: flags %#x in a frame of kind %v", ErrEnvelope, b[1], e.Kind)
	case e.Tag < 0 && !(e.Tag == AnyTag && (e.Kind == Demand || e.Kind == None)):
		return fmt.Errorf("%w: negative tag %d", ErrEnvelope, e.Tag)
	case e.Length > MaxLength || e.Offset > MaxLength-e.Length:
		return fmt.Errorf("%w: length %d at offset %d exceeds %d", ErrEnvelope, e.Length, e.Offset, uint64(MaxLength))
	case (e.Kind == Eager || e.Kind == RTS) && !e.whole():
		return fmt.Errorf("%w: length %d is no multiple of the element size %d", ErrEnvelope, e.Length, e.ElemSize)
	}
	return nil
}
