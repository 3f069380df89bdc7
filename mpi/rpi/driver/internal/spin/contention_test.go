package spin

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shared is a host on which other programs want processors for a share of the time.
type shared struct {
	contention
	now, waited time.Duration
	share       float64
	asked       int
}

func newShared(share float64) *shared {
	s := &shared{share: share}
	s.pressure = func() (time.Duration, error) {
		s.asked++
		return s.waited, nil
	}
	return s
}

// wait makes waits one after the other for a while.
func (s *shared) wait(wait, while time.Duration) {
	for end := s.now + while; s.now < end; {
		s.now += wait
		s.waited += time.Duration(s.share * float64(wait))
		s.learn(s.now, wait)
	}
}

func TestRanksDoNotSpinUnderContention(t *testing.T) {
	t.Run("no spinning where waits are long and programs wait for processors", func(t *testing.T) {
		s := newShared(0.7)
		s.wait(2*time.Millisecond, 3*window/2)
		assert.True(t, s.backsOff(s.now))
		assert.False(t, s.backsOff(s.now+shortestBackoff+2*window))
	})
	t.Run("spinning where waits are long and no program waits for a processor", func(t *testing.T) {
		s := newShared(0.4)
		s.wait(2*time.Millisecond, time.Second)
		assert.Zero(t, s.until)
	})
	t.Run("spinning where waits are short, and the system is not asked", func(t *testing.T) {
		s := newShared(1)
		s.wait(20*time.Microsecond, time.Second)
		assert.Zero(t, s.until)
		assert.Zero(t, s.asked)
	})
	t.Run("the system is not asked after a long wait that is alone", func(t *testing.T) {
		s := newShared(1)
		s.wait(2*window, 20*window)
		assert.Zero(t, s.asked)
	})
	t.Run("spinning where few waits are long", func(t *testing.T) {
		s := newShared(1)
		s.wait(window/2, 2*time.Second)
		assert.Zero(t, s.until)
	})
	t.Run("the back-off is longer each time", func(t *testing.T) {
		s := newShared(0.7)
		var backoffs []time.Duration
		for range 8 {
			for !s.backsOff(s.now) {
				s.wait(2*time.Millisecond, 2*time.Millisecond)
			}
			backoffs = append(backoffs, s.backoff)
			s.now = s.until
		}
		ms := time.Millisecond
		assert.Equal(t, []time.Duration{50 * ms, 100 * ms, 200 * ms, 400 * ms, 800 * ms, 1600 * ms, 1600 * ms, 1600 * ms}, backoffs)
		s.now += 2 * longestBackoff // after a time without contention
		s.wait(2*time.Millisecond, 3*window/2)
		assert.Equal(t, shortestBackoff, s.backoff)
	})
	t.Run("the system is asked once in a window", func(t *testing.T) {
		s := newShared(0.1)
		s.wait(time.Millisecond, time.Second)
		assert.LessOrEqual(t, s.asked, int(time.Second/window)+1)
	})
	t.Run("spinning where the system does not say", func(t *testing.T) {
		s := newShared(1)
		s.pressure = func() (time.Duration, error) {
			s.asked++
			return 0, errors.New("gone")
		}
		s.wait(2*time.Millisecond, time.Second)
		assert.Zero(t, s.until)
		assert.Equal(t, 1, s.asked)
		s.pressure = nil
		s.wait(2*time.Millisecond, time.Second)
		require.Zero(t, s.until)
	})
}
