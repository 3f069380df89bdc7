package rx

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// forward skips up to the tsn-th TSN, and SSNs of stream 1.
func (r *rig) forward(tsn int, ssns ...wire.SSN) {
	r.t.Helper()
	f := wire.ForwardTSN{CumulativeTSN: tsnOf(tsn)}
	for _, ssn := range ssns {
		f.Skipped = f.Skipped.Append(wire.SkippedSSN{Stream: 1, SSN: ssn})
	}
	require.NoError(r.t, r.ForwardTSN(&f))
}

func (r *rig) iforward(list ...wire.SkippedMID) {
	r.t.Helper()
	require.NoError(r.t, r.IForwardTSN(&wire.IForwardTSN{Skipped: skippedMIDs(list...)}))
}

func TestSkippedMessagesHoldUpNothing(t *testing.T) { // RFC 3758, section 3.6
	r := newRig(t, partial)
	require.NoError(t, r.data(B|E, 1, 1, 1, "b"))
	require.NoError(t, r.data(B, 2, 1, 2, "lost"))
	require.NoError(t, r.data(B|E, 4, 1, 3, "d"))
	require.NoError(t, r.data(B, 5, 1, 4, "e"))
	require.NoError(t, r.data(B|E, 8, 1, 6, "g"))
	r.forward(3, 2)
	assert.Equal(t, "1(b) 1(d) 1(e", r.read(), "what is complete is delivered")
	require.NoError(t, r.data(E, 6, 1, 4, "f"))
	assert.Equal(t, "1f)", r.read())
	r.forward(7, 5)
	assert.Equal(t, "1(g)", r.read())
	r.forward(7, 5)
	r.forward(8, 6)
	r.requireEmpty()
}

func TestDeliveryOfASkippedMessageIsAborted(t *testing.T) { // RFC 3758, section 3.6
	r := newRig(t, partial)
	require.NoError(t, r.data(B, 0, 1, 0, "a"))
	require.NoError(t, r.data(0, 2, 1, 0, "c"))
	require.NoError(t, r.data(B|E, 4, 1, 1, "e"))
	r.forward(3, 0)
	assert.Equal(t, "1(a 1! 1(e)", r.read())
	r.requireEmpty()

	r = newRig(t, interleaving, partial)
	require.NoError(t, r.idata(B, 1, 0, 0, "a"))
	require.NoError(t, r.idata(B|U, 1, 0, 0, "x"))
	require.NoError(t, r.idata(B|U, 1, 2, 0, "z"))
	require.NoError(t, r.idata(0, 1, 0, 2, "c"))
	r.iforward(wire.SkippedMID{Stream: 1, MID: 0})
	assert.Equal(t, "1(a 1u(x 1u(z 1!", r.read())
	r.iforward(wire.SkippedMID{Stream: 1, Unordered: true, MID: 1})
	assert.Equal(t, "1u!", r.read())
	require.NoError(t, r.idata(E|U, 1, 2, 1, "!"))
	assert.Equal(t, "1u!)", r.read())
	r.requireEmpty()
}

func TestASkippedMessageOfWhichNothingWasDeliveredIsNotMentioned(t *testing.T) {
	r := newRig(t, partial, wholeOnly)
	require.NoError(t, r.data(B, 0, 1, 0, "a"))
	require.NoError(t, r.data(B|U, 2, 1, 0, "u"))
	require.NoError(t, r.data(0|U, 5, 1, 0, "v"))
	r.forward(5, 0)
	assert.False(t, r.Ready())
	r.requireEmpty()
}

func TestUnorderedMessagesMissingASkippedTSNAreGivenUp(t *testing.T) { // RFC 3758, section 3.6
	r := newRig(t, partial)
	require.NoError(t, r.data(B|U, 0, 1, 0, "a")) // 1 and 2 are missing
	require.NoError(t, r.data(E|U, 3, 1, 0, "d"))
	require.NoError(t, r.data(B|U, 5, 1, 0, "f")) // 6 is missing
	require.NoError(t, r.data(E|U, 7, 1, 0, "h"))
	assert.Equal(t, "1u(a 1u(f", r.read())
	r.forward(3)
	assert.Equal(t, "1u!", r.read())
	require.NoError(t, r.data(U, 6, 1, 0, "g"))
	assert.Equal(t, "1ug 1uh)", r.read(), "the other goes on")
	require.NoError(t, r.data(B|U, 8, 1, 0, "i"))
	r.forward(8)
	assert.Equal(t, "1u(i", r.read(), "9 may still come")
	r.forward(9)
	assert.Equal(t, "1u!", r.read())
	r.requireEmpty()
}

