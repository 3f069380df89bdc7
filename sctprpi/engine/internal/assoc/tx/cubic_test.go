package tx

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// cubicAt returns a control that has just lost a chunk at that window.
func cubicAt(maxChunk, cwnd int) *Cubic {
	c := NewCubic(maxChunk).(*Cubic)
	c.cwnd = float64(cwnd)
	c.Lost(0)
	return c
}

// fly acknowledges a full window every round trip until then.
func fly(c *Cubic, from, until, rtt time.Duration) {
	for now := from; now <= until; now += rtt {
		c.Acked(Ack{Now: now, Bytes: c.Window(), Flight: c.Window(), SRTT: rtt})
	}
}

func TestCubicReducesByBeta(t *testing.T) { // RFC 9438, section 4.6
	c := cubicAt(1000, 100_000)
	assert.Equal(t, 70_000, c.Window())
	assert.InDelta(t, 100_000, c.wMax, 1)
	small := cubicAt(1000, 4100)
	assert.Equal(t, 4000, small.Window(), "four chunks are the floor: RFC 9260, section 7.2.3")
}

// A sender that does not fill its window loses packets now and then: the window, which does not grow, has room for what it sends.
func TestCubicHasRoomForASenderThatDoesNotFillItsWindow(t *testing.T) {
	c := NewCubic(1000).(*Cubic)
	for i := range 100 {
		now := time.Duration(i) * time.Second
		c.Acked(Ack{Now: now, Bytes: 3000, Flight: 3000, SRTT: 20 * time.Millisecond})
		c.Lost(now)
		assert.GreaterOrEqual(t, c.Window(), 4000)
	}
}

func TestCubicFastConvergence(t *testing.T) { // section 4.7
	c := cubicAt(1000, 100_000)
	c.Lost(0)
	assert.InDelta(t, 70_000*(1+cubicBeta)/2, c.wMax, 1)
}

func TestCubicPlateausAtTheOldWindow(t *testing.T) { // sections 4.2 and 4.4
	const rtt = 100 * ms
	c := cubicAt(1000, 1_000_000)
	k := math.Cbrt(300 / cubicC)
	fly(c, rtt, rtt, rtt)
	assert.InDelta(t, k, c.k, 1e-9)

	fly(c, 2*rtt, time.Duration(k*float64(time.Second)), rtt)
	assert.InDelta(t, 1_000_000, c.Window(), 10_000, "back at the window of the loss after K seconds")
	fly(c, time.Duration(k*float64(time.Second)), time.Duration(2*k*float64(time.Second)), rtt)
	assert.InDelta(t, 1_300_000, c.Window(), 30_000, "as far above after 2K as it was below at the start")
}

func TestCubicIsNoSlowerThanReno(t *testing.T) { // section 4.3
	// With a short round trip the cubic function hardly moves: Reno's does.
	const rtt = ms
	c := cubicAt(1000, 20_000)
	fly(c, rtt, 100*rtt, rtt)
	assert.Greater(t, c.Window(), 20_000+50*1000, "beyond the old window it gains a chunk a round trip")
}

func TestCubicGrowsByHalfAtMostInARoundTrip(t *testing.T) { // section 4.4
	c := cubicAt(1000, 100_000)
	c.Acked(Ack{Now: 1, Bytes: 1000, Flight: 70_000, SRTT: ms})
	c.Acked(Ack{Now: time.Hour, Bytes: c.Window(), Flight: c.Window(), SRTT: ms})
	assert.LessOrEqual(t, c.Window(), 106_000)
}

func TestCubicSlowStartAndTimeout(t *testing.T) { // sections 4.8 and 4.10
	c := NewCubic(1000).(*Cubic)
	c.Acked(Ack{Bytes: 4000, Flight: 4000})
	assert.Equal(t, 8000, c.Window())
	c.Timeout(0)
	assert.Equal(t, 1000, c.Window())
	assert.InDelta(t, 5600, c.ssthresh, 1)
	for range 5 {
		c.Acked(Ack{Now: time.Second, Bytes: 1000, Flight: c.Window()})
	}
	assert.Equal(t, 6000, c.Window())
	c.Acked(Ack{Now: time.Second, Bytes: 1000, Flight: c.Window()})
	assert.Zero(t, c.k, "congestion avoidance after a timeout begins on the plateau")
}

func TestCubicDoesNotGrowWhileTheWindowIsNotUsed(t *testing.T) { // section 4.2
	const rtt = 100 * ms
	c := cubicAt(1000, 1_000_000)
	fly(c, rtt, rtt, rtt)
	window := c.Window()
	for now := 2 * rtt; now < time.Minute; now += rtt {
		c.Acked(Ack{Now: now, Bytes: 1000, Flight: 1000, SRTT: rtt})
	}
	assert.Equal(t, window, c.Window())
	c.Acked(Ack{Now: time.Minute, Bytes: 1000, Flight: window, SRTT: rtt})
	assert.InDelta(t, window, c.Window(), 1000, "the minute does not count afterwards")
}

func TestCubicHoldsInRecoveryAndShrinksWhenIdle(t *testing.T) {
	c := cubicAt(1000, 100_000)
	c.Acked(Ack{Bytes: 1000, Flight: 70_000, Recovery: true})
	assert.Equal(t, 70_000, c.Window())
	c.Idle(2)
	assert.Equal(t, 17_500, c.Window())
	assert.InDelta(t, 70_000, c.ssthresh, 0)
	c.SetMaxChunk(60_000)
	assert.Equal(t, 60_000, c.Window())
}
