package tx

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func TestFastRetransmitAfterThreePackets(t *testing.T) { // RFC 9260, section 7.2.4
	r := newRig(t)
	r.queue(5)
	r.send(0)
	r.sack(10*ms, 999, 2, 2)
	r.sack(10*ms, 999, 2, 3)
	assert.Empty(t, r.send(10*ms), "two packets after it are reordering")
	r.sack(10*ms, 999, 2, 4)
	assert.Equal(t, tsns(1000, 1000), r.send(10*ms))
	assert.Equal(t, 1, r.control.losses)
}

func TestChunksOfOnePacketCountOnce(t *testing.T) {
	r := newRig(t)
	for range 40 {
		require.NoError(t, r.Queue(0, &socket.Message{Data: [][]byte{make([]byte, 84)}}))
	}
	require.Len(t, r.packet(0), 10)
	require.Len(t, r.packet(0), 10)
	r.sack(10*ms, 999, 11, 20)
	assert.Zero(t, r.control.losses, "ten chunks, but one packet")
}

func TestFastRetransmitIgnoresTheWindowForOnePacket(t *testing.T) { // RFC 9260, section 7.2.4, rule 3
	r := newRig(t)
	r.queue(20)
	r.send(0)
	r.control.window = rigChunk // and far more in flight
	r.sack(10*ms, 999, 4, 10)
	assert.Equal(t, tsns(1000, 1000), r.send(10*ms), "the rest waits for the window")
	assert.EqualValues(t, 1, r.Path(0).Recoveries)
}

func TestWindowShrinksOncePerRecovery(t *testing.T) { // RFC 9260, section 7.2.4
	r := newRig(t)
	r.queue(20)
	r.send(0)
	r.sack(10*ms, 999, 4, 10)
	r.sack(11*ms, 999, 4, 10, 12, 16)
	assert.Equal(t, 1, r.control.losses)
	r.send(11 * ms)
	r.sack(20*ms, 1019)
	assert.False(t, r.paths[0].recovery.on, "the exit point has been acknowledged")
	assert.True(t, r.Drained())
}

func TestWindowGrowsBeforeItShrinks(t *testing.T) { // RFC 9260, section 7.2.4, note
	r := newRig(t)
	r.queue(10)
	r.send(0)
	r.sack(10*ms, 1001, 4, 8)
	require.Len(t, r.control.acks, 1)
	assert.False(t, r.control.acks[0].Recovery)
	assert.Equal(t, 7*rigChunk, r.control.acks[0].Bytes)
	assert.Equal(t, 10*rigChunk, r.control.acks[0].Flight)
	assert.Equal(t, 1, r.control.losses)
}

func TestReorderedPacketsAreWaitedFor(t *testing.T) { // RFC 8985, section 6.2
	r := newRig(t)
	r.queue(20)
	r.send(0)
	r.sack(100*ms, 999, 2, 3)
	r.sack(101*ms, 1002) // 1000 came late: the network reorders
	require.True(t, r.paths[0].rack.reordered)
	r.sack(110*ms, 1002, 5, 15)
	assert.Zero(t, r.control.losses, "packets do not count any more, time does")
	at, expired := r.expire()
	assert.False(t, expired)
	assert.Equal(t, 110*ms+25*ms, at, "a quarter of the smallest round trip later")
	assert.Equal(t, tsns(1003, 1006), r.send(at))
	assert.Equal(t, 1, r.control.losses)
}

func TestDuplicatesWidenTheReorderingWindow(t *testing.T) { // RFC 8985, section 6.2, step 4
	r := newRig(t)
	r.queue(4)
	r.send(0)
	for range 5 {
		sack := sackOf(999, 1<<20)
		sack.Duplicates = wire.NumbersOf[wire.TSN](998)
		_, err := r.Sack(ms, sack)
		require.NoError(t, err)
	}
	assert.Equal(t, 2, r.paths[0].rack.factor, "once a round trip")
	sack := sackOf(1003, 1<<20)
	sack.Duplicates = wire.NumbersOf[wire.TSN](998)
	_, err := r.Sack(ms, sack)
	require.NoError(t, err)
	assert.Equal(t, 3, r.paths[0].rack.factor)
	assert.EqualValues(t, 6, r.Stats().Duplicates)
}

func TestALostRetransmissionIsFound(t *testing.T) { // RFC 8985, section 3
	r := newRig(t)
	r.queue(40)
	for range 10 {
		r.packet(0)
	}
	r.sack(10*ms, 999, 2, 10)
	for range 10 {
		r.packet(10 * ms) // 1000 again, then new data
	}
	require.EqualValues(t, 1, r.Stats().Retransmissions)
	r.sack(20*ms, 999, 2, 15)
	assert.Equal(t, wire.TSN(1000), r.packet(20 * ms)[0])
	assert.EqualValues(t, 2, r.Stats().Retransmissions)
}

