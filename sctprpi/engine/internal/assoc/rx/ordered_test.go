package rx

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

func TestOrderedMessagesAreDeliveredInOrder(t *testing.T) { // RFC 9260, section 6.6
	r := newRig(t)
	require.NoError(t, r.data(B|E, 2, 1, 2, "c"))
	require.NoError(t, r.data(B|E, 1, 1, 1, "b"))
	assert.False(t, r.Ready())
	require.NoError(t, r.data(B|E, 3, 2, 0, "x"))
	assert.Equal(t, "2(x)", r.read(), "streams do not wait for each other")
	require.NoError(t, r.data(B|E, 0, 1, 0, "a"))
	assert.Equal(t, "1(a) 1(b) 1(c)", r.read())
	r.requireEmpty()
}

func TestUnorderedMessagesDoNotWait(t *testing.T) { // RFC 9260, section 6.6
	r := newRig(t)
	require.NoError(t, r.data(B|E|U, 1, 1, 0, "b"))
	require.NoError(t, r.data(B|E, 2, 1, 1, "d"))
	require.NoError(t, r.data(B|E|U, 3, 1, 9, "c"))
	assert.Equal(t, "1u(b) 1u(c)", r.read())
	require.NoError(t, r.data(B|E, 0, 1, 0, "a"))
	assert.Equal(t, "1(a) 1(d)", r.read())
	r.requireEmpty()
}

func TestFragmentsAreDeliveredAsTheyComeInOrder(t *testing.T) { // RFC 9260, section 6.9
	for _, u := range []wire.DataFlags{0, U} {
		mark := map[wire.DataFlags]string{0: "1", U: "1u"}[u]
		r := newRig(t)
		require.NoError(t, r.data(E|u, 5, 1, 0, "f"))
		require.NoError(t, r.data(u, 3, 1, 0, "d"))
		require.NoError(t, r.data(u, 1, 1, 0, "b"))
		assert.False(t, r.Ready())
		require.NoError(t, r.data(B|u, 0, 1, 0, "a"))
		assert.Equal(t, mark+"(a "+mark+"b", r.read())
		require.NoError(t, r.data(u, 4, 1, 0, "e"))
		assert.False(t, r.Ready())
		require.NoError(t, r.data(u, 2, 1, 0, "c"))
		assert.Equal(t, mark+"c "+mark+"d "+mark+"e "+mark+"f)", r.read())
		r.requireEmpty()
	}
}

func TestAnOrderedMessageInPartHoldsUpOnlyItsStreamsOrderedOnes(t *testing.T) { // RFC 9260, section 6.6
	r := newRig(t)
	require.NoError(t, r.data(B, 0, 1, 0, "a"))
	require.NoError(t, r.data(B|E, 2, 1, 1, "c"))
	require.NoError(t, r.data(B|E|U, 3, 1, 0, "u"))
	require.NoError(t, r.data(B, 4, 1, 2, "d"))
	require.NoError(t, r.data(B|E, 6, 2, 0, "x"))
	assert.Equal(t, "1(a 2(x) 1u(u)", r.read())
	require.NoError(t, r.data(E, 1, 1, 0, "b"))
	assert.Equal(t, "1b) 1(c) 1(d", r.read())
	require.NoError(t, r.data(E, 5, 1, 2, "e"))
	assert.Equal(t, "1e)", r.read())
	r.requireEmpty()
}

func TestSSNsWrap(t *testing.T) { // RFC 9260, section 1.6
	r := newRig(t)
	for i := range 1 << 17 {
		tsn := i ^ 1 // swapped
		require.NoError(t, r.data(B|E, tsn, 1, wire.SSN(tsn), "m"))
		if i%2 == 0 {
			require.False(t, r.Ready())
			continue
		}
		for j := i - 1; j <= i; j++ {
			p, ok := r.next()
			require.True(t, ok)
			require.EqualValues(t, uint16(j), p.MID)
			p.Memory.Release()
		}
	}
	r.requireEmpty()
}

func TestWholeMessagesOnly(t *testing.T) {
	r := newRig(t, wholeOnly)
	require.NoError(t, r.data(B, 0, 1, 0, "a"))
	require.NoError(t, r.data(B|U, 2, 2, 0, "x"))
	require.NoError(t, r.data(B|E, 4, 1, 1, "c"))
	assert.False(t, r.Ready())
	require.NoError(t, r.data(E|U, 3, 2, 0, "y"))
	assert.Equal(t, "2u(x 2uy)", r.read())
	require.NoError(t, r.data(E, 1, 1, 0, "b"))
	require.NoError(t, r.data(B|E, 5, 2, 0, "z"))
	assert.Equal(t, "1(a 1b) 2(z) 1(c)", r.read(), "streams take turns message by message")
	r.requireEmpty()
}

func TestThePayloadIsNotCopied(t *testing.T) {
	r := newRig(t)
	payload := []byte("payload")
	b := r.buffers.get(t)
	require.NoError(t, r.Data(&wire.Data{Flags: B | E, TSN: rigTSN, Payload: payload}, b))
	p, ok := r.next()
	require.True(t, ok)
	assert.Same(t, &payload[0], &p.Payload[0])
	assert.Same(t, b, p.Memory)
}
