package tx

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// reordered returns a rig whose first chunk has been found lost, and at 10 ms sent
// again if resend is set. The smallest round trip is 10 ms.
func reordered(t *testing.T, resend bool) *rig {
	r := newRig(t)
	r.queue(5)
	r.send(0)
	r.sack(10*ms, 999, 2, 4)
	require.Equal(t, 1, r.control.losses)
	if resend {
		require.Equal(t, tsns(1000, 1000), r.send(10*ms))
	}
	return r
}

// report processes a SACK with duplicates.
func (r *rig) report(now time.Duration, cumulative wire.TSN, duplicates ...wire.TSN) {
	r.t.Helper()
	sack := sackOf(cumulative, 1<<20)
	sack.Duplicates = wire.NumbersOf(duplicates...)
	_, err := r.Sack(now, sack)
	require.NoError(r.t, err)
	requireConsistent(r.t, r.Sender)
}

func TestALossThatWasNoneIsUndone(t *testing.T) {
	t.Run("acknowledged before it was sent again", func(t *testing.T) {
		r := reordered(t, false)
		r.sack(11*ms, 1003)
		assert.Equal(t, 1, r.control.undone)
		assert.False(t, r.paths[0].recovery.on)
		assert.Empty(t, r.send(11*ms))
		assert.EqualValues(t, 1, r.Path(0).Undone)
	})
	t.Run("acknowledged sooner than the retransmission can have arrived", func(t *testing.T) { // RFC 3522
		r := reordered(t, true)
		r.sack(19*ms, 1003)
		assert.Equal(t, 1, r.control.undone)
		assert.True(t, r.paths[0].rack.reordered)
		r.report(20*ms, 1003, 1000)
		assert.Equal(t, 1, r.control.undone, "once")
	})
	t.Run("reported as a duplicate", func(t *testing.T) { // RFC 3708
		r := reordered(t, true)
		r.sack(20*ms, 1004)
		assert.Zero(t, r.control.undone, "not known yet")
		r.report(21*ms, 1004, 1000)
		assert.Equal(t, 1, r.control.undone)
	})
}

func TestALossIsNotUndone(t *testing.T) {
	t.Run("without a sign that it was none", func(t *testing.T) {
		r := reordered(t, true)
		r.sack(20*ms, 1004)
		assert.Zero(t, r.control.undone)
	})
	t.Run("for another chunk's duplicate", func(t *testing.T) {
		r := reordered(t, true)
		r.report(20*ms, 1003, 1001, 1002, 999)
		assert.Zero(t, r.control.undone)
	})
	t.Run("when the report comes too late to be about it", func(t *testing.T) {
		r := reordered(t, true)
		r.report(10*ms+2*DefaultRTOInitial, 1003, 998)
		r.report(10*ms+2*DefaultRTOInitial, 1003, 1000)
		assert.Zero(t, r.control.undone)
	})
	t.Run("while one of several is open", func(t *testing.T) {
		r := newRig(t)
		r.queue(8)
		r.send(0)
		r.sack(10*ms, 999, 3, 6)
		require.Equal(t, tsns(1000, 1001), r.send(10*ms))
		r.sack(15*ms, 1000, 2, 5)
		assert.Zero(t, r.control.undone)
		r.sack(30*ms, 1007)
		assert.Zero(t, r.control.undone)
		r.report(31*ms, 1007, 1001)
		assert.Equal(t, 1, r.control.undone)
	})
	t.Run("unless each retransmission of a chunk is reported", func(t *testing.T) {
		r := newRig(t)
		r.queue(40)
		for range 10 {
			r.packet(0)
		}
		r.sack(10*ms, 999, 2, 10)
		for range 10 {
			r.packet(10 * ms)
		}
		r.sack(20*ms, 999, 2, 15)
		require.Equal(t, wire.TSN(1000), r.packet(20 * ms)[0], "a second time")
		r.report(30*ms, 1018, 1000)
		assert.Zero(t, r.control.undone)
		r.report(31*ms, 1018, 1000)
		assert.Equal(t, 1, r.control.undone)
	})
	t.Run("if a tail-loss probe may have repaired it", func(t *testing.T) {
		r := newRig(t)
		r.Sample(0, 100*ms)
		r.queue(1)
		r.send(0)
		at, expired := r.expire()
		require.Len(t, r.send(at), 1, "the probe")
		for !expired {
			at, expired = r.expire()
		}
		r.sack(at+ms, 1000)
		assert.Zero(t, r.control.undone)
		r.report(at+ms, 1000, 1000)
		assert.Equal(t, 1, r.control.undone)
	})
}

