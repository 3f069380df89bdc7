package assoc

import "github.com/sctpmpi/sctpmpi/sctprpi/socket"

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
