package spin

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func TestOnlyAThreadThatIsBesideItsPeerInEachWaitMoves(t *testing.T) {
	moves := 0
	c := crowding{move: func() bool { moves++; return true }}
	now := time.Second
	wait := func(times int, beside bool) {
		for range times {
			now += time.Microsecond
			c.learn(now, beside)
		}
	}
	wait(100*crowded, false)
	for range 100 {
		wait(crowded-1, true)
		wait(1, false)
	}
	require.Zero(t, moves)
	wait(crowded, true)
	require.Equal(t, 1, moves)
	wait(4*crowded, true)
	require.Equal(t, 1, moves, "not again so soon")
	now += shortestPauseToMove
	wait(crowded, true)
	require.Equal(t, 2, moves)
	now += shortestPauseToMove
	wait(crowded, true)
	require.Equal(t, 2, moves, "the pause is longer each time")
	now += longestPauseToMove
	wait(crowded, true)
	require.Equal(t, 3, moves)
}

func TestAThreadThatCannotMoveDoesNotTryAgain(t *testing.T) {
	tries := 0
	c := crowding{move: func() bool { tries++; return false }}
	for now := range 10 * longestPauseToMove / time.Millisecond {
		c.learn(now*time.Millisecond, true)
	}
	require.Equal(t, 1, tries)
}

// yieldsIn is how often a wait yields that ends after so long, where a peer is on the same processor or not.
func yieldsIn(t *testing.T, wait time.Duration, beside, known bool) (yields, asked int) {
	synctest.Test(t, func(*testing.T) {
		s := newSpinner(rpi.Config{}, 0)
		s.Share()
		s.Beside = func() (bool, bool) {
			asked++
			return beside, known
		}
		s.crowding.move = nil
		s.Begin(0, wait)
		for turn := 1; s.Again(turn, false, true); turn++ {
			time.Sleep(100 * time.Nanosecond)
		}
		yields = s.yields
	})
	return yields, asked
}

func TestAWaitYieldsAtOnceOnlyBesideItsPeer(t *testing.T) {
	yields, asked := yieldsIn(t, patience, true, true)
	require.InDelta(t, patience/(osYield*100*time.Nanosecond), yields, 2)
	require.Equal(t, 1, asked)
	yields, asked = yieldsIn(t, patience, false, true)
	require.Zero(t, yields)
	require.Equal(t, 1, asked)
	yields, _ = yieldsIn(t, 2*patience, false, true)
	require.InDelta(t, patience/(osYield*100*time.Nanosecond), yields, 2, "the peer may have been moved")
	yields, _ = yieldsIn(t, patience, true, false)
	require.NotZero(t, yields, "it is not known")
}
