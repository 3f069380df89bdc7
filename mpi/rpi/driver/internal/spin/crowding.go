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

	waits int           // in a row beside a peer
	until time.Duration // no move before that
	pause time.Duration // between the last two moves
}

const (
	// crowded is how many waits in a row beside a peer are too many.
	crowded = 64

	shortestPauseToMove = 10 * time.Millisecond
	longestPauseToMove  = time.Second
)

// learn learns whether a wait that has not been over at once is beside a peer. After too many of them it moves the thread, and does
// nothing for a while.
func (c *crowding) learn(now time.Duration, beside bool) {
	if !beside || c.move == nil {
		c.waits = 0
		return
	}
	if c.waits++; c.waits < crowded || now < c.until {
		return
	}
	c.waits = 0
	c.pause = min(max(2*c.pause, shortestPauseToMove), longestPauseToMove)
	if now-c.until > longestPauseToMove {
		c.pause = shortestPauseToMove
	}
	c.until = now + c.pause
	if !c.move() {
		c.move = nil
	}
}
