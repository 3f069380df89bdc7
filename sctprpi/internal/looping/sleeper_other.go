//go:build !linux

package looping

import "time"

// sleeper waits for wakes. A core that has no descriptor wakes it for packets too.
type sleeper struct{ woken chan struct{} }

func (s *sleeper) open(int) error {
	s.woken = make(chan struct{}, 1)
	return nil
}

// sleep waits until the deadline or for a wake, which may have come before.
func (s *sleeper) sleep(deadline time.Time) {
	var timeout <-chan time.Time
	if !deadline.IsZero() {
		timer := time.NewTimer(time.Until(deadline))
		defer timer.Stop()
		timeout = timer.C
	}
	select {
	case <-s.woken:
	case <-timeout:
	}
}

// sleepUntilWoken waits for a wake.
func (s *sleeper) sleepUntilWoken() { <-s.woken }

// wake ends a sleep, the one under way or the next.
func (s *sleeper) wake() {
	select {
	case s.woken <- struct{}{}:
	default:
	}
}

func (s *sleeper) close() {}
