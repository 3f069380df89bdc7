package spin

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func TestContentionIsManySlicesLostInFewWaits(t *testing.T) {
	// reports makes waits of which one in so many loses a slice, and returns what each loss reports.
	reports := func(waitsPerLoss, losses int) (all []bool) {
		var l lostSlices
		for range losses {
			for range waitsPerLoss {
				l.wait()
			}
			all = append(all, l.lose())
		}
		return all
	}
	const no, yes = false, true
	require.Equal(t, []bool{no, no, no, no, yes, no, no, no, no, yes}, reports(1, 10))
	require.Equal(t, []bool{no, no, no, no, yes, no, no, no, no, yes}, reports(2, 10))
	require.Equal(t, make([]bool, 10), reports(3, 10))
}

// spinner is a Policy on virtual time whose yields take so long, and which counts them.
type spinner struct {
	Policy
	yields int
}

func newSpinner(cfg rpi.Config, yieldTakes time.Duration) *spinner {
	s := &spinner{Policy: New(cfg, time.Now())}
	s.contention.pressure = nil // that of this machine
	s.YieldProcessor = func() {
		s.yields++
		time.Sleep(yieldTakes)
	}
	return s
}

// wait waits for what comes after a time: it spins, and then it blocks.
func (s *spinner) wait(after time.Duration) {
	begun := s.now()
	comes := begun + after
	s.Begin(begun, s.Limit(rpi.ForArrival, begun))
	for turn := 1; ; turn++ {
		some := s.now() >= comes
		if some {
			break
		}
		if !s.Again(turn, some, true) {
			time.Sleep(comes - s.now())
			break
		}
		time.Sleep(100 * time.Nanosecond) // a look
	}
	s.Learn(rpi.ForArrival, s.now(), s.now()-begun)
}

func TestRanksThatShareProcessorsBlockBesideProgramsThatCompute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSpinner(rpi.Config{Oversubscribed: true}, 3*time.Millisecond)
		for loss := range manyLost {
			s.wait(10 * time.Millisecond)
			require.Equal(t, 1+loss, s.yields, "a wait that has lost a slice loses no other")
		}
		require.NotZero(t, s.contention.until)
		for s.contention.backsOff(s.now()) {
			s.wait(10 * time.Millisecond)
		}
		require.Equal(t, manyLost, s.yields)
		s.wait(10 * time.Millisecond)
		require.Equal(t, manyLost+1, s.yields, "then it is tried again")
	})
}

func TestRanksGoOnYieldingAmongThemselves(t *testing.T) {
	for name, c := range map[string]struct {
		cfg   rpi.Config
		yield time.Duration
	}{
		"yields that are short":     {rpi.Config{Oversubscribed: true}, 5 * time.Microsecond},
		"a time that was asked for": {rpi.Config{Oversubscribed: true, Spin: time.Minute}, 3 * time.Millisecond},
		"a processor for each rank": {rpi.Config{}, 3 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSpinner(c.cfg, c.yield)
				for range 100 {
					before := s.yields
					s.wait(10 * time.Millisecond)
					require.Greater(t, s.yields, before)
				}
			})
		})
	}
}
