package rx

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// credited sets a limit that the peer keeps to.
func credited(limit int) func(*Config) {
	return func(c *Config) { c.Credit, c.StreamLimit = true, limit }
}

// granted takes what the peer is to be told.
func (r *rig) granted() []wire.StreamOffset {
	return slices.Collect(r.AppendCredits(nil, 100).All())
}

func blocked(id socket.StreamID, offset uint32) wire.StreamOffsets {
	return wire.StreamOffsets{}.Append(wire.StreamOffset{Stream: id, Offset: offset})
}

func TestThePeerIsToldWhenHalfOfTheLimitHasBeenRead(t *testing.T) {
	r := newRig(t, credited(4000))
	payload := strings.Repeat("x", 500)
	read := 0
	for i := range 20 {
		require.NoError(t, r.data(B|E, i, 1, wire.SSN(i), payload))
		assert.False(t, r.CreditDue())
		r.read()
		if read += 500; read%2000 == 0 {
			assert.Equal(t, []wire.StreamOffset{{Stream: 1, Offset: uint32(read)}}, r.granted())
		}
		assert.Empty(t, r.granted())
	}
}

func TestWhatIsNotReadIsNotGranted(t *testing.T) {
	r := newRig(t, credited(1000))
	require.NoError(t, r.Hold(1, true))
	for i := range 10 {
		require.NoError(t, r.data(B|E, i, 1, wire.SSN(i), strings.Repeat("x", 500)))
		r.read()
	}
	assert.Empty(t, r.granted())
	r.readOf(1)
	assert.Equal(t, []wire.StreamOffset{{Stream: 1, Offset: 5000}}, r.granted())
}

func TestAChunkIsChargedAsThePeerDoes(t *testing.T) {
	r := newRig(t, credited(1))
	for i, n := range []int{1, 255, 256, 257} {
		require.NoError(t, r.data(B|E, i, 1, wire.SSN(i), strings.Repeat("x", n)))
	}
	r.read()
	assert.Equal(t, []wire.StreamOffset{{Stream: 1, Offset: 3*256 + 257}}, r.granted())
}

func TestAWaitingPeerIsToldWhatItDoesNotKnow(t *testing.T) {
	r := newRig(t, credited(10_000))
	require.NoError(t, r.data(B|E, 0, 1, 0, strings.Repeat("x", 300)))
	require.NoError(t, r.Blocked(blocked(1, 0)))
	assert.Empty(t, r.granted(), "nothing has been read")
	r.read()
	assert.Empty(t, r.granted(), "too little to be told unasked")
	for range 5 {
		require.NoError(t, r.Blocked(append(blocked(1, 0), blocked(1, 0)...)))
	}
	assert.Equal(t, []wire.StreamOffset{{Stream: 1, Offset: 300}}, r.granted(), "once")
	require.NoError(t, r.Blocked(blocked(1, 0)))
	assert.Equal(t, []wire.StreamOffset{{Stream: 1, Offset: 300}}, r.granted(), "the last was lost")
	require.NoError(t, r.Blocked(blocked(1, 300)))
	assert.Empty(t, r.granted(), "it knows")
}

func TestQuestionsThatCannotBeAreRefused(t *testing.T) {
	r := newRig(t, credited(100))
	require.NoError(t, r.data(B|E, 0, 1, 0, strings.Repeat("x", 300)))
	r.read()
	r.granted()
	assert.ErrorIs(t, r.Blocked(blocked(10, 0)), ErrCreditStream)
	assert.ErrorIs(t, r.Blocked(append(blocked(1, 0), blocked(65_535, 0)...)), ErrCreditStream)
	assert.ErrorIs(t, r.Blocked(blocked(1, 301)), ErrCreditUntold)
	assert.ErrorIs(t, r.Blocked(blocked(2, 1)), ErrCreditUntold)
	assert.Empty(t, r.granted(), "errors change nothing")
	require.NoError(t, r.Blocked(blocked(2, 0)))
	assert.Nil(t, r.streams.Get(2), "nothing is kept of a stream that has had no data")
}

func TestCreditsAreTakenAFewAtATime(t *testing.T) {
	r := newRig(t, credited(1))
	for i := range 10 {
		require.NoError(t, r.data(B|E, i, socket.StreamID(i), 0, "x"))
	}
	r.read()
	seen := map[socket.StreamID]bool{}
	for r.CreditDue() {
		list := r.AppendCredits(nil, 3)
		require.LessOrEqual(t, len(list), 3*8)
		for o := range list.All() {
			seen[o.Stream] = true
		}
	}
	assert.Len(t, seen, 10)
}

func TestAPeerThatKeepsToTheLimitIsNotSlowedDown(t *testing.T) {
	r := newRig(t, buffer(64*kib), credited(kib))
	for i := range 8 {
		require.NoError(t, r.data(B|E, i, 1, wire.SSN(i), block))
	}
	assert.EqualValues(t, 64*kib-r.Held(), r.Window())
	r.read()
	r.requireEmpty()
}

func TestWithoutALimitNothingIsTold(t *testing.T) {
	for _, options := range [][]func(*Config){{credited(0)}, {func(c *Config) { c.StreamLimit = 1 }}} {
		r := newRig(t, options...)
		require.NoError(t, r.data(B|E, 0, 1, 0, block))
		r.read()
		assert.False(t, r.CreditDue())
		assert.Nil(t, r.streams.Get(1).credit)
		assert.NoError(t, r.Blocked(blocked(1, 0)))
		assert.False(t, r.CreditDue())
	}
}

// All that has been taken is granted in the end, also what is given up, or comes too late
// to be of use.
func TestWhatIsGivenUpIsGranted(t *testing.T) {
	eachSeed(t, 50, func(t *testing.T, rng *rand.Rand) {
		r := newRig(t, credited(1), partial)
		var taken uint32
		for i := range 200 {
			n := rng.IntN(600) + 1
			flags, ssn := wire.DataFlags(0), wire.SSN(i/4)
			switch i % 4 {
			case 0:
				flags = B
			case 3:
				flags = E
			}
			if rng.IntN(4) == 0 {
				continue // lost, and given up later
			}
			require.NoError(t, r.data(flags, i, 1, ssn, strings.Repeat("x", n)))
			taken += wire.StreamCharge(n)
			if i%20 == 19 {
				require.NoError(t, r.ForwardTSN(&wire.ForwardTSN{
					CumulativeTSN: tsnOf(i), Skipped: wire.SkippedSSNs{}.Append(wire.SkippedSSN{Stream: 1, SSN: ssn}),
				}))
			}
		}
		require.NoError(t, r.ForwardTSN(&wire.ForwardTSN{
			CumulativeTSN: tsnOf(200), Skipped: wire.SkippedSSNs{}.Append(wire.SkippedSSN{Stream: 1, SSN: 50}),
		}))
		require.NoError(t, r.data(B|E, 201, 1, 3, "too late"))
		taken += wire.MinStreamCharge
		r.read()
		assert.Equal(t, taken, r.streams.Get(1).credit.read)
	})
}
