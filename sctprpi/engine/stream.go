package engine

import "github.com/sctpmpi/sctpmpi/sctprpi/socket"

// Hold keeps the data of a stream from Receive, or lets it go.
func (s *Core) Hold(id socket.AssocID, stream socket.StreamID, hold bool) error {
	return s.call(func() error { return s.ep.Hold(id, stream, hold) })
}

// PutBack gives back what is left of an event, and puts its stream on hold.
func (s *Core) PutBack(e *socket.Event, taken int) error {
	return s.call(func() error { return s.ep.PutBack(e, taken) })
}

// ReceiveStream is Receive for the data of one stream.
func (s *Core) ReceiveStream(id socket.AssocID, stream socket.StreamID, events []socket.Event) (n int, err error) {
	n, err = s.takeStream(id, stream, events)
	if n > 0 || err != nil {
		return n, err
	}
	if !s.readAll() {
		return 0, nil
	}
	return s.takeStream(id, stream, events)
}

func (s *Core) takeStream(id socket.AssocID, stream socket.StreamID, events []socket.Event) (n int, err error) {
	err = s.call(func() error {
		s.expire()
		n, err = s.ep.PollStream(id, stream, events)
		return err
	})
	return n, err
}

// StreamReady reports whether ReceiveStream has something to return.
func (s *Core) StreamReady(id socket.AssocID, stream socket.StreamID) (ready bool, err error) {
	err = s.call(func() error {
		ready, err = s.ep.StreamReady(id, stream)
		return err
	})
	return ready, err
}

// ReadyStreams appends the streams of an association that have data.
func (s *Core) ReadyStreams(id socket.AssocID, streams []socket.StreamID) ([]socket.StreamID, error) {
	err := s.call(func() (err error) {
		streams, err = s.ep.ReadyStreams(id, streams)
		return err
	})
	return streams, err
}

// SetStreamValue sets what an outbound stream counts for in the schedule.
func (s *Core) SetStreamValue(id socket.AssocID, stream socket.StreamID, value uint16) error {
	return s.call(func() error { return s.ep.SetStreamValue(id, stream, value) })
}
