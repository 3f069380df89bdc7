package spin

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// spinFor is how long a wait spins to which something arrives every so often, ours or not, so many times.
func spinFor(t *testing.T, limit, every time.Duration, times int, ours bool) (spun time.Duration) {
	synctest.Test(t, func(*testing.T) {
		s := newSpinner(rpi.Config{}, 0)
		s.Begin(0, limit)
		next := every
		for turn := 1; ; turn++ {
			some := times > 0 && s.now() >= next
			if some {
				times--
				next += every
			}
			if !s.Again(turn, some, ours) {
				break
			}
			time.Sleep(100 * time.Nanosecond)
		}
		spun = s.now()
	})
	return spun
}

func TestAWaitSpinsForItsLimit(t *testing.T) {
	const limit = 20 * time.Microsecond
	require.InDelta(t, limit, spinFor(t, limit, 0, 0, true), float64(time.Microsecond))
	require.Zero(t, spinFor(t, 0, 0, 0, true), "it looks once")
}

func TestAWaitSpinsLongerOnceSomethingHasArrivedForIt(t *testing.T) {
	const limit, arrivals = 20 * time.Microsecond, 10
	spun := spinFor(t, limit, limit/2, arrivals, true)
	require.Greater(t, spun, arrivals*limit/2)
	require.Less(t, spun, arrivals*limit/2+Longest)
	require.InDelta(t, limit, spinFor(t, limit, limit/2, arrivals, false), float64(time.Microsecond), "it may be another's")
}

// A wait that has blocked looks once when it is woken, and longer if something arrives.
func TestAWaitThatHasBlockedLooksOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSpinner(rpi.Config{}, 0)
		s.Begin(0, switchCost)
		s.Resume()
		require.False(t, s.Again(1, false, true))
		s.Resume()
		require.True(t, s.Again(1, true, true))
		require.True(t, s.Again(2, false, true))
	})
}

func TestAnArrivalMakesNoWaitSpinThatShallNot(t *testing.T) {
	const never = -1
	synctest.Test(t, func(t *testing.T) {
		s := newSpinner(rpi.Config{Spin: never}, 0)
		require.Negative(t, s.Limit(rpi.ForArrival, 0))
		s.Begin(0, s.Limit(rpi.ForArrival, 0))
		require.True(t, s.Again(1, true, true), "what has arrived may be the first of many")
		require.False(t, s.Again(2, false, true))
	})
}

// Waits for a message and for an answer learn apart from each other.
func TestEachKindOfWaitHasItsBudget(t *testing.T) {
	s := newSpinner(rpi.Config{}, 0)
	for range 100 {
		s.Learn(rpi.ForAnswer, 0, 8*time.Microsecond)
	}
	require.Equal(t, switchCost, s.Limit(rpi.ForArrival, 0))
	require.Greater(t, s.Limit(rpi.ForAnswer, 0), switchCost)
	s.contention.backOff(0)
	require.Zero(t, s.Limit(rpi.ForAnswer, 0), "others want the processors")
}

func TestOtherGoroutinesRunEveryFewLooks(t *testing.T) {
	s := newSpinner(rpi.Config{}, 0)
	runs := 0
	for turn := range 3 * s.goschedEvery {
		if s.LetOthersRun(1 + turn) {
			runs++
		}
	}
	require.Equal(t, 3, runs)
}
