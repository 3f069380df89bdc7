package assoc

import (
	"slices"

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
	i := slices.Index(a.held, id)
	switch {
	case hold && i < 0:
		a.held = append(a.held, id)
	case !hold && i >= 0:
		a.held = slices.Delete(a.held, i, i+1)
	}
	return nil
}

// letGo ends all holds.
func (a *Association) letGo() {
	a.holdAll(false)
	a.held = nil
}

// holdAll puts the streams that the user has put on hold there, or lets them go.
func (a *Association) holdAll(hold bool) {
	for _, id := range a.held {
		if err := a.in.Hold(id, hold); err != nil {
			panic(err) // it existed when it was put on hold
		}
	}
}

// ReadyStreams appends the streams that have data to be received.
func (a *Association) ReadyStreams(streams []socket.StreamID) []socket.StreamID {
	if a.in == nil {
		return streams
	}
	return a.in.AppendReady(streams)
}
