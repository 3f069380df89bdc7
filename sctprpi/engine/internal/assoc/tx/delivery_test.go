package tx

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// measured is a RateController that notes what it is told. Its window and rate are large enough not to matter, unless they are set.
type measured struct {
	fixed
	rate       float64
	quantum    int
	deliveries []Delivery
	lost       []Loss
	resumed    int
}

func (c *measured) Pacing() (float64, int) { return c.rate, c.quantum }
func (c *measured) Resumed(time.Duration)  { c.resumed++ }
func (c *measured) Missing(x Loss)         { c.lost = append(c.lost, x) }
func (c *measured) Delivered(d Delivery) bool {
	c.deliveries = append(c.deliveries, d)
	return false
}

// last is the last Delivery.
func (c *measured) last() Delivery { return c.deliveries[len(c.deliveries)-1] }

// newMeasured returns a rig with such a control.
func newMeasured(t *testing.T) (*rig, *measured) {
	c := &measured{fixed: fixed{window: 1 << 20}, rate: 1e12, quantum: 1 << 20}
	return newRig(t, func(config *Config) { config.NewController = func(int) Controller { return c } }), c
}

// These follow draft-ietf-ccwg-bbr-06, section 4.1. The chunks of a rig have 1016 bytes.

func TestARateIsWhatWasDeliveredWhileAChunkWasOnItsWay(t *testing.T) {
	r, c := newMeasured(t)
	r.queue(40)
	for i := range 40 { // a chunk each ms, acknowledged after 10
		r.packet(time.Duration(i) * ms)
		if i >= 10 {
			r.sack(time.Duration(i)*ms, wire.TSN(rigTSN+i-10))
		}
	}
	d := c.last()
	assert.Equal(t, 1016, d.Acked)
	assert.EqualValues(t, 30*1016, d.Total)
	assert.EqualValues(t, 19*1016, d.Prior)
	assert.Equal(t, 11*1016, d.Volume)
	assert.InEpsilon(t, 1016/0.001, d.Rate, 1e-9)
	assert.Equal(t, 11*1016, d.Sent)
	assert.Equal(t, 10*ms, d.RTT)
	assert.False(t, d.Limited)
}

func TestARateIsThatOfAcknowledgementsOrThatOfSendingIfThatIsLower(t *testing.T) { // section 4.1.1.2
	r, c := newMeasured(t)
	r.queue(20)
	for i := range 10 { // slowly
		r.packet(time.Duration(i) * 10 * ms)
	}
	r.sack(100*ms, rigTSN+9) // all at once
	assert.InEpsilon(t, 10*1016/0.100, c.last().Rate, 0.01)

	r, c = newMeasured(t)
	r.queue(20)
	for range 10 { // at once
		r.packet(0)
	}
	for i := range 10 { // acknowledged slowly
		r.sack(time.Duration(10+10*i)*ms, wire.TSN(rigTSN+i))
	}
	assert.InEpsilon(t, 10*1016/0.100, c.last().Rate, 0.01)
}

func TestChunksBehindAGapAreDeliveredOnce(t *testing.T) {
	r, c := newMeasured(t)
	r.queue(5)
	r.send(0)
	r.sack(10*ms, rigTSN-1, 3, 5)
	assert.EqualValues(t, 3*1016, c.last().Total)
	assert.Equal(t, 2, len(c.lost), "the packet threshold")
	r.sack(11*ms, rigTSN-1)       // taken back
	r.sack(12*ms, rigTSN-1, 3, 5) // and again
	assert.EqualValues(t, 3*1016, c.last().Total)
}

