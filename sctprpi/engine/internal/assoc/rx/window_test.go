package rx

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

const kib = 1 << 10

var block = strings.Repeat("x", kib)

func TestWindowIsWhatIsFreeOfTheBuffer(t *testing.T) { // RFC 9260, section 6.2
	r := newRig(t, buffer(64*kib))
	require.NoError(t, r.data(B|E, 0, 1, 0, block))
	require.NoError(t, r.data(B|E, 2, 1, 2, block))
	assert.EqualValues(t, 62*kib, r.Window(), "deliverable or not")
	assert.Equal(t, 2*kib, r.Held())
	r.read()
	assert.EqualValues(t, 63*kib, r.Window(), "what is delivered is free")
}

func TestWithoutRoomAChunkIsRefused(t *testing.T) { // RFC 9260, section 6.2
	r := newRig(t, buffer(64*kib))
	for i := range 64 {
		require.NoError(t, r.data(B|E, i, 1, wire.SSN(i), block))
	}
	assert.Zero(t, r.Window())
	assert.ErrorIs(t, r.data(B|E, 64, 1, 64, "x"), ErrNoRoom)
	assert.ErrorIs(t, r.data(B|E|U, 64, 1, 0, "x"), ErrNoRoom)
	assert.ErrorIs(t, r.data(B|U, 64, 1, 0, "x"), ErrNoRoom)
	_, ok := r.nextOf(1)
	require.True(t, ok)
	assert.NoError(t, r.data(B|E, 64, 1, 64, "x"))
}

func TestTinyChunksFillTheBufferToo(t *testing.T) { // bug class: unbounded reassembly
	r := newRig(t, buffer(64*kib))
	for i := range 256 {
		require.NoError(t, r.data(B|E, i, 1, wire.SSN(i), "x"))
	}
	assert.Zero(t, r.Window())
	assert.ErrorIs(t, r.data(B|E, 256, 1, 256, "x"), ErrNoRoom)
	require.NotEmpty(t, r.read())
	r.requireEmpty()
}

// Else a window probe could not end a zero window that is due to reordering.
func TestAFullBufferTakesTheChunkThatMakesSomethingReady(t *testing.T) {
	r := newRig(t, buffer(64*kib))
	for i := range 64 {
		require.NoError(t, r.data(B|E, i+2, 1, wire.SSN(i+2), block))
	}
	assert.ErrorIs(t, r.data(B|E, 1, 1, 1, block), ErrNoRoom)
	assert.ErrorIs(t, r.data(B|E, 70, 2, 1, block), ErrNoRoom)
	require.NoError(t, r.data(B|E, 0, 1, 0, block))
	assert.ErrorIs(t, r.data(B|E, 1, 1, 1, block), ErrNoRoom, "only one, until it is read")
	assert.Equal(t, "1("+block+")", r.read())
	require.NoError(t, r.data(B|E, 1, 1, 1, block))
	assert.Len(t, strings.Fields(r.read()), 65)
	r.requireEmpty()
}

func TestAFullBufferTakesTheFragmentThatMakesSomethingReady(t *testing.T) {
	fill := func(r *rig, take func(i int) error) {
		for i := range 64 {
			require.NoError(t, take(i))
		}
		assert.Zero(t, r.Window())
	}
	r := newRig(t, buffer(64*kib))
	fill(r, func(i int) error { return r.data(U, i+2, 1, 0, block) })
	assert.ErrorIs(t, r.data(U, 1, 1, 0, "b"), ErrNoRoom)
	require.NoError(t, r.data(B|U, 0, 1, 0, "a"))
	assert.Equal(t, "1u(a", r.read())
	require.NoError(t, r.data(U, 1, 1, 0, "b"))

	r = newRig(t, buffer(64*kib), interleaving)
	fill(r, func(i int) error { return r.idata(0, 1, 0, wire.FSN(i+2), block) })
	assert.ErrorIs(t, r.idata(0, 1, 0, 1, "b"), ErrNoRoom)
	assert.ErrorIs(t, r.idata(0, 2, 0, 1, "b"), ErrNoRoom)
	require.NoError(t, r.idata(B, 1, 0, 0, "a"))
	assert.Equal(t, "1(a", r.read())
	require.NoError(t, r.idata(0, 1, 0, 1, "b"))
}

func TestWholeMessagesMustFitTheBuffer(t *testing.T) {
	for _, u := range []wire.DataFlags{0, U} {
		r := newRig(t, buffer(64*kib), wholeOnly)
		require.NoError(t, r.data(B|u, 0, 1, 0, block))
		for i := 1; i < 64; i++ {
			require.NoError(t, r.data(u, i, 1, 0, block))
		}
		assert.ErrorIs(t, r.data(u, 64, 1, 0, block), ErrTooLong)
		assert.ErrorIs(t, r.data(u, 65, 1, 0, block), ErrNoRoom, "not this one's fault")
		require.NoError(t, r.data(E|u, 64, 1, 0, block))
		assert.Len(t, strings.Fields(r.read()), 65)
		r.requireEmpty()

		// The last fragment alone does not help.
		r = newRig(t, buffer(64*kib), wholeOnly)
		require.NoError(t, r.data(B|u, 0, 1, 0, block))
		require.NoError(t, r.data(E|u, 66, 1, 0, block))
		for i := 1; i < 63; i++ {
			require.NoError(t, r.data(u, i, 1, 0, block))
		}
		assert.ErrorIs(t, r.data(u, 63, 1, 0, block), ErrTooLong)

		// The last fragment may have come before.
		r = newRig(t, buffer(64*kib), wholeOnly)
		require.NoError(t, r.data(B|u, 0, 1, 0, block))
		require.NoError(t, r.data(E|u, 64, 1, 0, block))
		for i := 1; i < 62; i++ {
			require.NoError(t, r.data(u, i, 1, 0, block))
		}
		require.NoError(t, r.data(u, 63, 1, 0, block))
		assert.Zero(t, r.Window())
		require.NoError(t, r.data(u, 62, 1, 0, block))
		assert.Len(t, strings.Fields(r.read()), 65)
		r.requireEmpty()
	}
}

func TestAStreamOverItsLimitNarrowsTheWindow(t *testing.T) {
	r := newRig(t, buffer(64*kib), func(c *Config) { c.StreamLimit = 4 * kib })
	window := func() int { return int(r.Window()) / kib }
	for i := range 4 {
		require.NoError(t, r.data(B|E, i, 1, wire.SSN(i), block))
	}
	assert.Equal(t, 60, window())
	for i := 4; i < 34; i++ {
		require.NoError(t, r.data(B|E, i, 1, wire.SSN(i), block))
	}
	assert.Equal(t, 0, window(), "4 within the limit and 30 twice")
	for i := range 30 {
		require.NoError(t, r.data(B|E, 34+i, 2, wire.SSN(i), block), "what is in flight is taken")
	}
	assert.ErrorIs(t, r.data(B|E, 64, 2, 30, block), ErrNoRoom)
	assert.Len(t, strings.Fields(r.readOf(1)), 34)
	assert.Equal(t, 64-4-2*26, window())
	r.read()
	r.requireEmpty()
}
