package rx

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

func TestMessagesOfDifferentStreamsInterleave(t *testing.T) { // RFC 8260, section 2.2
	r := newRig(t, interleaving)
	require.NoError(t, r.idata(B, 1, 0, 0, "a"))
	require.NoError(t, r.idata(B, 2, 0, 0, "x"))
	require.NoError(t, r.idata(0, 1, 0, 1, "b"))
	require.NoError(t, r.idata(E, 2, 0, 1, "y"))
	require.NoError(t, r.idata(E, 1, 0, 2, "c"))
	assert.Equal(t, "1(a 2(x 1b 2y) 1c)", r.read())
	r.requireEmpty()
}

func TestFragmentsAreInTheOrderOfTheirFSNs(t *testing.T) { // RFC 8260, section 2.1
	for _, u := range []wire.DataFlags{0, U} {
		r := newRig(t, interleaving, wholeOnly)
		require.NoError(t, r.idata(u, 1, 0, 2, "c"))
		require.NoError(t, r.idata(E|u, 1, 0, 3, "d"))
		require.NoError(t, r.idata(u, 1, 0, 1, "b"))
		assert.False(t, r.Ready())
		require.NoError(t, r.idata(B|u, 1, 0, 0, "a"))
		assert.Equal(t, map[wire.DataFlags]string{0: "1(a 1b 1c 1d)", U: "1u(a 1ub 1uc 1ud)"}[u], r.read())
		r.requireEmpty()
	}
}

func TestOrderedAndUnorderedMIDsCountApart(t *testing.T) { // RFC 8260, section 2.1
	r := newRig(t, interleaving)
	require.NoError(t, r.idata(B, 1, 0, 0, "a"))
	require.NoError(t, r.idata(B|U, 1, 0, 0, "x"))
	require.NoError(t, r.idata(B|U, 1, 1, 0, "p"))
	require.NoError(t, r.idata(E|U, 1, 1, 1, "q"))
	require.NoError(t, r.idata(E, 1, 0, 1, "b"))
	require.NoError(t, r.idata(E|U, 1, 0, 1, "y"))
	assert.Equal(t, "1(a 1u(x 1u(p 1uq) 1b) 1uy)", r.read())
	r.requireEmpty()
}

func TestMessagesBeingDeliveredAreToldApart(t *testing.T) {
	r := newRig(t, interleaving)
	require.NoError(t, r.idata(B|U, 1, 5, 0, "x"))
	require.NoError(t, r.idata(B|U, 1, 6, 0, "p"))
	require.NoError(t, r.idata(E|U, 1, 5, 1, "y"))
	for _, mid := range []wire.MID{5, 6, 5} {
		p, ok := r.next()
		require.True(t, ok)
		assert.Equal(t, mid, wire.MID(p.MID))
	}
	withoutMIDs := newRig(t)
	require.NoError(t, withoutMIDs.data(B|U, 5, 1, 0, "x"))
	require.NoError(t, withoutMIDs.data(U, 6, 1, 0, "y"))
	for range 2 {
		p, ok := withoutMIDs.next()
		require.True(t, ok)
		assert.Equal(t, uint32(tsnOf(5)), p.MID, "the first TSN")
	}
}

func TestMIDsWrap(t *testing.T) { // RFC 9260, section 1.6
	r := newRig(t, interleaving)
	require.NoError(t, r.IForwardTSN(&wire.IForwardTSN{Skipped: skippedMIDs(
		wire.SkippedMID{Stream: 1, MID: 0x7FFF_FFFF},
	)}))
	require.NoError(t, r.IForwardTSN(&wire.IForwardTSN{Skipped: skippedMIDs(
		wire.SkippedMID{Stream: 1, MID: 0xFFFF_FFFC},
	)}))
	for _, mid := range []wire.MID{0, 0xFFFF_FFFE, 1, 0xFFFF_FFFF, 0xFFFF_FFFD} {
		require.NoError(t, r.idata(B|E, 1, mid, 0, string(rune('d'+int8(mid)))))
	}
	assert.Equal(t, "1(a) 1(b) 1(c) 1(d) 1(e)", r.read())
	r.requireEmpty()
}

func TestUnorderedMIDsWrap(t *testing.T) {
	r := newRig(t, interleaving)
	for step := uint64(1); step < 1<<34; step += 1 << 29 {
		mid := wire.MID(step)
		require.NoError(t, r.idata(E|U, 1, mid-1, 1, "b"))
		require.NoError(t, r.idata(B|U, 1, mid, 0, "x"))
		require.NoError(t, r.idata(B|U, 1, mid-1, 0, "a"))
		require.NoError(t, r.idata(E|U, 1, mid, 1, "y"))
		require.Equal(t, "1u(x 1u(a 1ub) 1uy)", r.read())
	}
	r.requireEmpty()
}

func skippedMIDs(list ...wire.SkippedMID) (l wire.SkippedMIDs) {
	for _, s := range list {
		l = l.Append(s)
	}
	return l
}
