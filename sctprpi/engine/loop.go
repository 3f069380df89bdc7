package engine

import (
	"math"
	"time"
)

// pause is how long the event loop keeps out of the way of somebody who looks at the
// network again and again, before it sees whether they still do.
const pause = time.Millisecond

// loop does what nobody is there to do: it waits for packets and timers.
func (s *Socket) loop() {
	defer close(s.done)
	timer := time.NewTimer(pause)
	seen := s.polls.Load()
	for s.turn() {
		if polls := s.polls.Load(); polls != seen {
			seen = polls
			timer.Reset(pause)
			select {
			case <-timer.C:
			case <-s.handover:
				timer.Stop()
			}
			continue
		}
		if s.conn.Wait(s.until()) != nil {
			return
		}
		s.reading.Lock()
		for s.read() {
		}
		s.reading.Unlock()
	}
}

// turn handles timers, sends what there is to send, and reports whether to go on.
func (s *Socket) turn() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waits = 0 // until it waits it need not be woken
	if s.closed {
		return false
	}
	s.expire()
	if s.ep.Sending() {
		s.flush(s.now())
	}
	return true
}

// until returns when the event loop must be back at the latest.
func (s *Socket) until() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waits = time.Duration(s.due.Load())
	if s.waits == math.MaxInt64 {
		return time.Time{}
	}
	return s.epoch.Add(s.waits)
}

// resume ends the event loop's pause: somebody relies on it.
func (s *Socket) resume() {
	select {
	case s.handover <- struct{}{}:
	default:
	}
}