func TestASpuriousTimeoutIsUndone(t *testing.T) { // RFC 4015
	r := newRig(t)
	r.Sample(0, 100*ms)
	r.queue(4)
	r.send(0)
	r.sack(100*ms, 1000)
	var at time.Duration
	for expired := false; !expired; {
		if at, expired = r.expire(); !expired {
			require.Equal(t, tsns(1003, 1003), r.send(at), "the probe")
		}
	}
	require.Equal(t, 1, r.control.timeouts)
	require.Equal(t, tsns(1001, 1001), r.send(at))
	// The path was held up, no more: what was sent first arrives.
	r.sack(at+ms, 1002)
	assert.Zero(t, r.control.undone, "the last chunk is open")
	r.sack(at+2*ms, 1003)
	assert.Zero(t, r.control.undone, "and was sent twice")
	r.report(at+3*ms, 1003, 1003)
	assert.Equal(t, 1, r.control.undone)
}

func TestReductionsThatFollowOneAnotherAreUndoneTogether(t *testing.T) {
	r := reordered(t, true)
	r.Sample(0, 10*ms)
	r.queue(5)
	require.Equal(t, tsns(1005, 1009), r.send(11*ms))
	r.sack(20*ms, 1004)
	require.False(t, r.paths[0].recovery.on)
	require.True(t, r.paths[0].spurious.open)
	r.sack(21*ms, 1004, 2, 5)
	require.Equal(t, 2, r.control.losses)
	r.sack(22*ms, 1009)
	assert.Zero(t, r.control.undone, "the first is open still")
	r.report(23*ms, 1009, 1000)
	assert.Equal(t, 1, r.control.undone)
	assert.Zero(t, r.control.confirmed)
}

func TestALossDoesNotKeepLaterReductionsFromBeingUndone(t *testing.T) {
	r := reordered(t, true)
	r.sack(20*ms, 1004)
	for i := range wire.TSN(3) {
		at := time.Duration(i+1) * 100 * ms
		r.queue(5)
		r.send(at)
		r.sack(at+10*ms, 1004+5*i, 2, 5)
		if i > 0 { // reordering has been seen
			r.expire()
		}
		require.EqualValues(t, 2+i, r.control.losses)
		assert.Equal(t, 1, r.control.confirmed, "the first")
		assert.Len(t, r.paths[0].spurious.chunks, 1)
		r.sack(at+15*ms, 1009+5*i)
		assert.EqualValues(t, 1+i, r.control.undone)
	}
}

func TestDetectionOfSpuriousLossesEndsWhileLossesGoOn(t *testing.T) { // bug class: unbounded state
	r := newRig(t)
	for i := range wire.TSN(100) {
		at := time.Duration(i+1) * 40 * ms // less than RTO
		r.queue(5)
		r.send(at)
		r.sack(at+10*ms, 999+5*i, 2, 5)
		r.send(at + 10*ms)
		r.sack(at+20*ms, 1004+5*i)
		assert.LessOrEqual(t, len(r.paths[0].spurious.chunks), 4)
	}
	assert.Zero(t, r.control.undone)
	assert.Greater(t, r.control.confirmed, 20)
}

func TestAnUndoneReductionRestoresTheWindow(t *testing.T) {
	for name, control := range map[string]func(int) Controller{"NewReno": NewNewReno, "CUBIC": NewCubic} {
		t.Run(name, func(t *testing.T) {
			c := control(1000)
			grow := func(from, until time.Duration) {
				for now := from; now < until; now += 100 * ms {
					c.Acked(Ack{Now: now, Bytes: c.Window(), Flight: c.Window(), SRTT: 100 * ms})
				}
			}
			grow(0, time.Second)
			c.Lost(time.Second) // which ends slow start
			c.Judged(time.Second, false)
			grow(2*time.Second, 6*time.Second)
			before := c.Window()

			c.Lost(6 * time.Second)
			c.Timeout(6 * time.Second)
			require.Less(t, c.Window(), before)
			c.Judged(7*time.Second, true)
			assert.Equal(t, before, c.Window(), "of before the first")
			c.Acked(Ack{Now: 7 * time.Second, Bytes: c.Window(), Flight: c.Window(), SRTT: 100 * ms})
			assert.InDelta(t, before, c.Window(), float64(before)/10, "and no leap from there")

			c.Lost(8 * time.Second)
			c.Judged(8*time.Second, false)
			after := c.Window()
			c.Judged(9*time.Second, true)
			assert.Equal(t, after, c.Window(), "what has been judged is over")

			c.Lost(9 * time.Second)
			c.Idle(10)
			after = c.Window()
			c.Judged(10*time.Second, true)
			assert.Equal(t, after, c.Window(), "idleness has taken it since")
		})
	}
}
