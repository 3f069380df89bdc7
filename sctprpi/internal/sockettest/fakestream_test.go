package sockettest

import (
	"context"
	"maps"
	"slices"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func (s *fake) Hold(id socket.AssocID, stream socket.StreamID, hold bool) error {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	a, err := s.findStream(id, stream)
	if err != nil {
		return err
	}
	stash, held := a.held[stream]
	switch {
	case hold && !held:
		a.held[stream] = a.extract(stream, len(s.events))
	case !hold && held:
		delete(a.held, stream)
		for _, e := range stash {
			a.emit(e)
		}
	}
	return nil
}

func (s *fake) PutBack(e *socket.Event, taken int) error {
	if err := s.Hold(e.Assoc, e.Stream, true); err != nil {
		return err
	}
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	a, err := s.findStream(e.Assoc, e.Stream)
	if err != nil {
		return err
	}
	if e.Kind != socket.Data || taken < 0 || taken > len(e.Payload) || len(e.Payload) == 0 {
		return socket.ErrEvent
	}
	rest := *e
	rest.Begin, rest.Payload = rest.Begin && taken == 0, e.Payload[taken:]
	e.Payload, e.Memory = nil, nil
	if len(rest.Payload) > 0 {
		a.held[e.Stream] = slices.Insert(a.held[e.Stream], 0, rest)
	}
	return nil
}

func (s *fake) findStream(id socket.AssocID, stream socket.StreamID) (*fakeAssoc, error) {
	a, err := s.find(id)
	if err == nil && int(stream) >= a.streams {
		return nil, socket.ErrStream
	}
	return a, err
}

// extract takes up to n of a stream's events out of the socket's.
func (a *fakeAssoc) extract(stream socket.StreamID, n int) []socket.Event {
	var taken []socket.Event
	a.s.events = slices.DeleteFunc(a.s.events, func(e socket.Event) bool {
		match := e.Kind == socket.Data && e.Assoc == a.id && e.Stream == stream && len(taken) < n
		if match {
			taken = append(taken, e)
		}
		return match
	})
	return taken
}

func (s *fake) ReceiveStream(id socket.AssocID, stream socket.StreamID, events []socket.Event) (int, error) {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	a, err := s.findStream(id, stream)
	if err != nil {
		return 0, err
	}
	n := 0
	if stash, held := a.held[stream]; held {
		n = copy(events, stash)
		a.held[stream] = stash[n:]
	} else {
		n = copy(events, a.extract(stream, len(events)))
	}
	s.account(events[:n])
	return n, nil
}

func (s *fake) WaitStream(ctx context.Context, id socket.AssocID, stream socket.StreamID) error {
	for {
		ready, err := s.ReadyStreams(id, nil)
		s.net.mu.Lock()
		wake := s.wake
		if err == nil {
			_, err = s.findStream(id, stream)
		}
		s.net.mu.Unlock()
		if err != nil || slices.Contains(ready, stream) {
			return err
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *fake) ReadyStreams(id socket.AssocID, streams []socket.StreamID) ([]socket.StreamID, error) {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	a, err := s.find(id)
	if err != nil {
		return streams, err
	}
	ready := make(map[socket.StreamID]bool)
	for stream, stash := range a.held {
		if len(stash) > 0 {
			ready[stream] = true
		}
	}
	for _, e := range s.events {
		if e.Kind == socket.Data && e.Assoc == id {
			ready[e.Stream] = true
		}
	}
	return slices.AppendSeq(streams, maps.Keys(ready)), nil
}

func (s *fake) SetStreamValue(id socket.AssocID, stream socket.StreamID, value uint16) error {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	a, err := s.findStream(id, stream)
	if err == nil {
		a.values[stream] = int(value)
	}
	return err
}
