package tx

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// knowing returns a BBR control in a state that knows a path of 1 MB/s and 100 ms: a hundred chunks of 1000 bytes.
func knowing(state bbrState, judge bbrJudge) *BBR {
	b := newBBR(1000, rand.New(rand.NewPCG(1, 2)), judge)
	b.full.reached = true
	b.state = state
	b.model.maxBW[1], b.model.minRTT, b.lastRTT = 1e6, 100*ms, 100*ms
	b.cycle.wait = bbrMinWait
	b.cwnd, b.pacingRate, b.delivered = 200_000, 1e6, 1_000_000
	b.loss.end, b.loss.began, b.round.end = b.delivered, b.delivered, b.delivered
	return b
}

// round tells of a SACK that ends a round trip in which so much was delivered.
func (b *BBR) roundOf(delivered int) {
	prior := b.delivered
	b.Delivered(Delivery{
		Now: b.now + 100*ms, Rate: float64(delivered) / 0.1, Volume: delivered, Acked: 1000, Total: prior + uint64(delivered), Prior: prior,
		Sent: 100_000, Flight: 100_000, Peak: 100_000, SRTT: 100 * ms, RTT: b.lastRTT, Recovery: b.recovering, Repairing: b.recovering,
	})
}

// lose tells of so many chunks in a row that were lost.
func (b *BBR) lose(n int) {
	for i := range n {
		b.Missing(Loss{
			Now: b.now, TSN: wire.TSN(1000 + i), Size: 1000, Sent: 100_000, Lost: (i + 1) * 1000, Total: b.delivered,
		})
	}
}

// With 100 chunks in flight 2 losses are 2 %, and 2 and three times √2, 6.2, may be chance.
func TestWhichLossesAreCongestion(t *testing.T) {
	for _, c := range []struct {
		name  string
		judge bbrJudge
		rtt   time.Duration
		lost  int
		want  bool
	}{
		{"the draft: more than 2 %", judgeByDraft, 100 * ms, 3, true},
		{"the draft: not more", judgeByDraft, 100 * ms, 2, false},
		{"without a queue it may be chance", judgeWithQueue, 100 * ms, 6, false},
		{"but not so much", judgeWithQueue, 100 * ms, 7, true},
		{"with a queue as the draft", judgeWithQueue, 160 * ms, 3, true},
	} {
		b := knowing(bbrUp, c.judge)
		b.lastRTT = c.rtt
		assert.Equal(t, c.want, b.tooMany(c.lost*1000, 100_000), c.name)
	}
}

func TestALossWhileCruisingLowersTheBounds(t *testing.T) { // section 5.5.10.3
	for _, judge := range []bbrJudge{judgeByDraft, judgeWithQueue} {
		b := knowing(bbrCruise, judge)
		b.Lost(0)
		b.lose(1)
		b.roundOf(80_000)
		if judge == judgeWithQueue {
			assert.True(t, math.IsInf(b.model.lowBW, 1), "one of 80 without a queue")
			continue
		}
		assert.InEpsilon(t, 0.8e6, b.model.bw(), 1e-9, "what was delivered")
		assert.Equal(t, 140_000, b.model.lowInflight, "seven tenths of the window, since less was delivered")
		assert.LessOrEqual(t, b.Window(), b.model.lowInflight)
		b.roundOf(10_000)
		b.lose(1)
		b.roundOf(10_000)
		assert.InEpsilon(t, 0.56e6, b.model.bw(), 1e-9, "to seven tenths at most")
		b.startRefill()
		assert.InEpsilon(t, 1e6, b.model.bw(), 1e-9, "until the next probe")
	}
}

func TestALossWhileProbingDoesNotLowerTheBounds(t *testing.T) {
	for _, state := range []bbrState{bbrRefill, bbrUp, bbrStartup} {
		b := knowing(state, judgeByDraft)
		b.Lost(0)
		b.lose(1)
		b.roundOf(80_000)
		assert.True(t, math.IsInf(b.model.lowBW, 1))
	}
}

func TestTooManyLossesEndAProbe(t *testing.T) { // section 5.5.10.2
	b := knowing(bbrUp, judgeByDraft)
	b.cycle.probeSample = true
	b.Lost(0)
	b.lose(2)
	require.Equal(t, bbrUp, b.state)
	b.lose(3)
	assert.Equal(t, bbrDown, b.state)
	assert.InDelta(t, 99_000, b.model.highInflight, 1000, "what was in flight")
	assert.True(t, b.cycle.tooHigh)
	b.model.highInflight = 1
	b.lose(10)
	assert.Equal(t, 1, b.model.highInflight, "once for a probe")

	b = knowing(bbrUp, judgeByDraft)
	b.cycle.probeSample = true
	for i := range 3 {
		b.Missing(Loss{TSN: wire.TSN(i), Size: 1000, Sent: 10_000, Lost: 1000 * (i + 1), Total: b.delivered})
	}
	assert.Equal(t, 70_000, b.model.highInflight, "seven tenths of the product of rate and round trip at least")
}

