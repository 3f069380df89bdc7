package engine

import (
	"math"
	"sync/atomic"
	"time"
)

// rest is the time in which the driver waits, and may have to be woken.
type rest struct {
	until  atomic.Int64 // the deadline it knows, in time of the protocol; 0: it does not rest
	events atomic.Bool  // it waits for events too
}

// wake wakes a driver that would wait for longer than until due.
func (r *rest) wake(s *Core, due time.Duration) {
	if int64(due) < r.until.Load() {
		r.end()
		s.wake()
	}
}

// wakeForEvents wakes a driver that waits for events.
func (r *rest) wakeForEvents(s *Core) {
	if r.events.Load() {
		r.end()
		s.wake()
	}
}

func (r *rest) end() {
	r.until.Store(0)
	r.events.Store(false)
}

// SetWake implements socket.Core.
func (s *Core) SetWake(wake func()) {
	s.wake = wake
	s.conn.OnArrival(func() { s.rest.wake(s, 0) })
}

// Descriptor implements socket.Core.
func (s *Core) Descriptor() int { return s.conn.Descriptor() }

// Embedded implements socket.Core.
func (s *Core) Embedded() bool { return true }

// Ready implements socket.Core.
func (s *Core) Ready() bool { return s.ready.Load() }

// Rest implements socket.Core.
func (s *Core) Rest(events bool) (deadline time.Time, ready bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	due := time.Duration(s.due.Load())
	s.rest.until.Store(int64(due))
	s.rest.events.Store(events)
	if s.conn.Rest() || s.closed || events && s.ep.Ready() || due <= s.now() {
		s.rest.end()
		return deadline, true
	}
	if due != math.MaxInt64 {
		deadline = s.epoch.Add(due)
	}
	return deadline, false
}

// Resume implements socket.Core.
func (s *Core) Resume() {
	s.rest.end()
	s.looks.Store(0)
}
