package rx

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func TestStreamsTakeTurns(t *testing.T) {
	r := newRig(t)
	tsn := 0
	for stream, n := range []int{3, 1, 2} {
		for ssn := range n {
			require.NoError(t, r.data(B|E, tsn, socket.StreamID(stream), wire.SSN(ssn), string(rune('a'+ssn))))
			tsn++
		}
	}
	assert.Equal(t, "0(a) 1(a) 2(a) 0(b) 2(b) 0(c)", r.read())
}

func TestOneStreamCanBeRead(t *testing.T) {
	r := newRig(t)
	for i, stream := range []socket.StreamID{0, 1, 2, 1} {
		require.NoError(t, r.data(B|E, i, stream, wire.SSN(i/2*int(stream&1)), "a"))
	}
	assert.True(t, r.StreamReady(1))
	assert.False(t, r.StreamReady(3))
	assert.False(t, r.StreamReady(10))
	assert.Equal(t, "1(a) 1(a)", r.readOf(1))
	assert.False(t, r.StreamReady(1))
	assert.Empty(t, r.readOf(10))
	assert.Equal(t, "0(a) 2(a)", r.read())
	require.NoError(t, r.data(B|E, 4, 0, 1, "b"))
	assert.Equal(t, "0(b)", r.readOf(0), "the last in the ring")
	assert.False(t, r.Ready())
	r.requireEmpty()
}