func TestTheLastingBoundGrowsWhileThereIsNoLoss(t *testing.T) { // section 5.3.3.2
	b := knowing(bbrRefill, judgeByDraft)
	b.model.highInflight, b.cwnd = 100_000, 100_000
	b.roundOf(100_000)
	require.Equal(t, bbrUp, b.state)
	before := b.model.highInflight
	for range 8 { // each doubles what the one before has added
		b.cwnd = max(b.cwnd, b.model.highInflight)
		prior, peak := b.delivered, b.cwnd
		for range 100 {
			b.Delivered(Delivery{
				Now: b.now + ms, Rate: 1e6, Volume: 100_000, Acked: 1000, Total: b.delivered + 1000, Prior: prior,
				Sent: 90_000, Flight: peak, Peak: peak, SRTT: 100 * ms, RTT: 100 * ms,
			})
		}
	}
	assert.Greater(t, b.model.highInflight, before+20_000)
}

func TestSpuriousLossesAreTakenBack(t *testing.T) { // section 5.5.11
	b := knowing(bbrCruise, judgeByDraft)
	window := b.Window()
	b.Lost(0)
	b.lose(1)
	b.roundOf(50_000)
	b.Timeout(b.now)
	require.Equal(t, 1000, b.Window())
	b.Judged(b.now, true)
	assert.GreaterOrEqual(t, b.Window(), window)
	assert.InEpsilon(t, 1e6, b.model.bw(), 1e-9)
	assert.Equal(t, noLimit, b.model.lowInflight)

	b = knowing(bbrUp, judgeByDraft)
	b.cycle.probeSample = true
	b.Lost(0)
	b.lose(3)
	require.Equal(t, bbrDown, b.state)
	b.Judged(b.now, true)
	assert.Equal(t, bbrRefill, b.state, "the probe begins again")
	assert.Equal(t, noLimit, b.model.highInflight)

	b = knowing(bbrUp, judgeByDraft)
	b.cycle.probeSample = true
	b.Lost(0)
	b.lose(3)
	b.Judged(b.now, false)
	b.Judged(b.now, true)
	assert.Equal(t, bbrDown, b.state, "what has been judged is over")
}

func TestStartupThatWasEndedByLossesGoesOnIfThereWereNone(t *testing.T) {
	b := knowing(bbrStartup, judgeByDraft)
	b.full.reached = false
	b.Lost(0)
	for i := range 12 {
		b.Missing(Loss{Now: b.now, TSN: wire.TSN(2 * i), Size: 1000, Sent: 100_000, Lost: 1000 * (i + 1), Total: b.delivered})
	}
	b.roundOf(100_000)
	require.NotEqual(t, bbrStartup, b.state)
	assert.Equal(t, 100_000, b.model.highInflight)
	b.Judged(b.now, true)
	assert.Equal(t, bbrStartup, b.state)
	assert.False(t, b.full.reached)
}

func TestFewHolesDoNotEndStartup(t *testing.T) { // section 5.3.1.3
	b := knowing(bbrStartup, judgeByDraft)
	b.full.reached = false
	b.Lost(0)
	b.lose(50)
	b.roundOf(100_000)
	assert.Equal(t, bbrStartup, b.state, "in a row they are one")
}

func TestAfterATimeoutTheWindowComesBackWhenLossesAreRepaired(t *testing.T) { // section 5.6.4.4
	b := knowing(bbrCruise, judgeWithQueue)
	b.Timeout(0)
	assert.Equal(t, 1000, b.Window())
	b.Delivered(Delivery{Now: ms, Acked: 1000, Total: b.delivered + 1000, Prior: b.delivered - 1, Repairing: true})
	assert.Equal(t, 4000, b.Window())
	b.Delivered(Delivery{Now: ms, Acked: 1000, Total: b.delivered + 1000, Prior: b.delivered - 1})
	assert.GreaterOrEqual(t, b.Window(), 200_000)
}

func TestAfterAPauseTheRateIsThatOfThePath(t *testing.T) { // section 5.4.1
	b := knowing(bbrUp, judgeWithQueue)
	b.pacingRate = 1.25e6
	b.Idle(100)
	b.Resumed(time.Minute)
	rate, _ := b.Pacing()
	assert.InEpsilon(t, 0.99e6, rate, 1e-9)
	assert.Equal(t, 200_000, b.Window())
}

func TestTheQuantumIsAMillisecond(t *testing.T) { // section 5.6.3
	b := knowing(bbrCruise, judgeWithQueue)
	for rate, want := range map[float64]int{1e5: 2000, 1e7: 10_000, 1e9: 64 << 10} {
		b.pacingRate = rate
		_, quantum := b.Pacing()
		assert.Equal(t, want, quantum)
	}
}
