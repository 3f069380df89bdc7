package engine

import (
	"context"
	"math"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// The event loop keeps out of the way of somebody who looks at the network again and again,
// before it sees whether they still do: see progress.Driver, which has the same limits.
const (
	shortestPause = time.Millisecond
	longestPause  = 5 * time.Millisecond
)

// loop does what nobody is there to do: it waits for packets and timers.
func (s *Socket) loop() {
	defer close(s.done)
	timer, pause := time.NewTimer(shortestPause), shortestPause
	defer timer.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for seen := s.polls.Load(); !s.closed; {
		polls := s.polls.Load()
		if polls != seen && s.waiters.Empty() && s.streamWaiters.Empty() || !s.leader.TryLock() {
			seen = polls
			s.mu.Unlock()
			wanted := s.keepAway(timer, pause)
			pause = min(pause+pause/8, longestPause)
			if wanted {
				seen, pause = s.polls.Load(), shortestPause
			}
			s.mu.Lock()
			continue
		}
		pause = shortestPause
		s.catchUp()
		s.await(false, false)
		s.leader.Unlock()
	}
}

// keepAway lets others look at the network, and reports whether the loop is called for.
// While one of them leads it waits until that one has done.
func (s *Socket) keepAway(timer *time.Timer, pause time.Duration) (wanted bool) {
	timer.Reset(pause)
	select {
	case <-timer.C:
	case <-s.handover:
		return true
	}
	s.asleep.Store(true)
	if s.leader.TryLock() { // else the leader sees that the loop is asleep
		s.leader.Unlock()
		s.asleep.Store(false)
		return false
	}
	<-s.handover
	return false
}

// lead does what the event loop does, for one who is in Wait, until there are events.
// mu is held, but while it waits, and leader.
func (s *Socket) lead(ctx context.Context) error {
	hurry := ctx.Done() == nil
	if !hurry {
		defer context.AfterFunc(ctx, s.conn.Wake)()
	}
	for s.catchUp(); !s.waited() && ctx.Err() == nil; {
		s.polls.Add(1)
		if !s.await(true, hurry) {
			s.catchUp()
		}
	}
	s.polls.Add(1)
	s.leader.Unlock()
	if s.asleep.Swap(false) || !s.streamWaiters.Empty() || !s.waiters.Empty() {
		s.resume()
	}
	switch {
	case s.closed:
		return socket.ErrClosed
	case s.woken || s.ep.Ready():
		s.woken = false
		return nil
	}
	return ctx.Err()
}

// catchUp handles timers and sends what there is to send, for the leader. mu is held.
func (s *Socket) catchUp() {
	if s.closed {
		return
	}
	s.expire()
	if s.ep.Sending() {
		s.flush(s.now())
	}
}

// await waits until there is more to do, and takes in what has arrived; for one who is in
// Wait also until there are events, of whatever origin, and in a hurry perhaps. mu is held,
// but while it waits, and leader. If something had arrived timers have been handled too.
func (s *Socket) await(forEvents, hurry bool) (arrived bool) {
	if s.closed {
		return false
	}
	var until time.Time
	if s.waits = time.Duration(s.due.Load()); s.waits != math.MaxInt64 {
		until = s.epoch.Add(s.waits)
	}
	s.parked.Store(forEvents)
	s.mu.Unlock()
	var err error
	if hurry {
		err = s.conn.Block(until)
	} else {
		err = s.conn.Wait(until)
	}
	s.parked.Store(false)
	if err == nil { // else it is closed
		s.reading.Lock()
		for n := s.read(); n > 0; n = s.read() {
			if arrived = true; s.ready.Load() {
				break
			}
		}
		s.reading.Unlock()
	}
	s.mu.Lock()
	s.waits = 0 // until it waits again it need not be woken
	return arrived
}

// resume ends the event loop's pause: somebody relies on it.
func (s *Socket) resume() {
	select {
	case s.handover <- struct{}{}:
	default:
	}
}
