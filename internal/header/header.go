// Package header is the wire format of frames: what each frame between two processes begins with. It is for transports, not for programs.
//
// A header says which kind of frame it is. That of a message has the envelope by which the message is matched (see package matching);
// others name requests that matched before, or return credit.
package header

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/sctpmpi/sctpmpi/matching"
)

// AnyContext in a Demand stands for more than one context. No message has it.
const AnyContext = ^matching.Context(0)

// Kind says what a frame is.
type Kind uint8

// The kinds of frame. Eager, RTS and Void take part in matching and carry
// a sequence number; the others refer to requests that matched before.
const (
	// Eager is a whole message: its body follows the header.
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

// Header is what a frame begins with.
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
type Header struct {
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
	Tag      matching.Tag
	Context  matching.Context
	Seq      matching.Seq
	// Offset is where a Body fragment starts in its message, in bytes.
	Offset uint64
	// Length is the length of the message, or of the fragment, in bytes.
	Length uint64
	Type   matching.Type
	// SendID and RecvID name the request at the sender of the message and at
	// its receiver.
	SendID, RecvID uint32
}

// Envelope is that of the message of a header.
func (h *Header) Envelope() matching.Envelope {
	return matching.Envelope{Tag: h.Tag, Context: h.Context, Seq: h.Seq, Length: h.Length, Type: h.Type, ElemSize: h.ElemSize}
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
func (h *Header) Demanded() (matching.Context, matching.Tag) {
	switch h.Answer {
	case ToAnyContext:
		return AnyContext, matching.AnyTag
	case ToAnyTag:
		return h.Context, matching.AnyTag
	}
	return h.Context, h.Tag
}

// Size is the length of an encoded header in bytes.
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
const Size = 40

const (
	flagSync     = 1 << 0
	answerShift  = 1
	flagRationed = 1 << 3
	slotShift    = 4
)

// MaxSlots bounds Header.Slot.
const MaxSlots = 1 << (8 - slotShift)

// ErrMalformed is wrapped by every error of Parse.
var ErrMalformed = errors.New("malformed header")

// Append appends the encoding of h, Size bytes, to b.
func Append(b []byte, h *Header) []byte {
	flags := byte(h.Answer)<<answerShift | h.Slot<<slotShift
	if h.Sync {
		flags |= flagSync
	}
	if h.Rationed {
		flags |= flagRationed
	}
	order, id := uint64(h.Seq), uint32(h.Type)
	switch h.Kind {
	case Body:
		order, id = h.Offset, h.RecvID
	case CTS:
		id = h.RecvID
	}
	b = append(b, byte(h.Kind), flags)
	b = binary.BigEndian.AppendUint16(b, h.ElemSize)
	b = binary.BigEndian.AppendUint32(b, uint32(h.Tag))
	b = binary.BigEndian.AppendUint64(b, uint64(h.Context))
	b = binary.BigEndian.AppendUint64(b, order)
	b = binary.BigEndian.AppendUint64(b, h.Length)
	b = binary.BigEndian.AppendUint32(b, id)
	return binary.BigEndian.AppendUint32(b, h.SendID)
}

// whole reports whether the length may be that of whole elements.
func (h *Header) whole() bool {
	if h.ElemSize == 0 {
		return h.Length == 0 || h.Length > math.MaxUint16
	}
	return h.Length%uint64(h.ElemSize) == 0
}

// Parse decodes the header at the start of b into h. It refuses
// what no correct sender produces: an unknown kind or flag, a negative tag, a
// length beyond matching.MaxLength or one that is not a whole number of elements, a
// fragment that would end beyond matching.MaxLength.
func Parse(h *Header, b []byte) error {
	if len(b) < Size {
		return fmt.Errorf("%w: %d bytes, want %d", ErrMalformed, len(b), Size)
	}
	b = b[:Size]
	order, id := binary.BigEndian.Uint64(b[16:]), binary.BigEndian.Uint32(b[32:])
	*h = Header{
		Kind:     Kind(b[0]),
		Sync:     b[1]&flagSync != 0,
		Answer:   Answer(b[1] >> answerShift & 3),
		Rationed: b[1]&flagRationed != 0,
		Slot:     b[1] >> slotShift,
		ElemSize: binary.BigEndian.Uint16(b[2:]),
		Tag:      matching.Tag(binary.BigEndian.Uint32(b[4:])),
		Context:  matching.Context(binary.BigEndian.Uint64(b[8:])),
		Length:   binary.BigEndian.Uint64(b[24:]),
		SendID:   binary.BigEndian.Uint32(b[36:]),
	}
	switch h.Kind {
	case Body:
		h.Offset, h.RecvID = order, id
	case CTS:
		h.RecvID = id
	default:
		h.Seq, h.Type = matching.Seq(order), matching.Type(id)
	}
	switch {
	case h.Kind == 0 || h.Kind >= kindEnd:
		return fmt.Errorf("%w: unknown %v", ErrMalformed, h.Kind)
	case (h.Sync || h.Slot > 0) && h.Kind != Eager || h.Answer != Unasked && h.Kind != RTS ||
		h.Rationed && (h.Kind != Eager && h.Kind != RTS && h.Kind != Credit || h.Answer != Unasked):
		return fmt.Errorf("%w: flags %#x in a frame of kind %v", ErrMalformed, b[1], h.Kind)
	case h.Tag < 0 && !(h.Tag == matching.AnyTag && (h.Kind == Demand || h.Kind == None)):
		return fmt.Errorf("%w: negative tag %d", ErrMalformed, h.Tag)
	case h.Length > matching.MaxLength || h.Offset > matching.MaxLength-h.Length:
		return fmt.Errorf("%w: length %d at offset %d exceeds %d", ErrMalformed, h.Length, h.Offset, uint64(matching.MaxLength))
	case (h.Kind == Eager || h.Kind == RTS) && !h.whole():
		return fmt.Errorf("%w: length %d is no multiple of the element size %d", ErrMalformed, h.Length, h.ElemSize)
	}
	return nil
}
