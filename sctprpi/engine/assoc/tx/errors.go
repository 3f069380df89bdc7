package tx

import (
	"errors"
	"fmt"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"
)

// Errors of SACKs that break the protocol. Such a SACK changes nothing. They
// are wire.Errors: each names the cause to abort the association with.
var (
	// ErrAckUnsent: a TSN was acknowledged that was never sent. A sender that
	// believed it would be made to send faster than the network can bear.
	ErrAckUnsent = &wire.Error{Cause: wire.CauseProtocolViolation, Rule: "SACK acknowledges a TSN that was never sent"}
	// ErrGapOrder: gap ack blocks overlap, are not ascending or end before
	// they start.
	ErrGapOrder = &wire.Error{Cause: wire.CauseProtocolViolation, Rule: "SACK with gap ack blocks that overlap or are not ascending"}
	// ErrNoGap: the first gap ack block follows the cumulative TSN without a
	// gap, so that one of the two is wrong.
	ErrNoGap = &wire.Error{Cause: wire.CauseProtocolViolation, Rule: "SACK with a gap ack block that touches its cumulative TSN"}
)

// Errors of STREAM CREDIT chunks, to abort the association with.
var (
	// ErrCreditUnsent: the peer says that it has read more of a stream than was sent.
	ErrCreditUnsent = &wire.Error{Cause: wire.CauseProtocolViolation, Rule: "stream credit for more than was sent"}
	// ErrCreditStream: there is no such stream.
	ErrCreditStream = &wire.Error{Cause: wire.CauseProtocolViolation, Rule: "stream credit for a stream that does not exist"}
)

// Errors of Queue and Admit.
var (
	// ErrWouldBlock: the send buffer has no room for the message now; Writable
	// tells when it has.
	ErrWouldBlock = errors.New("tx: send buffer is full, try again when writable")
	// ErrStreamFull is the ErrWouldBlock of a stream that the peer leaves unread:
	// for others there may be room.
	ErrStreamFull = fmt.Errorf("%w: the peer does not read the stream", ErrWouldBlock)
	// ErrTooLong: the message is longer than the send buffer will ever hold.
	ErrTooLong = errors.New("tx: message does not fit the send buffer")
	// ErrEmpty: SCTP has no messages without data (RFC 9260, section 3.3.1).
	ErrEmpty = errors.New("tx: message without data, which SCTP cannot send")
	// ErrNoStream: the association has no outbound stream of that number.
	ErrNoStream = errors.New("tx: no such outbound stream")
)

func (s *Sender) checkStream(id wire.StreamID) error {
	if !s.queue.streams.Has(id) {
		return fmt.Errorf("%w: stream %d of %d", ErrNoStream, id, s.queue.streams.Len())
	}
	return nil
}
