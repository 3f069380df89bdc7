package rx

import (
	"errors"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// ErrNoRoom: the receive buffer has no room for the chunk now. It is to be dropped
// and not acknowledged (RFC 9260, section 6.2); the peer will send it again.
var ErrNoRoom = errors.New("rx: no room in the receive buffer")

// ErrStream: a chunk names a stream that the association does not have. A DATA or
// I-DATA chunk is to be acknowledged all the same, and reported in an ERROR chunk
// (RFC 9260, section 6.5).
var ErrStream = &wire.Error{Cause: wire.CauseInvalidStream, Rule: "chunk for a stream that does not exist"}

// Errors to abort the association with. They change nothing in the Reassembly or
// the Tracker. A chunk without user data gives wire.ErrNoUserData.
var (
	// ErrInterleaving: a DATA or FORWARD TSN chunk in an association that has
	// agreed on I-DATA, or the other way round (RFC 8260, section 2.2.1).
	ErrInterleaving = violation("chunk type does not go with the message interleaving agreed on")
	// ErrOldMessage: an ordered message's number has been delivered already,
	// or is further ahead than serial number arithmetic can tell.
	ErrOldMessage = violation("fragment of a message that is already complete")
	// ErrOverlap: the message has that fragment already.
	ErrOverlap = violation("fragments of a message overlap")
	// ErrFragmentOrder: consecutive TSNs hold fragments that cannot follow one
	// another (RFC 9260, section 6.9): a message without its first or last
	// fragment, or with another's between.
	ErrFragmentOrder = violation("fragments with consecutive TSNs do not belong to one message")
	// ErrNoBegin: the first fragment of a message has no B bit.
	ErrNoBegin = violation("first fragment of a message without the B bit")
	// ErrFarAhead: a fragment number is half the number space ahead.
	ErrFarAhead = violation("fragment number too far ahead")
	// ErrAfterEnd: a message goes on after a fragment with the E bit.
	ErrAfterEnd = violation("fragment after the last one of its message")
	// ErrForwardTooFar: see Tracker.Forward.
	ErrForwardTooFar = violation("FORWARD TSN skips TSNs that cannot have been sent")
	// ErrCreditStream: a STREAM BLOCKED chunk names a stream that does not exist.
	ErrCreditStream = violation("stream blocked that does not exist")
	// ErrCreditUntold: a STREAM BLOCKED chunk says that more of a stream has been
	// read than the peer has been told.
	ErrCreditUntold = violation("stream blocked at an offset that it was not told")
	// ErrTooManyPartial: more unordered messages in part than the receive
	// buffer could hold chunks.
	ErrTooManyPartial = &wire.Error{Cause: wire.CauseOutOfResource, Rule: "too many unordered messages in part"}
	// ErrTooLong: only whole messages are to be delivered, and the receive
	// buffer is full without holding one.
	ErrTooLong = &wire.Error{Cause: wire.CauseOutOfResource, Rule: "messages do not fit the receive buffer as a whole"}
)

func violation(rule string) *wire.Error {
	return &wire.Error{Cause: wire.CauseProtocolViolation, Rule: rule}
}
