package spin

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// after returns a budget that has learnt the same n times.
func after(n int, wait time.Duration) *budget {
	b := &budget{longest: Longest}
	for range n {
		b.learn(wait)
	}
	return b
}

func TestWaitsSpinAboutAsLongAsTheyTake(t *testing.T) {
	const usual = 8 * time.Microsecond
	b := after(100, usual)
	require.InDelta(t, 2*usual+margin, b.spin(), float64(time.Microsecond))
	require.LessOrEqual(t, after(100, Longest).spin(), Longest)
}

func TestLongWaitsDoNotSpin(t *testing.T) {
	require.Equal(t, switchCost, after(100, time.Millisecond).spin())
	require.Equal(t, switchCost, (&budget{longest: Longest}).spin(), "before anything is known")
	b := after(100, time.Millisecond)
	for range 10 {
		b.learn(5 * time.Microsecond)
	}
	require.Greater(t, b.spin(), switchCost, "it learns again")
}

func TestAFixedBudgetStaysAsItIs(t *testing.T) {
	b := &budget{fixed: time.Second}
	b.learn(time.Millisecond)
	require.Equal(t, time.Second, b.spin())
}
