package tx

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

func TestSACKsThatBreakTheProtocolChangeNothing(t *testing.T) {
	for name, tc := range map[string]struct {
		sack *wire.SACK
		want error
	}{
		"cumulative TSN never sent":        {sackOf(1010, 0), ErrAckUnsent},
		"cumulative TSN far ahead":         {sackOf(rigTSN+1<<31-2, 0), ErrAckUnsent},
		"gap block never sent":             {sackOf(1004, 0, 3, 6), ErrAckUnsent},
		"gap block beyond the TSN space":   {sackOf(999, 0, 2, 65_535), ErrAckUnsent},
		"block that ends before it starts": {sackOf(999, 0, 5, 3), ErrGapOrder},
		"blocks that overlap":              {sackOf(999, 0, 2, 4, 4, 6), ErrGapOrder},
		"blocks that descend":              {sackOf(999, 0, 6, 7, 2, 3), ErrGapOrder},
		"block at offset 0":                {sackOf(999, 0, 0, 3), ErrGapOrder},
		"block without a gap before it":    {sackOf(999, 0, 1, 3), ErrNoGap},
		"old and with unsent gaps":         {sackOf(990, 0, 2, 30), ErrAckUnsent},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.queue(10)
			require.Len(t, r.send(0), 10)
			before := r.Path(0)
			_, err := r.Sack(ms, tc.sack)
			require.ErrorIs(t, err, tc.want)
			var violation *wire.Error
			require.ErrorAs(t, err, &violation)
			assert.Equal(t, wire.CauseProtocolViolation, violation.Cause)
			assert.Equal(t, before, r.Path(0))
			assert.Equal(t, 1<<20, r.window.advertised)
			assert.Empty(t, r.control.acks)
			requireConsistent(t, r.Sender)
		})
	}
}

func TestSACKBeforeAnythingWasSent(t *testing.T) {
	r := newRig(t)
	r.sack(0, rigTSN-1)
	_, err := r.Sack(0, sackOf(rigTSN, 0))
	assert.ErrorIs(t, err, ErrAckUnsent)
}

func TestSACKThatWasOvertakenIsDropped(t *testing.T) { // RFC 9260, section 6.2.1, rule D
	r := newRig(t)
	r.queue(10)
	r.send(0)
	r.sack(ms, 1004)
	p := r.sackWindow(2*ms, 1002, 5, 2, 3)
	assert.True(t, p.Stale)
	assert.Zero(t, p.Acked)
	assert.Equal(t, 1<<20, r.window.advertised, "its window is out of date as well")
}

func TestBlocksThatTouchAreFine(t *testing.T) {
	r := newRig(t)
	r.queue(10)
	r.send(0)
	assert.Equal(t, 6000, r.sack(ms, 999, 2, 4, 5, 7).Acked)
	assert.Zero(t, r.sack(ms, 999, 2, 5, 6, 7).Acked, "the same, cut otherwise")
	assert.Zero(t, r.Stats().Reneged)
}

func TestAChunkTakenBackIsInFlightAgain(t *testing.T) { // RFC 9260, section 6.2.1, reneging
	r := newRig(t)
	r.queue(4)
	r.send(0)
	assert.Equal(t, 3000, r.sack(10*ms, 999, 2, 4).Acked)
	flight := r.Path(0).Flight

	assert.Zero(t, r.sack(11*ms, 999, 2, 2).Acked)
	assert.EqualValues(t, 2, r.Stats().Reneged)
	assert.Equal(t, flight+2*rigChunk, r.Path(0).Flight)

	assert.Zero(t, r.sack(12*ms, 999, 2, 4).Acked, "acknowledging it again earns nothing")
	assert.Len(t, r.control.acks, 1)
	r.sack(13*ms, 1003)
	assert.True(t, r.Drained())
}

func TestAChunkTakenBackAndGoneIsSentAgain(t *testing.T) {
	r := newRig(t)
	r.queue(2)
	r.send(0)
	r.sack(10*ms, 999, 2, 2)
	r.sack(11*ms, 999)
	for i := 0; r.Stats().Retransmissions == 0; i++ {
		require.Less(t, i, 10)
		at, _ := r.expire()
		r.send(at)
	}
	r.sack(20e9, 1001)
	assert.True(t, r.Drained())
}

func TestBytesOfAnUnsentFlightCannotBeClaimedTwice(t *testing.T) {
	r := newRig(t)
	r.queue(3)
	r.send(0)
	for range 100 {
		r.sack(ms, 999, 3, 3)
		r.sack(ms, 999)
	}
	assert.Len(t, r.control.acks, 1)
}

func TestShutdownAcknowledgesWithoutTakingGapsBack(t *testing.T) { // RFC 9260, section 9.2
	r := newRig(t)
	r.queue(6)
	r.send(0)
	r.sack(ms, 999, 3, 6)
	p, err := r.CumulativeAck(2*ms, 1000)
	require.NoError(t, err)
	assert.Equal(t, 1000, p.Acked)
	assert.Zero(t, r.Stats().Reneged)
	_, err = r.CumulativeAck(2*ms, 1006)
	assert.ErrorIs(t, err, ErrAckUnsent)
	p, err = r.CumulativeAck(2*ms, 999)
	require.NoError(t, err)
	assert.True(t, p.Stale)
	_, err = r.CumulativeAck(3*ms, 1005)
	require.NoError(t, err)
	assert.True(t, r.Drained())
}
