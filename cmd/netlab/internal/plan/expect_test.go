package plan_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/internal/netem"
)

func TestCongestionControlAllowsLessTheMoreIsLost(t *testing.T) {
	allowed := func(text string) float64 {
		c, err := netem.Parse(text)
		assert.NoError(t, err)
		return plan.Allowed(c) / 1e6
	}
	// 12.2, 8.7 and 5.5 packets in 20 ms.
	assert.InDelta(t, 7.1, allowed("delay 10ms loss 1% rate 20mbit"), 0.05)
	assert.InDelta(t, 5.0, allowed("delay 10ms loss 2% rate 20mbit"), 0.05)
	assert.InDelta(t, 3.2, allowed("delay 10ms loss 5% rate 20mbit"), 0.05)
	assert.InDelta(t, 5.0, allowed("delay 10ms loss gemodel 0.5% 24.5% rate 20mbit"), 0.05, "the same share in bursts")
	assert.Equal(t, 20.0, allowed("delay 10ms loss 0.01% rate 20mbit"))
	assert.Equal(t, 20.0, allowed("loss 5% rate 20mbit"))
	assert.True(t, math.IsInf(allowed(""), 1))
}

func TestExpectedTimeOfJobs(t *testing.T) {
	e := experiment()
	e.Rounds = 3
	for i := range e.Cases {
		e.Cases[i].Conditions = netem.Conditions{Rate: 8 * netem.Mbit, Delay: 10 * time.Millisecond}
		e.Cases[i].Params = load{Bytes: 2e6, Turns: 100, Time: time.Second}
	}
	assert.Equal(t, 3800*time.Millisecond, e.Cases[0].Expected(), "0.8 to start, 2 for bytes, 1 for messages in turn")
	assert.Equal(t, 60, e.Jobs())
	assert.Equal(t, 60*3800*time.Millisecond, e.Expected())
}
