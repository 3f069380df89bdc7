package spin

import "time"

// crowding notices that a goroutine that spins has the same processor as the peer that it waits for, though there are others.
// The two then run in turn, by yielding, and each message costs two switches. Linux leaves it so: it moves neither, as both have
// run just now. Then the goroutine's thread moves to another processor.
//
// Measured, two ranks on two processors beside programs that compute with less priority: half the round trip of 8 bytes in
// shared memory takes 4 µs on one processor, and 1 µs on two.
type crowding struct {
	// move moves the caller's thread to another processor that it may use, and reports whether there is one. Nil: never.
	move func() bool
	// switches counts how often the system has given the processor of the caller's thread to another one.
	switches func() (count int64, thread int)

	turns int // in a row that may have let the peer have the processor, as then there was a message
	// The thread after the first half of them, and its switches by then.
	thread int
	before int64
	until  time.Duration // no move before that
	pause  time.Duration // between the last two moves
}

const (
	// A yield that takes less has not let another process have the processor. One that has takes longer, but in a virtual
	// machine others do, too: only the system knows.
	switchTime = time.Microsecond
	// crowded is how many turns in a row are suspicious. If the system has switched in each of as many more, the two are on one
	// processor.
	crowded = 64

	shortestPauseToMove = 10 * time.Millisecond
	longestPauseToMove  = time.Second
)

// learn learns from a yield that took so long, and from whether there was a message just after it.
func (c *crowding) learn(now, yielded time.Duration, message bool) {
	if c.move == nil {
		return
	}
	if yielded < switchTime || !message {
		c.turns = 0
		return
	}
	switch c.turns++; {
	case c.turns == crowded && now < c.until:
		c.turns = 0
	case c.turns == crowded:
		c.before, c.thread = c.switches()
	case c.turns == 2*crowded:
		c.turns = 0
		c.decide(now)
	}
}

// decide moves the thread if it was switched in each turn lately, and does nothing for a while.
func (c *crowding) decide(now time.Duration) {
	after, thread := c.switches()
	if thread != c.thread || after-c.before < crowded {
		c.until = now + shortestPauseToMove
		return
	}
	c.pause = min(max(2*c.pause, shortestPauseToMove), longestPauseToMove)
	if now-c.until > longestPauseToMove {
		c.pause = shortestPauseToMove
	}
	c.until = now + c.pause
	if !c.move() {
		c.move = nil
	}
}
