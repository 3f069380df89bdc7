package rx

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// pooled has streams share what a peer that knows of credit may leave unread.
func pooled(base, size int) func(*Config) {
	return func(c *Config) { c.Credit, c.Interleaving, c.StreamBase, c.StreamPool = true, true, base, size }
}

// messages has n messages of size bytes arrive on a stream, numbered from first.
func (r *rig) messages(id socket.StreamID, first, n, size int) {
	r.t.Helper()
	for i := range n {
		require.NoError(r.t, r.idata(B|E, id, wire.MID(first+i), 0, strings.Repeat("x", size)))
	}
}

func (r *rig) takeOf(id socket.StreamID) {
	r.t.Helper()
	e, ok := r.nextOf(id)
	require.True(r.t, ok)
	e.Release()
	r.Settle()
}

func TestThePeerIsToldByHalfOfWhatItMayHaveUnread(t *testing.T) {
	r := newRig(t, pooled(1000, 64_000))
	r.messages(1, 0, 12, 1000)
	for range 10 {
		r.takeOf(1)
		assert.Empty(t, r.granted())
	}
	// 11,000 are taken of the pool, and 21,000 are left of half of it.
	r.takeOf(1)
	assert.Equal(t, []wire.StreamOffset{{Stream: 1, Offset: 11_000}}, r.granted())
	// Now that something has been read, the stream may have a quarter of what is free.
	r.messages(1, 12, 8, 1000)
	for range 7 {
		r.takeOf(1)
		assert.Empty(t, r.granted())
	}
	// 8,000 are taken, so that makes 14,000 more than its own.
	r.takeOf(1)
	assert.Equal(t, []wire.StreamOffset{{Stream: 1, Offset: 19_000}}, r.granted())
	r.readOf(1)
	r.requireEmpty()
}

func TestWhenThePoolIsScarceAllIsTold(t *testing.T) {
	r := newRig(t, pooled(1000, 64_000))
	for id := range socket.StreamID(3) {
		r.messages(id, 0, 2, 1000)
		r.takeOf(id)
	}
	require.False(t, r.CreditDue())
	r.messages(9, 0, 17, 1000)
	require.False(t, r.CreditDue(), "3,000 and 16,000 of the pool are less than 5/16")
	r.messages(9, 17, 2, 1000)
	assert.ElementsMatch(t, []wire.StreamOffset{
		{Stream: 0, Offset: 1000}, {Stream: 1, Offset: 1000}, {Stream: 2, Offset: 1000},
	}, r.granted())
	r.messages(9, 19, 4, 1000)
	r.takeOf(1)
	assert.Equal(t, []wire.StreamOffset{{Stream: 1, Offset: 2000}}, r.granted(), "at once")
	r.read()
	r.granted()
	assert.False(t, r.pool.Scarce())
	r.requireEmpty()
}

// A peer that was told of it would send more, and what is put back would be beyond the bounds.
func TestWhatMayBePutBackIsNotTold(t *testing.T) {
	r := newRig(t, pooled(256, 64_000))
	r.messages(1, 0, 30, 1000)
	require.True(t, r.pool.Scarce())
	e, _ := r.next()
	require.False(t, r.Settled())
	assert.Empty(t, r.granted())
	require.NoError(t, r.PutBack(&e, 10))
	r.Settle()
	assert.Empty(t, r.granted())
	r.takeOf(1)
	assert.Equal(t, []wire.StreamOffset{{Stream: 1, Offset: 1000}}, r.granted())
	r.readOf(1)
	r.granted()
	r.requireEmpty()
}

func TestWhatIsPutBackStaysWithThePool(t *testing.T) {
	r := newRig(t, pooled(256, 64_000))
	r.messages(1, 0, 1, 1000)
	e, _ := r.next()
	require.NoError(t, r.PutBack(&e, 500))
	require.NoError(t, r.Blocked(blocked(1, 0)))
	assert.Empty(t, r.granted(), "nothing has been read")
	r.readOf(1)
	require.NoError(t, r.Blocked(blocked(1, 0)))
	assert.Equal(t, []wire.StreamOffset{{Stream: 1, Offset: 1000}}, r.granted())
	r.requireEmpty()
}