// Linux assigns no TSN to what has not been sent of a message that it abandons.
func TestThePeerMayBreakOffAMessageThatItAbandons(t *testing.T) {
	for _, stream := range []socket.StreamID{1, 2} {
		r := newRig(t, partial)
		require.NoError(t, r.data(B|U, 0, 1, 0, "a"))
		require.NoError(t, r.data(B|E|U, 1, stream, 0, "b"))
		assert.Equal(t, map[socket.StreamID]string{1: "1u(a 1u! 1u(b)", 2: "1u(a 2u(b) 1u!"}[stream], r.read())
		require.NoError(t, r.data(B, 2, 1, 0, "c"))
		require.NoError(t, r.data(B|E, 3, 1, 1, "d"))
		r.forward(2, 0)
		assert.Equal(t, "1(c 1! 1(d)", r.read())
		r.requireEmpty()
	}
}

func TestARunWhoseBeginningIsSkippedIsGivenUp(t *testing.T) { // RFC 3758, section 3.6
	r := newRig(t, partial)
	require.NoError(t, r.data(U, 3, 1, 0, "d"))
	require.NoError(t, r.data(E|U, 4, 1, 0, "e"))
	require.NoError(t, r.data(E|U, 6, 1, 0, "g"))
	r.forward(2)
	assert.Equal(t, 1, r.Held(), "the other's beginning may come")
	require.NoError(t, r.data(B|U, 5, 1, 0, "f"))
	assert.Equal(t, "1u(f 1ug)", r.read())
	r.requireEmpty()
}

func TestAFragmentOvertakenByItsIForwardTSNIsDropped(t *testing.T) { // RFC 8260, section 2.3.1
	r := newRig(t, interleaving, partial)
	require.NoError(t, r.idata(B|U, 1, 2, 0, "a"))
	r.iforward(wire.SkippedMID{Stream: 1, Unordered: true, MID: 2})
	require.NoError(t, r.idata(E|U, 1, 2, 1, "late"))
	require.NoError(t, r.idata(B|E|U, 1, 3, 0, "b"))
	assert.Equal(t, "1u(a 1u! 1u(b)", r.read())
	r.requireEmpty()
}

func TestAChunkOvertakenByItsForwardTSNIsDropped(t *testing.T) {
	r := newRig(t, partial)
	r.forward(0, 3)
	require.NoError(t, r.data(B|E, 1, 1, 3, "late"))
	r.requireEmpty()
	require.NoError(t, r.data(B|E, 2, 1, 4, "e"))
	assert.Equal(t, "1(e)", r.read())
}

func TestForwardTSNThatIsWrongChangesNothing(t *testing.T) {
	r := newRig(t)
	require.NoError(t, r.data(B|E, 1, 1, 1, "b"))
	f := wire.ForwardTSN{Skipped: wire.SkippedSSNs{}.
		Append(wire.SkippedSSN{Stream: 1, SSN: 0}).Append(wire.SkippedSSN{Stream: 10, SSN: 0})}
	assert.ErrorIs(t, r.ForwardTSN(&f), ErrStream)
	assert.ErrorIs(t, r.IForwardTSN(&wire.IForwardTSN{}), ErrInterleaving)
	assert.False(t, r.Ready())

	r = newRig(t, interleaving)
	require.NoError(t, r.idata(B|E, 1, 1, 0, "b"))
	i := wire.IForwardTSN{Skipped: skippedMIDs(wire.SkippedMID{Stream: 1}, wire.SkippedMID{Stream: 10})}
	assert.ErrorIs(t, r.IForwardTSN(&i), ErrStream)
	assert.ErrorIs(t, r.ForwardTSN(&wire.ForwardTSN{}), ErrInterleaving)
	assert.False(t, r.Ready())
}
