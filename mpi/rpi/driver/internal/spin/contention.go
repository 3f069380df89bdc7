package spin

import (
	"sync"
	"time"
)

// contention detects that other programs want the processors, of which Config.Oversubscribed does
// not know; where ranks share processors see lostSlices. A rank that spins for a peer without a processor gives its own up only at the end of its
// time slice. When the answer comes it has used up its share, and waits as long for a processor
// itself. A rank that blocks uses less than its share, so the system gives it a processor as soon as
// there is a message.
//
// So no rank spins for a while, the back-off, if waits take a time slice again and again, and the
// system says that programs have waited for processors meanwhile. Without the second, the peer may
// as well have been computing. The sooner contention is found again, the longer the next back-off.
//
// Measured, two ranks on two processors beside two programs that compute: 2.4 to 2.6 times as
// long as alone, in place of 3.5 to 3.9 times. Their share would be 2.
type contention struct {
	// pressure returns for how long programs have waited for a processor so far. It is nil if the
	// system does not say: see openPressure.
	pressure func() (time.Duration, error)

	slices int           // waits that took a time slice, in turn
	since  time.Duration // when the first of them ended, or the system was asked last
	waited time.Duration // the pressure then, unless there is one only

	until   time.Duration // the end of the back-off
	backoff time.Duration // how long it is, or was
}

const (
	// slice is the least time that another program has a processor for. Linux gives 3 ms or so.
	slice = time.Millisecond
	// There is contention if within a window at least manySlices waits took a time slice, and
	// programs waited for a processor for more than a share of mostContended. Two ranks that have
	// two processors to themselves, but for their event loops, show 0.05 to 0.5. Beside other
	// programs it is less than 1 too, as ranks that wait for each other leave processors idle.
	manySlices    = 5
	window        = 50 * time.Millisecond
	mostContended = 0.5

	shortestBackoff = 50 * time.Millisecond
	longestBackoff  = 1600 * time.Millisecond
)

// systemPressure is openPressure, once for all ranks of the process.
var systemPressure = sync.OnceValue(openPressure)

// learn learns from how long a wait took. It asks the system once in a window at most, which takes
// 10 µs, and not after a long wait that is alone in its window.
func (c *contention) learn(now, wait time.Duration) {
	if wait < slice || c.pressure == nil || now < c.until {
		return
	}
	passed := now - c.since
	switch c.slices++; {
	case c.slices == 1 || passed >= 2*window: // the count begins
		c.since, c.slices = now, 1
		return
	case c.slices > 2 && passed < window:
		return
	}
	waited, err := c.pressure()
	if err != nil {
		c.pressure = nil
		return
	}
	contended := c.slices > manySlices && float64(waited-c.waited) > mostContended*float64(passed)
	if c.since, c.waited, c.slices = now, waited, 2; contended {
		c.backOff(now)
	}
}

// backOff begins a back-off: there is contention.
func (c *contention) backOff(now time.Duration) {
	if now-c.until > c.backoff+2*window {
		c.backoff = 0
	}
	c.backoff = min(max(2*c.backoff, shortestBackoff), longestBackoff)
	c.until, c.slices = now+c.backoff, 0
}

// backsOff reports whether ranks should not spin now.
func (c *contention) backsOff(now time.Duration) bool { return now < c.until }
