package engine

import (
	"context"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Hold keeps the data of a stream from Receive, or lets it go.
func (s *Socket) Hold(id socket.AssocID, stream socket.StreamID, hold bool) error {
	return s.call(func() error { return s.ep.Hold(id, stream, hold) })
}

// ReceiveStream is Receive for the data of one stream.
func (s *Socket) ReceiveStream(id socket.AssocID, stream socket.StreamID, events []socket.Event) (n int, err error) {
	n, err = s.takeStream(id, stream, events)
	if n > 0 || err != nil {
		return n, err
	}
	s.polls.Add(1)
	if !s.reading.TryLock() {
		return 0, nil
	}
	s.read()
	s.reading.Unlock()
	return s.takeStream(id, stream, events)
}

func (s *Socket) takeStream(id socket.AssocID, stream socket.StreamID, events []socket.Event) (n int, err error) {
	err = s.call(func() error {
		s.expire()
		n, err = s.ep.PollStream(id, stream, events)
		return err
	})
	return n, err
}

// WaitStream waits until ReceiveStream has something to return.
func (s *Socket) WaitStream(ctx context.Context, id socket.AssocID, stream socket.StreamID) error {
	for {
		s.mu.Lock()
		err := s.open()
		ready := false
		if err == nil {
			ready, err = s.ep.StreamReady(id, stream)
		}
		if ready || err != nil {
			s.mu.Unlock()
			return err
		}
		w := s.streamWaiters.Add()
		w.Assoc, w.Stream = id, stream
		s.mu.Unlock()
		s.resume()
		if err := s.sleep(ctx, &s.streamWaiters, w); err != nil {
			return err
		}
	}
}

// ReadyStreams appends the streams of an association that have data.
func (s *Socket) ReadyStreams(id socket.AssocID, streams []socket.StreamID) ([]socket.StreamID, error) {
	err := s.call(func() (err error) {
		streams, err = s.ep.ReadyStreams(id, streams)
		return err
	})
	return streams, err
}

// SetStreamValue sets what an outbound stream counts for in the schedule.
func (s *Socket) SetStreamValue(id socket.AssocID, stream socket.StreamID, value uint16) error {
	return s.call(func() error { return s.ep.SetStreamValue(id, stream, value) })
}
