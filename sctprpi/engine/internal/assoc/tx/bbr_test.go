package tx

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// These are the examples of draft-ietf-ccwg-bbr-06, appendix A, that an endpoint alone can show.

func TestBBRLeavesStartupWhenTheRateGrowsNoMore(t *testing.T) { // A.1
	b := newBBRSim(t, broad, judgeWithQueue)
	assert.InEpsilon(t, 2.77*float64(initialWindow(bbrTestChunk))/0.001, b.control.pacingRate, 1e-9, "before a round trip is known")
	e := b.enters(bbrDrain)
	assert.InEpsilon(t, float64(broad.rate), b.control.model.max(), 0.02)
	assert.Less(t, e.at, 500*ms)
	assert.Zero(t, b.dropped)
	assert.Equal(t, bbrFullRounds, b.control.full.count)
}

func TestBBRDrainsWhatStartupHasQueued(t *testing.T) { // A.3
	b := newBBRSim(t, broad, judgeWithQueue)
	drain := b.enters(bbrDrain)
	assert.Greater(t, drain.flight, drain.bdp)
	rate, _ := b.control.Pacing()
	assert.InEpsilon(t, 0.5*0.99*b.control.model.bw(), rate, 1e-9)
	cruise := b.enters(bbrCruise) // through Down, in which there is nothing left to do
	assert.LessOrEqual(t, cruise.flight, b.control.inflight(1))
	assert.Less(t, cruise.at-drain.at, 100*ms)
}

func TestBBRDrainsForThreeRoundsAtMost(t *testing.T) { // A.4
	b := newBBRSim(t, broad, judgeWithQueue)
	b.enters(bbrDrain)
	b.link.rate /= 20 // so that it cannot drain
	b.enters(bbrDown)
	assert.Equal(t, b.control.drainRound+bbrDrainRounds+1, b.control.round.count)
}

func TestBBRGoesThroughTheCycle(t *testing.T) { // A.5, A.8
	b := newBBRSim(t, broad, judgeWithQueue)
	gains := map[bbrState]float64{bbrDown: 0.9, bbrCruise: 1, bbrRefill: 1, bbrUp: 1.25}
	b.enters(bbrDrain)
	began := len(b.control.entered)
	for range 3 {
		for _, state := range []bbrState{bbrDown, bbrCruise, bbrRefill, bbrUp} {
			e := b.enters(state)
			rate, _ := b.control.Pacing()
			assert.InEpsilon(t, gains[state]*0.99*b.control.model.bw(), rate, 1e-9)
			switch state {
			case bbrCruise:
				assert.LessOrEqual(t, e.flight, b.control.inflight(1))
			case bbrRefill:
				assert.Equal(t, noLimit, b.control.model.lowInflight)
			case bbrUp:
				b.until("more is in flight", func() bool { return b.sender.Path(0).Flight > e.bdp*5/4 })
			}
		}
	}
	entered := b.control.entered[began:]
	for i := 4; i < len(entered); i++ {
		if entered[i].state != bbrRefill {
			continue
		}
		wait := entered[i].at - entered[i-2].at
		assert.LessOrEqual(t, wait, 3*time.Second, "or 63 round trips")
		assert.Greater(t, wait, 600*ms, "34 round trips, as many as a Reno flow needs")
	}
	assert.InEpsilon(t, float64(broad.rate), b.control.model.max(), 0.02)
}

func TestBBRDoesNotLeaveStartupWhileThereIsLittleToSend(t *testing.T) { // A.7
	b := newBBRSim(t, broad, judgeWithQueue)
	b.burst, b.data, b.pause = 2, [][]byte{make([]byte, 1000)}, 50*ms
	b.run(9 * time.Second)
	assert.Equal(t, []bbrState{bbrStartup}, b.control.states())
	assert.GreaterOrEqual(t, b.control.pacingRate, 2.77*float64(initialWindow(bbrTestChunk))/0.025)
}

func TestBBRProbesTheRoundTrip(t *testing.T) { // A.10
	b := newBBRSim(t, broad, judgeWithQueue)
	b.enters(bbrCruise)
	b.link.delay += 5 * ms // so that the least round trip is not seen again
	e := b.enters(bbrProbingRTT)
	assert.InDelta(t, float64(10*time.Second), float64(e.at), float64(time.Second))
	half := b.control.probe.cwnd
	assert.InEpsilon(t, broad.rate/100, half, 0.05, "half of rate times 20 ms")
	b.until("the window is small", func() bool { return b.sender.Path(0).Flight <= half })
	small := b.now
	assert.Equal(t, half, b.control.Window())
	done := b.enters(bbrCruise)
	assert.GreaterOrEqual(t, done.at-small, bbrProbeRTTDuration)
	assert.Less(t, done.at-small, bbrProbeRTTDuration+100*ms)
	assert.InEpsilon(t, 30*ms, b.control.model.minRTT, 0.1)
	assert.Greater(t, b.control.Window(), half, "as before")
	assert.Greater(t, b.rateOver(5*time.Second), 18.5)
}

