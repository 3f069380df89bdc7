package tx

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func peerWindowOf(n uint32) func(*Config) { return func(c *Config) { c.PeerWindow = n } }

func TestNewDataKeepsWithinThePeersWindow(t *testing.T) { // RFC 9260, section 6.1, rule A
	r := newRig(t, peerWindowOf(3500))
	r.queue(10)
	assert.Equal(t, tsns(1000, 1002), r.send(0))
	r.sackWindow(ms, 1000, 2500)
	assert.Empty(t, r.send(ms), "2000 bytes in flight leave 500")
	r.sackWindow(2*ms, 1002, 2000)
	assert.Equal(t, tsns(1003, 1004), r.send(2*ms))
}

func TestAWindowSmallerThanTheFlightDoesNotWrap(t *testing.T) { // bug class: zero-window wrap
	r := newRig(t)
	r.queue(10)
	r.send(0)
	r.queue(1)
	r.sackWindow(ms, 1000, 1)
	assert.Zero(t, r.window.room())
	assert.Empty(t, r.send(ms))
}

func TestTheLargestWindowDoesNotOverflow(t *testing.T) {
	r := newRig(t, peerWindowOf(1<<32-1))
	r.queue(1)
	assert.Len(t, r.send(0), 1)
}

func TestChunksAreNotCutIntoSlivers(t *testing.T) { // RFC 1122, section 4.2.3.4
	r := newRig(t, peerWindowOf(10_000))
	require.NoError(t, r.Queue(0, &socket.Message{Data: [][]byte{make([]byte, 12_000)}}))
	assert.Len(t, r.send(0), 10)
	r.sackWindow(ms, 1009, 999)
	assert.Empty(t, r.send(ms))

	r = newRig(t, peerWindowOf(1500))
	require.NoError(t, r.Queue(0, &socket.Message{Data: [][]byte{make([]byte, 12_000)}}))
	assert.Len(t, r.send(0), 1)
	r.sackWindow(ms, 1000, 800)
	chunks := r.Next(nil, ms, 0, rigChunk)
	require.Len(t, chunks, 1)
	assert.Equal(t, 800, chunks[0].Len(), "more than half of what the peer ever offered")
}

func TestZeroWindowProbe(t *testing.T) { // RFC 9260, section 6.1, rule A
	r := newRig(t)
	r.Sample(0, 100*ms) // RTO 300 ms
	r.queue(1)
	r.send(0)
	r.queue(2)
	r.sackWindow(100*ms, 1000, 0)
	require.Empty(t, r.send(100*ms))

	rto := r.Path(0).RTO
	at, _ := r.expire()
	assert.Equal(t, 100*ms+rto, at, "after one RTO")
	chunks := r.Next(nil, at, 0, rigChunk)
	require.Len(t, chunks, 1)
	assert.Equal(t, wire.TSN(1001), chunks[0].TSN)
	assert.NotZero(t, chunks[0].Flags&wire.FlagImmediate)
	assert.Empty(t, r.send(at), "one chunk, no more")

	window := r.Path(0)
	for i := range 4 {
		r.sackWindow(at+ms, 1000, 0) // alive, but full
		next, expired := r.expire()
		assert.False(t, expired, "does not count as an error while SACKs come")
		assert.Equal(t, at+rto<<(i+1), next, "at growing intervals")
		at = next
		assert.Equal(t, tsns(1001, 1001), r.send(at))
	}
	assert.Equal(t, window.RTO, r.Path(0).RTO)
	assert.Zero(t, r.control.timeouts, "probing does not affect cwnd")

	r.sackWindow(at+ms, 1000, 50_000)
	assert.Equal(t, tsns(1001, 1002), r.send(at+ms), "open: the probe goes again at once, then the rest")
	r.sack(at+2*ms, 1002)
	assert.True(t, r.Drained())
	_, running := r.Deadline()
	assert.False(t, running)
}

func TestAProbeThatIsTakenWhileTheWindowStaysClosed(t *testing.T) {
	r := newRig(t, peerWindowOf(0))
	r.queue(3)
	require.Empty(t, r.send(0))
	interval := time.Second
	last := time.Duration(0)
	for i := range 3 {
		at, _ := r.expire()
		assert.Equal(t, last+interval, at)
		require.Len(t, r.send(at), 1)
		last, interval = at, 2*time.Second<<i
		r.sackWindow(last, wire.TSN(1000+i), 0)
		if i == 0 {
			require.NotZero(t, r.Stats().WindowProbes)
		}
	}
	assert.True(t, r.Drained())
}

func TestAnUnansweredProbeIsATimeout(t *testing.T) { // RFC 9260, section 8.1
	r := newRig(t, peerWindowOf(0))
	r.queue(1)
	r.send(0)
	at, _ := r.expire()
	require.Len(t, r.send(at), 1)
	_, expired := r.expire()
	assert.True(t, expired, "not one SACK: the peer may be dead")
}

func TestCongestionWindowMayBeBreachedByOnePacket(t *testing.T) { // RFC 9260, section 6.1, rule B
	r := newRig(t)
	r.control.window = 2*rigChunk + 1
	r.queue(10)
	assert.Len(t, r.send(0), 3)
}

func TestBurstLimit(t *testing.T) { // RFC 9260, section 6.1, rule D
	r := newRig(t, func(c *Config) { c.MaxBurst = 4 })
	r.queue(40)
	assert.Len(t, r.send(0), 4)
	r.sack(10*ms, 1000)
	assert.Len(t, r.send(10*ms), 6, "four and twice the one acknowledged")
	assert.Empty(t, r.send(20*ms))
	r.queue(1)
	assert.Len(t, r.send(20*ms), 4, "a new message is a new occasion")
}

func TestIdlePathLosesItsWindow(t *testing.T) { // RFC 9260, section 7.2.1
	for _, rtt := range []time.Duration{100 * ms, time.Second} {
		r := newRig(t)
		r.Sample(0, rtt)
		at := time.Minute
		use := func() time.Duration {
			r.queue(1)
			for _, tsn := range r.send(at) {
				r.sack(at+rtt, tsn)
			}
			return max(r.Path(0).RTO, time.Second)
		}
		unit := use()
		assert.Zero(t, r.control.idle, "a path that was never used is not idle")
		at += unit - 1
		unit = use()
		assert.Zero(t, r.control.idle, "a pause shorter than the RTO or a second is none")
		at += 3 * unit
		use()
		assert.Equal(t, 3, r.control.idle)
	}
}
