package spin

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// crowd is what a thread sees of a processor that it shares with its peer, or not.
type crowd struct {
	crowding
	now      time.Duration
	switched int64
	thread   int
	moves    int
}

func newCrowd() *crowd {
	c := new(crowd)
	c.move = func() bool { c.moves++; return true }
	c.switches = func() (int64, int) { return c.switched, c.thread }
	return c
}

// turn is a yield after which there was a message.
func (c *crowd) turn(yielded time.Duration, switches int64) {
	c.now += yielded
	c.switched += switches
	c.learn(c.now, yielded, true)
}

func TestOnlyAThreadThatIsSwitchedInEachTurnMoves(t *testing.T) {
	c := newCrowd()
	for range 100 * crowded {
		c.turn(2*time.Microsecond, 0) // a system call takes that long in a virtual machine
	}
	require.Zero(t, c.moves)
	for range 100 * crowded {
		c.turn(switchTime/2, 1)
	}
	require.Zero(t, c.moves)
	c.now += longestPauseToMove
	for range 2 * crowded {
		c.turn(2*time.Microsecond, 1)
	}
	require.Equal(t, 1, c.moves)
	for range 4 * crowded {
		c.turn(2*time.Microsecond, 1)
	}
	require.Equal(t, 1, c.moves, "not again so soon")
}

func TestTurnsWithoutAMessageShowNothing(t *testing.T) {
	c := newCrowd()
	for range 100 {
		for range 2*crowded - 1 {
			c.turn(2*time.Microsecond, 1)
		}
		c.learn(c.now, 2*time.Microsecond, false)
	}
	require.Zero(t, c.moves)
}

// The switches of two threads are not those of one.
func TestAGoroutineThatChangedItsThreadDoesNotMove(t *testing.T) {
	c := newCrowd()
	for range 100 {
		for range crowded {
			c.turn(2*time.Microsecond, 1)
		}
		c.thread++
	}
	require.Zero(t, c.moves)
}
