package tx

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// delays drives a hystart with rounds of ten acknowledgements each, of round trips of
// those lengths, and returns what each round let a growth of 1000 be at its end.
func delays(h *hystart, now *time.Duration, rtts ...time.Duration) (growths []int, over bool) {
	for _, rtt := range rtts {
		growth := 0
		for i := range 10 {
			// All sent within the round before, the first when that began.
			at := *now + rtt + time.Duration(i)*time.Microsecond
			var end bool
			growth, end = h.acked(Ack{Now: at, RTT: rtt}, 1000)
			over = over || end
		}
		*now += rtt
		growths = append(growths, growth)
	}
	return growths, over
}

func TestHyStartSlowsDownWhenTheDelayGrows(t *testing.T) { // RFC 9406, section 4.2
	for name, tc := range map[string]struct {
		first, second time.Duration
		want          int
	}{
		"an eighth more":                    {80 * ms, 90 * ms, 250},
		"less than an eighth more":          {80 * ms, 89 * ms, 1000},
		"4 ms at least":                     {ms, 4 * ms, 1000},
		"4 ms at least, reached":            {ms, 5 * ms, 250},
		"16 ms at most":                     {time.Second, 1016 * ms, 250},
		"the smallest round trip decides":   {20 * ms, 20 * ms, 1000},
		"a shorter round trip is no reason": {40 * ms, 20 * ms, 1000},
	} {
		var h hystart
		now := time.Duration(0)
		growths, over := delays(&h, &now, tc.first, tc.second)
		assert.Equal(t, []int{1000, tc.want}, growths, name)
		assert.False(t, over, name)
	}
}

func TestHyStartNeedsEightSamples(t *testing.T) {
	var h hystart
	for range 10 {
		h.acked(Ack{Now: 20 * ms, RTT: 20 * ms}, 1000)
	}
	for i := range 8 {
		growth, _ := h.acked(Ack{Now: 60*ms + time.Duration(i), RTT: 40 * ms}, 1000)
		want := 1000
		if i == 7 {
			want = 250
		}
		assert.Equal(t, want, growth, "sample %d", i)
	}
}

func TestHyStartGoesOnAfterJitter(t *testing.T) { // section 4.2: the exit was spurious
	var h hystart
	now := time.Duration(0)
	growths, over := delays(&h, &now, 20*ms, 40*ms, 39*ms, 40*ms)
	assert.Equal(t, []int{1000, 250, 1000, 1000}, growths)
	assert.False(t, over)
}

func TestHyStartEndsSlowStartAfterFiveRounds(t *testing.T) {
	var h hystart
	now := time.Duration(0)
	_, over := delays(&h, &now, 20*ms, 40*ms, 50*ms, 60*ms, 60*ms, 60*ms)
	assert.False(t, over)
	_, over = delays(&h, &now, 60*ms)
	assert.True(t, over)
}

func TestHyStartIsForTheFirstSlowStartOnly(t *testing.T) { // section 4.3
	queueing := func(c Controller) {
		now := time.Duration(0)
		for _, rtt := range []time.Duration{20 * ms, 40 * ms, 50 * ms, 60 * ms, 60 * ms, 60 * ms, 60 * ms} {
			for i := range 10 {
				c.Acked(Ack{Now: now + rtt + time.Duration(i), RTT: rtt, Bytes: 1000, Flight: math.MaxInt, SRTT: rtt})
			}
			now += rtt
		}
	}
	first, later := reno(1000, 4000, math.MaxInt), reno(1000, 4000, 1<<30)
	queueing(first)
	queueing(later)
	assert.Less(t, first.ssthresh, first.cwnd, "congestion avoidance")
	assert.Equal(t, 74_000, later.cwnd)

	cubic, again := NewCubic(1000).(*Cubic), NewCubic(1000).(*Cubic)
	again.ssthresh = 1 << 30
	queueing(cubic)
	queueing(again)
	assert.LessOrEqual(t, cubic.ssthresh, cubic.cwnd)
	assert.Equal(t, 74_000, again.Window())
}
