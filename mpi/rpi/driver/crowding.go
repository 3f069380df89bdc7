package driver

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

	turns int           // in a row in which the peer had the processor, and then there was a message
	until time.Duration // no move before that
	pause time.Duration // between the last two moves
}

const (
	// A yield that takes that long has let another process have the processor.
	switchTime = time.Microsecond
	// crowded is how many turns in a row show that the two are on one processor.
	crowded = 64

	shortestPauseToMove = 10 * time.Millisecond
	longestPauseToMove  = time.Second
)

// yield lets another process have the processor. It returns for how long, if memory is shared with a peer: over a network of
// this host two ranks may well be faster on one processor.
func (d *Driver) yield() time.Duration {
	if !d.shares.Load() {
		yield()
		return 0
	}
	begun := time.Since(d.epoch)
	yield()
	return time.Since(d.epoch) - begun
}

// learn learns from a yield that took so long, and from whether there was a message just after it.
func (c *crowding) learn(now, yielded time.Duration, message bool) {
	if c.move == nil {
		return
	}
	if yielded < switchTime || !message {
		c.turns = 0
		return
	}
	if c.turns++; c.turns < crowded || now < c.until {
		return
	}
	c.turns = 0
	c.pause = min(max(2*c.pause, shortestPauseToMove), longestPauseToMove)
	if now-c.until > longestPauseToMove {
		c.pause = shortestPauseToMove
	}
	c.until = now + c.pause
	if !c.move() {
		c.move = nil
	}
}
