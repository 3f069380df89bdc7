package tx

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func reno(maxChunk, cwnd, ssthresh int) *NewReno {
	return &NewReno{maxChunk: maxChunk, cwnd: cwnd, ssthresh: ssthresh}
}

func TestInitialWindow(t *testing.T) { // RFC 9260, section 7.2.1
	for maxChunk, want := range map[int]int{
		1000: 4000, 1452: 4404, 1101: 4404, 2300: 4600, 65_000: 130_000,
	} {
		assert.Equal(t, want, NewNewReno(maxChunk).Window(), "PMDCS %d", maxChunk)
		assert.Equal(t, want, NewCubic(maxChunk).Window(), "PMDCS %d", maxChunk)
	}
}

func TestNewRenoSlowStart(t *testing.T) { // RFC 9260, section 7.2.1
	for name, tc := range map[string]struct {
		ack  Ack
		want int
	}{
		"grows by what was acknowledged":         {Ack{Bytes: 600, Flight: 4000}, 4600},
		"but by L chunks at most":                {Ack{Bytes: 30_000, Flight: 30_000}, 12_000},
		"not while the window is not used up":    {Ack{Bytes: 600, Flight: 3999}, 4000},
		"not in fast recovery":                   {Ack{Bytes: 600, Flight: 4000, Recovery: true}, 4000},
		"also when the last chunk is acked":      {Ack{Bytes: 600, Flight: 4000, Drained: true}, 4600},
		"also when more than a window was flown": {Ack{Bytes: 600, Flight: 4900}, 4600},
	} {
		c := reno(1000, 4000, 8000)
		c.Acked(tc.ack)
		assert.Equal(t, tc.want, c.Window(), name)
	}
}

func TestNewRenoSlowStartIncludesTheThreshold(t *testing.T) {
	c := reno(1000, 8000, 8000)
	c.Acked(Ack{Bytes: 500, Flight: 8000})
	assert.Equal(t, 8500, c.Window(), "cwnd ≤ ssthresh is slow start")
}

func TestNewRenoCongestionAvoidance(t *testing.T) { // RFC 9260, section 7.2.2
	c := reno(1000, 10_000, 8000)
	for range 4 {
		c.Acked(Ack{Bytes: 2000, Flight: 10_000})
		assert.Equal(t, 10_000, c.Window())
	}
	c.Acked(Ack{Bytes: 2500, Flight: 10_000})
	assert.Equal(t, 11_000, c.Window(), "one chunk per window acknowledged")
	assert.Equal(t, 500, c.partial, "the rest is kept")
}

func TestNewRenoCreditIsCappedWhileTheWindowIsNotUsed(t *testing.T) { // section 7.2.2
	c := reno(1000, 10_000, 8000)
	for range 10 {
		c.Acked(Ack{Bytes: 3000, Flight: 5000})
	}
	assert.Equal(t, 10_000, c.Window())
	assert.Equal(t, 10_000, c.partial)
	c.Acked(Ack{Bytes: 1000, Flight: 5000, Drained: true})
	assert.Zero(t, c.partial, "forgotten once all is acknowledged")
}

func TestNewRenoHalvesOnLoss(t *testing.T) { // section 7.2.3
	c := reno(1000, 20_000, 8000)
	c.Lost(0)
	assert.Equal(t, 10_000, c.Window())
	c.Lost(0)
	assert.Equal(t, 5000, c.Window())
	c.Lost(0)
	assert.Equal(t, 4000, c.Window(), "four chunks are the floor")
}

func TestNewRenoTimeoutLeavesOneChunk(t *testing.T) { // section 7.2.3
	c := reno(1000, 20_000, 8000)
	c.Timeout(0)
	assert.Equal(t, 1000, c.Window())
	assert.Equal(t, 10_000, c.ssthresh)
}

func TestWindowShrinksWhenIdle(t *testing.T) { // section 7.2.1
	c := reno(1000, 40_000, 80_000)
	c.Idle(0)
	assert.Equal(t, 40_000, c.Window())
	c.Idle(1)
	assert.Equal(t, 20_000, c.Window())
	assert.Equal(t, 40_000, c.ssthresh, "slow start leads back to where it was")
	c.Idle(1_000_000)
	assert.Equal(t, 4000, c.Window())

	c.Timeout(0)
	c.Idle(1)
	assert.Equal(t, 1000, c.Window(), "idling never raises the window")
}

func TestLargerPacketsRaiseTheWindowToOne(t *testing.T) {
	c := reno(1000, 4000, 8000)
	c.Timeout(0)
	c.SetMaxChunk(60_000)
	assert.Equal(t, 60_000, c.Window())
}