func TestBBRNeedNotProbeTheRoundTripIfThereAreGaps(t *testing.T) { // A.11
	b := newBBRSim(t, broad, judgeWithQueue)
	b.burst, b.pause = 4, 300*ms
	b.run(time.Minute)
	assert.NotContains(t, b.control.states(), bbrProbingRTT)
	assert.InEpsilon(t, 20*ms, b.control.model.minRTT, 0.1)
}

func TestBBRManagesLessThanAPacketInARoundTrip(t *testing.T) { // A.14
	l := link{delay: ms, rate: 64e3 / 8, queue: 20 * bbrTestChunk}
	b := newBBRSim(t, l, judgeWithQueue)
	b.run(20 * time.Second)
	assert.InEpsilon(t, 0.064, b.rateOver(time.Minute), 0.1)
	assert.GreaterOrEqual(t, b.control.Window(), bbrMinPipe*bbrTestChunk)
}

func TestBBRFindsTenfoldBandwidth(t *testing.T) { // A.15
	b := newBBRSim(t, broad, judgeWithQueue)
	b.run(5 * time.Second)
	b.link.rate, b.link.queue = 10*broad.rate, 10*broad.queue
	b.run(10 * time.Second)
	assert.Greater(t, b.rateOver(5*time.Second), 185.0)
}

func TestBBRAdaptsToATenthOfTheBandwidth(t *testing.T) { // A.16
	b := newBBRSim(t, broad, judgeWithQueue)
	b.run(5 * time.Second)
	b.link.rate, b.link.queue = broad.rate/10, broad.queue/10
	b.run(10 * time.Second)
	assert.InEpsilon(t, float64(b.link.rate), b.control.model.max(), 0.1)
	dropped := b.dropped
	assert.Greater(t, b.rateOver(10*time.Second), 1.8)
	assert.Less(t, b.dropped-dropped, 170, "of 1700")
}

func TestBBRProbesTheRoundTripInStartup(t *testing.T) { // A.20
	b := newBBRSim(t, broad, judgeWithQueue)
	b.burst, b.data, b.pause = 1, [][]byte{make([]byte, 1000)}, 5*ms
	b.run(time.Second)
	b.link.delay += 5 * ms
	b.enters(bbrProbingRTT)
	b.enters(bbrStartup)
	assert.False(t, b.control.full.reached)
}

func TestBBRStopsAProbeThatLosesMuch(t *testing.T) { // A.21
	for _, judge := range []bbrJudge{judgeWithQueue, judgeByDraft} {
		shallow := broad
		shallow.queue /= 8
		b := newBBRSim(t, shallow, judge)
		b.enters(bbrUp)
		b.until("the queue overflows", func() bool { return b.control.state != bbrUp })
		require.True(t, b.control.cycle.tooHigh)
		high := b.control.model.highInflight
		assert.Less(t, high, noLimit)
		b.enters(bbrCruise)
		b.run(200 * ms)
		require.Equal(t, bbrCruise, b.control.state)
		assert.LessOrEqual(t, b.control.Window(), b.control.withHeadroom())
		b.enters(bbrUp)
		b.until("the probe is over", func() bool { return b.control.state != bbrUp })
		if b.control.cycle.precautionary { // it ended before it could do harm: unless it has, there is another at once
			b.until("what it caused is known", func() bool { return b.control.cycle.acks != bbrAcksStopping })
			assert.Equal(t, !b.control.cycle.tooHigh, b.control.state == bbrRefill)
		}
	}
}

func TestBBRLeavesStartupWhenMuchIsLost(t *testing.T) { // A.2, but for its being limited
	shallow := broad
	shallow.queue /= 8
	b := newBBRSim(t, shallow, judgeByDraft)
	b.enters(bbrDrain)
	assert.Less(t, b.control.full.count, bbrFullRounds, "not for the rate")
	assert.Less(t, b.control.model.highInflight, noLimit)
}

func TestBBRKeepsTheRateThroughTimeouts(t *testing.T) {
	b := newBBRSim(t, broad, judgeWithQueue)
	b.enters(bbrCruise)
	b.link.loss = 1
	b.run(300 * ms)
	assert.NotZero(t, b.sender.Path(0).Timeouts)
	assert.Equal(t, bbrTestChunk, b.control.Window())
	b.link.loss = 0
	b.run(time.Second)
	assert.Greater(t, b.rateOver(time.Second), 18.0)
}

func TestBBRDoesNotChangeByJitter(t *testing.T) { // A.18
	l := broad
	l.jitter = 5 * ms
	b := newBBRSim(t, l, judgeByDraft)
	b.run(10 * time.Second)
	assert.NotZero(t, b.sender.Path(0).Undone)
	assert.Greater(t, b.rateOver(10*time.Second), 17.5)
}

func TestBBRChoosesBySeed(t *testing.T) {
	run := func() []bbrEntry {
		b := newBBRSim(t, broad, judgeWithQueue)
		b.run(15 * time.Second)
		return b.control.entered
	}
	assert.True(t, slices.Equal(run(), run()))
}