func TestALostChunkComesWithWhatThereWasWhenItWasSent(t *testing.T) {
	r, c := newMeasured(t)
	r.queue(6)
	r.send(0)
	r.sack(10*ms, rigTSN, 3, 5)
	require.Len(t, c.lost, 2)
	assert.Equal(t, Loss{Now: 10 * ms, TSN: 1001, Size: 1016, Sent: 2 * 1016, Lost: 1016, Total: 4 * 1016}, c.lost[0])
	assert.Equal(t, Loss{Now: 10 * ms, TSN: 1002, Size: 1016, Sent: 3 * 1016, Lost: 2 * 1016, Total: 4 * 1016}, c.lost[1])
	assert.Zero(t, c.last().Flight)
	assert.True(t, c.last().Recovery)
	assert.True(t, c.last().Repairing)
	r.send(11 * ms)
	r.sack(21*ms, 1005)
	assert.EqualValues(t, 6*1016, c.last().Total)
	assert.EqualValues(t, 4*1016, c.last().Prior, "as of the second time that it was sent")
	assert.False(t, c.last().Recovery)
	assert.Zero(t, c.last().RTT)
	assert.Zero(t, c.last().Lost)
}

func TestATimeoutTellsOfAllThatIsLost(t *testing.T) {
	r, c := newMeasured(t)
	r.queue(4)
	r.send(0)
	for expired := false; !expired; {
		var at time.Duration
		if at, expired = r.expire(); !expired {
			r.send(at)
		}
	}
	assert.Len(t, c.lost, 4)
	assert.Equal(t, 1, c.timeouts)
}

func TestAnAcknowledgementThatCannotBeOfTheLastTransmissionIsNoSample(t *testing.T) {
	r, c := newMeasured(t)
	r.queue(5)
	r.send(0)
	r.sack(10*ms, rigTSN-1, 2, 5)
	r.send(10 * ms)
	r.sack(12*ms, rigTSN+4)
	assert.Zero(t, c.last().Rate)
	assert.Equal(t, 1016, c.last().Acked)
}

func TestSamplesAreLimitedAfterAGapUntilWhatFollowedIsDelivered(t *testing.T) { // section 4.1.2.4
	r, c := newMeasured(t)
	r.queue(4)
	r.send(0)
	r.sack(10*ms, rigTSN+1)
	assert.False(t, c.last().Limited, "what was sent first followed no gap")
	r.queue(4)
	r.send(11 * ms) // there had been nothing to send
	r.sack(12*ms, rigTSN+3)
	assert.False(t, c.last().Limited)
	r.sack(21*ms, rigTSN+5)
	assert.True(t, c.last().Limited)
	r.queue(4)
	r.send(21 * ms)
	r.sack(31*ms, rigTSN+11)
	assert.True(t, c.last().Limited)
	assert.Zero(t, c.resumed)

	r.queue(20)
	for range 10 {
		r.packet(100 * ms)
	}
	assert.Equal(t, 1, c.resumed, "there was nothing in flight")
	r.sack(110*ms, rigTSN+12)
	assert.True(t, c.last().Limited)
	for range 10 { // there has been enough to send ever since
		r.packet(110 * ms)
	}
	r.sack(120*ms, rigTSN+31)
	assert.False(t, c.last().Limited)
}

func TestAFullWindowIsNoGap(t *testing.T) {
	r, c := newMeasured(t)
	c.window = 4 * 1016
	r.queue(4)
	r.send(0)
	r.sack(10*ms, rigTSN+3)
	r.queue(8)
	r.send(10 * ms)
	c.window = 2 * 1016
	r.sack(20*ms, rigTSN+7)
	r.send(20 * ms)
	r.sack(30*ms, rigTSN+9)
	assert.False(t, c.last().Limited)
}

func TestALoneMessageIsSampledToo(t *testing.T) {
	r, c := newMeasured(t)
	for i := range 3 {
		at := time.Duration(i) * 20 * ms
		chunks, sent := r.Lone(nil, at, message1000(), 0, rigChunk)
		require.True(t, sent)
		require.Len(t, chunks, 1)
		r.sack(at+10*ms, wire.TSN(rigTSN+i))
		assert.Equal(t, i > 0, c.last().Limited)
		assert.InEpsilon(t, 1016/0.010, c.last().Rate, 1e-9)
		r.outcomes()
	}
	assert.Equal(t, 2, c.resumed)
}
