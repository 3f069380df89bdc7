package socket

import "context"

// StreamReceiver adds to RFC 6458, in which a receive takes the next message of any stream. It
// receives from one stream of one association, and lets other streams wait. The embedded engine
// implements it. Linux offers nothing to build it on.
type StreamReceiver interface {
	// Hold keeps the data of a stream from Receive until it is let go again, or
	// the association ends: all that has arrived comes before its last event.
	// ReceiveStream gets it all the same. What arrives counts towards the
	// association's receive buffer; Config.StreamLimit bounds how much of that
	// one stream can take, and says what becomes of the others.
	Hold(id AssocID, stream StreamID, hold bool) error

	// ReceiveStream is Receive for the data of one stream.
	ReceiveStream(id AssocID, stream StreamID, events []Event) (n int, err error)

	// WaitStream waits until ReceiveStream has something to return. Its error is
	// the context's when that is done, ErrAssoc once the association has ended,
	// ErrStream or ErrClosed.
	WaitStream(ctx context.Context, id AssocID, stream StreamID) error

	// ReadyStreams appends the streams of an association that have data to be
	// received, held ones too.
	ReadyStreams(id AssocID, streams []StreamID) ([]StreamID, error)
}

// StreamScheduler sets what a stream counts for in the schedule of its association.
type StreamScheduler interface {
	// SetStreamValue sets the weight of an outbound stream for the Weighted
	// scheduler, where 0 is as 1, or its priority for Priority, where 0, the
	// default, goes first (SCTP_STREAM_SCHEDULER_VALUE).
	SetStreamValue(id AssocID, stream StreamID, value uint16) error
}
