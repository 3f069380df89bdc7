package tx

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func message1000() *socket.Message { return &socket.Message{Data: [][]byte{make([]byte, 1000)}} }

// paced is a rig with a control that sends a chunk of 1016 bytes in each millisecond, four at once.
func newPaced(t *testing.T) (*rig, *measured) {
	r, c := newMeasured(t)
	c.rate, c.quantum = 1016/0.001, 4*1016
	return r, c
}

func TestPacketsLeaveInBurstsAtThePacingRate(t *testing.T) { // draft-ietf-ccwg-bbr-06, sections 5.6.2 and 5.6.3
	r, _ := newPaced(t)
	r.queue(40)
	now := time.Second
	sent, bursts := len(r.send(now)), 1
	assert.LessOrEqual(t, sent, 7, "a quantum, and what a late timer may have missed")
	for sent < 40 {
		at, runs := r.Deadline()
		require.True(t, runs)
		_, expired := r.Expire(at)
		require.False(t, expired)
		n := len(r.send(at))
		assert.LessOrEqual(t, n, 4)
		sent, now, bursts = sent+n, at, bursts+1
	}
	assert.InDelta(t, float64(time.Second+(40-7)*ms), float64(now), float64(3*ms))
	assert.LessOrEqual(t, bursts, 11, "a timer is for a burst, not for a packet")
	_, runs := r.Deadline()
	assert.True(t, runs, "T3-rtx")
	assert.Equal(t, never, r.paths[0].paced.at)
}

func TestATimerThatIsLateLosesNothing(t *testing.T) {
	r, _ := newPaced(t)
	r.queue(100)
	now := time.Second
	sent := len(r.send(now))
	for range 10 {
		at, _ := r.Deadline()
		now = at + 2*ms
		r.Expire(now)
		n := len(r.send(now))
		assert.LessOrEqual(t, n, 7)
		sent += n
	}
	assert.InDelta(t, (now-time.Second)/ms, sent, 8)
}

func TestTheLastPacketOfAMessageNeedNotWaitForABurst(t *testing.T) {
	r, _ := newPaced(t)
	r.queue(100)
	r.send(time.Second)
	at, _ := r.Deadline()
	assert.Greater(t, at, time.Second+2*ms)

	r, _ = newPaced(t)
	r.queue(8)
	require.Len(t, r.send(time.Second), 7)
	at, _ = r.Deadline()
	assert.LessOrEqual(t, at, time.Second+ms+1)
}

func TestAcknowledgementsLetOutWhatTheRateAllows(t *testing.T) {
	r, _ := newPaced(t)
	r.queue(100)
	require.Len(t, r.send(time.Second), 7)
	r.sack(time.Second, rigTSN+6)
	assert.Empty(t, r.send(time.Second), "the window does not matter")
	r.sack(time.Second+2*ms, rigTSN+6)
	assert.Len(t, r.send(time.Second+2*ms), 2)
}

func TestAProbeAndTheFirstOfARecoveryDoNotWait(t *testing.T) {
	r, _ := newPaced(t)
	r.queue(100)
	require.Len(t, r.send(time.Second), 7)
	r.sack(time.Second, rigTSN-1, 2, 5)
	assert.Equal(t, tsns(1000, 1000), r.send(time.Second), "RFC 9260, section 7.2.4")
}

func TestNothingWaitsForAPathWithoutAWindow(t *testing.T) {
	r, c := newPaced(t)
	c.window = 1016
	r.queue(10)
	require.Len(t, r.send(time.Second), 1)
	assert.Equal(t, never, r.paths[0].paced.at)
}

func TestALoneMessageWaitsForItsTurn(t *testing.T) {
	r, _ := newPaced(t)
	for range 7 {
		_, sent := r.Lone(nil, time.Second, message1000(), 0, rigChunk)
		require.True(t, sent)
	}
	_, sent := r.Lone(nil, time.Second, message1000(), 0, rigChunk)
	require.False(t, sent)
	r.queue(1)
	assert.Empty(t, r.send(time.Second))
	at, _ := r.Deadline()
	r.Expire(at)
	assert.Equal(t, []wire.TSN{rigTSN + 7}, r.send(at))
}

func TestClosingStopsPacing(t *testing.T) {
	r, _ := newPaced(t)
	r.queue(20)
	r.send(time.Second)
	r.Close()
	_, runs := r.Deadline()
	assert.False(t, runs)
}
