package socket

import "context"

// StreamReceiver adds to RFC 6458, in which a receive takes the next message of any stream. It
// receives from one stream of one association, and lets other streams wait. The embedded engine
// implements it. Linux offers nothing to build it on.
type StreamReceiver interface {
	// Hold keeps the data of a stream from Receive until it is let go again, or
	// the association ends: all that has arrived comes before its last event.
	// ReceiveStream gets it all the same. What arrives counts towards the
	// association's receive buffer; Config.StreamLimit and StreamPool bound how
	// much of that one stream can take, and say what becomes of the others.
	Hold(id AssocID, stream StreamID, hold bool) error

	// PutBack gives back a Data event that has been received and not released, but for the first
	// taken bytes of its Payload, and puts its stream on hold. The rest is the first that
	// ReceiveStream returns of the stream, or Receive when the hold has ended: in the same memory,
	// with Begin only if taken is 0, and with End as before. If all has been taken there is no rest;
	// the stream is put on hold all the same. Several events of a stream are put back last first.
	// The event is released by this: none of its bytes may be used any more, taken ones neither.
	//
	// The rest counts as not received: towards the receive buffer, which it may exceed by so much,
	// and towards the limits of Config for the stream, as far as the peer has not been told already
	// that it has been received.
	//
	// Errors leave the event as it is: ErrAssoc if the association has ended or the peer has
	// restarted, ErrStream, ErrClosed, and ErrEvent if it is no Data event, has been released, or
	// has fewer bytes than taken. An event must not be put back after Restarted has been received.
	PutBack(e *Event, taken int) error

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
