package tx

import "github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"

// SetStreamValue sets what the scheduler goes by: the weight of a stream, where 0
// is as 1, or its priority, where 0, the default, goes first. Other schedulers
// ignore it.
func (s *Sender) SetStreamValue(id wire.StreamID, value uint16) error {
	if err := s.checkStream(id); err != nil {
		return err
	}
	st := s.queue.streams.use(id)
	st.value = value
	if st.slot >= 0 {
		s.queue.schedule.add(st)
	}
	return nil
}

// PauseStream keeps a stream from sending another message, so that it can be reset
// (RFC 6525, section 5.1.2); a message that is partly sent is finished. Messages
// may still be queued.
func (s *Sender) PauseStream(id wire.StreamID) error {
	if err := s.checkStream(id); err != nil {
		return err
	}
	s.queue.pause(s.queue.streams.use(id))
	return nil
}

// StreamIdle reports whether the peer has acknowledged all that a stream has sent
// and no message is partly sent: whether, once paused, it may be reset.
func (s *Sender) StreamIdle(id wire.StreamID) (bool, error) {
	if err := s.checkStream(id); err != nil {
		return false, err
	}
	st := s.queue.streams.Get(id)
	return st == nil || st.outstanding == 0 && !st.started(), nil
}

// ResumeStream lets a paused stream send again, with numbers from 0 if it has been
// reset.
func (s *Sender) ResumeStream(id wire.StreamID, reset bool) error {
	if err := s.checkStream(id); err != nil {
		return err
	}
	st := s.queue.streams.use(id)
	if reset {
		st.restart()
	}
	s.queue.resume(st)
	return nil
}
