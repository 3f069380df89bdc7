package rx

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"
)

func TestResetStreamsStartAtZero(t *testing.T) { // RFC 6525, section 5.2.2
	r := newRig(t)
	for stream := range wire.StreamID(3) {
		for ssn := range wire.SSN(2) {
			require.NoError(t, r.data(B|E, int(2*stream)+int(ssn), stream, ssn, "a"))
		}
	}
	require.NoError(t, r.Reset(wire.NumbersOf[wire.StreamID](1)))
	assert.Equal(t, "0(a) 1(a) 2(a) 0(a) 1(a) 2(a)", r.read(), "what is ready stays so")
	require.NoError(t, r.data(B|E, 6, 0, 2, "c"))
	require.NoError(t, r.data(B|E, 7, 1, 0, "d"))
	assert.Equal(t, "0(c) 1(d)", r.read())

	require.NoError(t, r.Reset(nil))
	for stream := range wire.StreamID(3) {
		require.NoError(t, r.data(B|E, 8+int(stream), stream, 0, "e"))
	}
	assert.Equal(t, "0(e) 1(e) 2(e)", r.read(), "no streams means all")
	r.requireEmpty()
}

func TestResetGivesUpWhatCannotBeCompleted(t *testing.T) { // bug class: a reset leaves fragments behind
	r := newRig(t, interleaving)
	require.NoError(t, r.idata(B, 1, 0, 0, "a"))
	require.NoError(t, r.idata(0, 1, 0, 2, "c"))
	require.NoError(t, r.idata(B|E, 1, 5, 0, "f"))
	require.NoError(t, r.idata(U, 1, 7, 1, "u"))
	require.NoError(t, r.Reset(wire.NumbersOf[wire.StreamID](1)))
	assert.Equal(t, "1(a 1!", r.read())
	r.requireEmpty()
	require.NoError(t, r.idata(B|E, 1, 0, 0, "a"))
	assert.Equal(t, "1(a)", r.read())
}

func TestStreamsAreAdded(t *testing.T) { // RFC 6525, section 5.2.5
	r := newRig(t)
	assert.ErrorIs(t, r.data(B|E, 0, 10, 0, "a"), ErrStream)
	require.NoError(t, r.AddStreams(1))
	require.NoError(t, r.data(B|E, 0, 10, 0, "a"))
	assert.Equal(t, "10(a)", r.read())
	assert.Error(t, r.AddStreams(65_536-11))
	assert.NoError(t, r.AddStreams(65_535-11))
	assert.Error(t, r.Reset(wire.NumbersOf[wire.StreamID](65_535)))
}

func TestCloseReleasesAll(t *testing.T) {
	for _, option := range []func(*Config){partial, wholeOnly} {
		r := newRig(t, option)
		require.NoError(t, r.data(B|E, 0, 1, 0, "ready"))
		require.NoError(t, r.data(B, 1, 1, 1, "begun"))
		require.NoError(t, r.data(B|E, 4, 1, 3, "waiting"))
		require.NoError(t, r.data(0, 6, 1, 4, "in part"))
		require.NoError(t, r.data(B|U, 8, 2, 0, "loose"))
		require.NoError(t, r.data(U, 10, 2, 0, "later"))
		r.Close()
		r.requireEmpty()
	}
	r := newRig(t, interleaving)
	require.NoError(t, r.idata(B|U, 8, 2, 0, "begun"))
	require.NoError(t, r.idata(E|U, 8, 3, 10, "later"))
	r.Close()
	r.requireEmpty()
}