func TestTimeoutRetransmitsOnePacketThenTheRest(t *testing.T) { // RFC 9260, section 6.3.3
	r := newRig(t)
	r.Sample(0, 100*ms)
	r.queue(5)
	r.send(0)
	probe, expired := r.expire()
	require.False(t, expired, "the tail-loss probe comes first")
	require.Equal(t, tsns(1004, 1004), r.send(probe))
	at, expired := r.expire()
	require.True(t, expired)
	assert.Equal(t, probe+300*ms, at)
	assert.Equal(t, 600*ms, r.Path(0).RTO, "rule E2")
	assert.Equal(t, 1, r.control.timeouts)
	assert.Equal(t, tsns(1000, 1000), r.send(at), "one packet until something is acknowledged")
	r.sack(at+100*ms, 1000)
	assert.Equal(t, tsns(1001, 1004), r.send(at+100*ms))
	assert.Equal(t, 600*ms, r.Path(0).RTO, "rule C5: retransmitted chunks measure nothing")
	r.sack(at+200*ms, 1004)
	assert.True(t, r.Drained())
	_, running := r.Deadline()
	assert.False(t, running)
}

func TestOnlyOnePacketAfterATimeoutEvenIfSmall(t *testing.T) { // RFC 9260, section 7.2.3
	r := newRig(t)
	for range 2 {
		require.NoError(t, r.Queue(0, &socket.Message{Data: [][]byte{make([]byte, 600)}}))
	}
	r.send(0)
	var at time.Duration
	for expired := false; !expired; {
		at, expired = r.expire()
		if !expired {
			r.send(at)
		}
	}
	assert.Equal(t, tsns(1000, 1000), r.send(at))
}

func TestT3RestartsWhenTheOldestIsAcknowledged(t *testing.T) { // RFC 9260, section 6.3.2, rule R3
	r := newRig(t)
	r.queue(4)
	r.send(0)
	assert.Equal(t, time.Second, r.paths[0].t3)
	r.sack(100*ms, 999, 3, 3)
	assert.Equal(t, time.Second, r.paths[0].t3, "a later one does not restart it")
	r.sack(150*ms, 1000, 2, 2)
	assert.Greater(t, r.paths[0].t3, 150*ms)
	assert.Equal(t, 150*ms+r.Path(0).RTO, r.paths[0].t3)
	r.sack(200*ms, 1003)
	_, running := r.Deadline()
	assert.False(t, running, "rule R2")
}

func TestOneMeasurementPerRoundTrip(t *testing.T) { // RFC 9260, section 6.3.1, rule C4
	r := newRig(t)
	r.queue(4)
	r.send(0)
	r.sack(100*ms, 1000)
	assert.Equal(t, 100*ms, r.Path(0).SRTT)
	r.sack(180*ms, 1002)
	assert.Equal(t, 100*ms, r.Path(0).SRTT, "sent before the last measurement")
	r.queue(1)
	r.send(200 * ms)
	r.sack(380*ms, 1004)
	assert.Equal(t, 110*ms, r.Path(0).SRTT)
}

func TestTailLossProbe(t *testing.T) { // RFC 8985, section 7
	type setup struct {
		queued, more int
		want         wire.TSN
		wait         time.Duration
	}
	for name, tc := range map[string]setup{
		"the last chunk goes again":            {3, 0, 1002, 200 * ms},
		"a lone packet's SACK may be delayed":  {1, 0, 1000, 300 * ms},
		"new data is better than old, if any ": {3, 1, 1003, 200 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, func(c *Config) { c.MaxAckDelay = 100 * ms })
			r.Sample(0, 100*ms)
			r.queue(tc.queued)
			r.send(0)
			r.control.window = 0
			r.queue(tc.more)
			require.Empty(t, r.send(0))
			at, expired := r.expire()
			require.False(t, expired)
			assert.Equal(t, tc.wait, at)
			chunks := r.Next(nil, at, 0, rigChunk)
			require.Len(t, chunks, 1)
			assert.Equal(t, tc.want, chunks[0].TSN)
			assert.NotZero(t, chunks[0].Flags&wire.FlagImmediate, "its SACK must not be delayed")
			assert.EqualValues(t, 1, r.Path(0).TailProbes)
			_, expired = r.expire()
			assert.True(t, expired, "one probe, then T3-rtx")
		})
	}
}

func TestProbeThatRepairedALossShrinksTheWindow(t *testing.T) { // RFC 8985, section 7.4
	probed := func(t *testing.T) *rig {
		r := newRig(t)
		r.Sample(0, 100*ms)
		r.queue(3)
		r.send(0)
		at, _ := r.expire()
		require.Len(t, r.send(at), 1)
		return r
	}
	t.Run("the original had arrived", func(t *testing.T) {
		r := probed(t)
		sack := sackOf(1002, 1<<20)
		sack.Duplicates = wire.NumbersOf[wire.TSN](1002)
		_, err := r.Sack(time.Second, sack)
		require.NoError(t, err)
		assert.Zero(t, r.control.losses)
		assert.False(t, r.paths[0].tail.open)
	})
	t.Run("it had not", func(t *testing.T) {
		r := probed(t)
		r.sack(time.Second, 1002)
		assert.Zero(t, r.control.losses, "not known yet")
		r.queue(1)
		r.send(time.Second)
		r.sack(2*time.Second, 1003)
		assert.Equal(t, 1, r.control.losses)
	})
}
