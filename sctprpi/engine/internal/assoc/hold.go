package assoc

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/rx"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Hold keeps the data of a stream from Poll, or lets it go. When the association
// ends all streams are let go, so that everything is delivered before its end.
func (a *Association) Hold(id socket.StreamID, hold bool) error {
	if a.in == nil || a.state == Closed {
		return socket.ErrAssoc
	}
	if err := a.in.Hold(id, hold); err != nil {
		return socket.ErrStream
	}
	return nil
}

// ReadyStreams appends the streams that have data to be received.
func (a *Association) ReadyStreams(streams []socket.StreamID) []socket.StreamID {
	if a.in == nil {
		return streams
	}
	return a.in.AppendReady(streams)
}

// PutBack gives a Data event back that has been polled, but for its first taken bytes, and puts its
// stream on hold: see rx.Reassembly.PutBack. It returns socket.ErrAssoc if the association has ended
// or the peer has restarted since.
func (a *Association) PutBack(e *socket.Event, taken int) error {
	if a.in == nil || a.state == Closed || a.restarted {
		return socket.ErrAssoc
	}
	n := len(e.Payload) - taken
	switch err := a.in.PutBack(e, taken); err {
	case nil:
		a.counted.bytes -= uint64(n)
		return nil
	case rx.ErrNotRead:
		return socket.ErrEvent
	default:
		return socket.ErrStream
	}
}
