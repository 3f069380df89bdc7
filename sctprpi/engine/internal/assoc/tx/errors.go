package tx

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
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
	// ErrTakenBack: with Config.Multipath, a TSN is missing that a gap ack block has
	// acknowledged.
	ErrTakenBack = &wire.Error{Cause: wire.CauseProtocolViolation, Rule: "SACK that takes an acknowledgement back, which this peer has agreed not to do"}
)

// Errors of STREAM CREDIT chunks, to abort the association with.
var (
	// ErrCreditUnsent: the peer says that it has read more of a stream than was sent.
	ErrCreditUnsent = &wire.Error{Cause: wire.CauseProtocolViolation, Rule: "stream credit for more than was sent"}
	// ErrCreditStream: there is no such stream.
	ErrCreditStream = &wire.Error{Cause: wire.CauseProtocolViolation, Rule: "stream credit for a stream that does not exist"}
)

func (s *Sender) checkStream(id socket.StreamID) error {
	if !s.queue.streams.Has(id) {
		return fmt.Errorf("%w: stream %d", socket.ErrStream, id)
	}
	return nil
}
