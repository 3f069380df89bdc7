package rx

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func TestNextPassesOverStreamsOnHold(t *testing.T) {
	r := newRig(t)
	require.NoError(t, r.Hold(1, true), "before anything has arrived")
	for i, stream := range []socket.StreamID{1, 2, 3} {
		require.NoError(t, r.data(B|E, i, stream, 0, "a"))
	}
	require.NoError(t, r.Hold(3, true), "when something is ready")
	require.NoError(t, r.Hold(3, true), "again")
	assert.Equal(t, []socket.StreamID{2, 1, 3}, r.AppendReady(nil))
	assert.Equal(t, "2(a)", r.read())
	assert.False(t, r.Ready(), "for Next")
	assert.True(t, r.StreamReady(3), "for NextOf")
	assert.Equal(t, []socket.StreamID{7, 1, 3}, r.AppendReady([]socket.StreamID{7}))
	assert.Equal(t, "3(a)", r.readOf(3))
	assert.Equal(t, []socket.StreamID{1}, r.AppendReady(nil))
	assert.ErrorIs(t, r.Hold(10, true), ErrStream)
	r.Close()
	r.requireEmpty()
}

func TestLettingGoPutsAStreamLastInLine(t *testing.T) {
	r := newRig(t)
	for i, stream := range []socket.StreamID{1, 2, 3} {
		require.NoError(t, r.data(B|E, i, stream, 0, "a"))
	}
	require.NoError(t, r.Hold(1, true))
	require.NoError(t, r.data(B|E, 3, 1, 1, "b"))
	require.NoError(t, r.Hold(1, false))
	assert.Equal(t, "2(a) 3(a) 1(a) 1(b)", r.read())
	require.NoError(t, r.Hold(2, true))
	require.NoError(t, r.Hold(2, false), "with nothing to deliver")
	require.NoError(t, r.data(B|E, 4, 2, 1, "b"))
	assert.Equal(t, "2(b)", r.read())
	r.requireEmpty()
}

// fillHeld fills the buffer with what stream 1, on hold, has to deliver, in chunks with
// the TSNs from 100.
func fillHeld(r *rig) {
	require.NoError(r.t, r.Hold(1, true))
	for i := range 64 {
		require.NoError(r.t, r.data(B|E, 100+i, 1, wire.SSN(i), block))
	}
	require.Zero(r.t, r.Window())
}

func TestAReaderGetsItsNextChunkWhateverOthersLeaveUnread(t *testing.T) {
	r := newRig(t, buffer(64*kib))
	fillHeld(r)
	require.NoError(t, r.Hold(2, true))
	assert.ErrorIs(t, r.data(B|E, 164, 1, 64, block), ErrNoRoom, "its reader has enough")
	for i := range 3 {
		require.NoError(t, r.data(B|E, 3*i, 2, wire.SSN(i), "x"), "for NextOf")
		require.NoError(t, r.data(B|E, 3*i+1, 3, wire.SSN(i), "y"), "for Next")
		assert.ErrorIs(t, r.data(B|E, 3*i+2, 4, wire.SSN(i), "z"), ErrNoRoom, "one for each reader")
		assert.Equal(t, "3(y)", r.read())
		assert.Equal(t, "2(x)", r.readOf(2))
		require.NoError(t, r.data(B|E, 3*i+2, 4, wire.SSN(i), "z"))
		assert.Equal(t, "4(z)", r.read())
	}
	assert.Len(t, strings.Fields(r.readOf(1)), 64)
	r.requireEmpty()
}

func TestUnreadMessagesAreNotTakenForOnesThatDoNotFit(t *testing.T) {
	r := newRig(t, buffer(64*kib), wholeOnly)
	fillHeld(r)
	assert.ErrorIs(t, r.data(B, 0, 2, 0, block), ErrNoRoom, "there will be room when they are read")
	r.readOf(1)
	require.NoError(t, r.data(B, 0, 2, 0, block))
	require.NoError(t, r.data(E, 1, 2, 0, "x"))
	assert.Len(t, strings.Fields(r.read()), 2)
	r.requireEmpty()
}

func TestHoldsAreCarriedOver(t *testing.T) {
	r := newRig(t)
	for _, id := range []socket.StreamID{1, 5, 9} {
		require.NoError(t, r.Hold(id, true))
	}
	require.NoError(t, r.Hold(5, false))
	next := newRig(t)
	next.HoldAs(r.Reassembly)
	for i, id := range []socket.StreamID{1, 5, 9} {
		require.NoError(t, next.data(B|E, i, id, 0, "a"))
	}
	assert.Equal(t, "5(a)", next.read())
	next.LetGo()
	assert.Equal(t, "1(a) 9(a)", next.read())
	require.NoError(t, next.data(B|E, 3, 1, 1, "b"))
	assert.Equal(t, "1(b)", next.read(), "streams stay let go")
	next.requireEmpty()
}
