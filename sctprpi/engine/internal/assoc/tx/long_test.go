package tx

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// lendOn queues a message without a copy: n times the same piece, so that it may be long.
func (r *rig) lendOn(id socket.StreamID, piece []byte, n int) error {
	m := socket.Message{Stream: id, ZeroCopy: true, Owner: id}
	for range n {
		m.Data = append(m.Data, piece)
	}
	return r.Queue(0, &m)
}

func inTurn(c *Config) { c.Interleaving, c.Scheduler = true, socket.RoundRobin }

func sendBuffer(n int) func(*Config) { return func(c *Config) { c.SendBuffer = n } }

func TestALentMessageTakesItsChargeOfTheSendBuffer(t *testing.T) {
	const buffer = 4 * (1000 + MessageCharge)
	r := newRig(t, inTurn, sendBuffer(buffer))
	require.NoError(t, r.lendOn(1, make([]byte, buffer), 3))
	assert.Equal(t, MessageCharge, r.buffered)
	queued, _ := r.Buffered()
	assert.Equal(t, 3*buffer, queued, "all of it is queued")

	r.queueOn(2, 3, 900)
	seen := map[socket.StreamID]int{}
	for range 6 {
		for _, c := range r.Next(nil, 0, 0, rigChunk) {
			seen[c.Stream]++
		}
	}
	assert.GreaterOrEqual(t, seen[2], 3, "short messages pass it")
	r.sack(ms, r.NextTSN()-1)
	assert.Len(t, r.outcomes(), 3)
	assert.Equal(t, MessageCharge, r.buffered)

	for r.send(ms); !r.Drained(); r.send(ms) {
		r.sack(ms, r.NextTSN()-1)
	}
	assert.Equal(t, []Release{{socket.StreamID(1), socket.Acknowledged}}, r.outcomes())
	assert.Zero(t, r.buffered)
}

func TestTheSendBufferBoundsTheNumberOfLentMessages(t *testing.T) {
	r := newRig(t, inTurn, sendBuffer(10*MessageCharge))
	for range 10 {
		require.NoError(t, r.lendOn(1, make([]byte, 1000), 1))
	}
	assert.ErrorIs(t, r.lendOn(1, []byte{1}, 1), socket.ErrWouldBlock)
	assert.False(t, r.Writable())
	r.send(0)
	r.sack(ms, r.NextTSN()-1)
	assert.True(t, r.Writable())
}

func TestOtherMessagesAreNotLongerThanTheSendBuffer(t *testing.T) {
	const buffer = 5000
	long := make([]byte, buffer)
	assert.ErrorIs(t, newRig(t, sendBuffer(buffer)).lendOn(1, long, 1), socket.ErrTooLong, "without interleaving")
	r := newRig(t, inTurn, sendBuffer(buffer))
	m := &socket.Message{Data: [][]byte{long}}
	assert.ErrorIs(t, r.Queue(0, m), socket.ErrTooLong, "copied")
	m.ZeroCopy = true
	assert.ErrorIs(t, r.QueueAccepted(0, m), socket.ErrTooLong, "accepted before it was known who interleaves")
}

func TestALongMessageMayBeGivenUp(t *testing.T) {
	for sent, outcome := range map[int]socket.Outcome{0: socket.Unsent, 5: socket.Unacknowledged} {
		r := newRig(t, inTurn, sendBuffer(5000))
		require.NoError(t, r.lendOn(1, make([]byte, 5000), 10))
		for range sent {
			r.packet(0)
		}
		r.Close()
		assert.Equal(t, []Release{{socket.StreamID(1), outcome}}, r.outcomes())
		assert.Zero(t, r.buffered)
	}
}

// What a stream that is not read has queued is what it takes of the send buffer.
func TestLentMessagesOfAStreamThatIsNotRead(t *testing.T) {
	r := newRig(t, inTurn, streamLimit(1992), sendBuffer(100*MessageCharge))
	long := make([]byte, 10_000)
	require.NoError(t, r.lendOn(1, long, 10))
	assert.Equal(t, map[socket.StreamID]int{1: 1992}, r.streams(0))
	n := 1
	for ; r.lendOn(1, long, 10) == nil; n++ {
		requireConsistent(t, r.Sender)
	}
	assert.ErrorIs(t, r.lendOn(1, long, 10), socket.ErrStreamFull)
	assert.Equal(t, 1992/MessageCharge, n)
	require.NoError(t, r.lendOn(2, long, 10), "another one may go on")
	requireConsistent(t, r.Sender)
	r.grant(0, 1, 1992)
	assert.Equal(t, map[socket.StreamID]int{1: 1992, 2: 1992}, r.streams(0))
}

// More than 4 GiB make every number of 32 bits wrap that has to do with bytes.
func TestAMessageOfMoreThan4GiB(t *testing.T) {
	if testing.Short() || strconv.IntSize < 64 {
		t.Skip("it takes long, and an int of 64 bits")
	}
	const limit = 1 << 20
	piece := make([]byte, 1<<20)
	r := newRig(t, inTurn, streamLimit(limit), func(c *Config) { c.InitialTSN = 0xFFFF_0000 })
	id, err := r.AddPath(65_500)
	require.NoError(t, err)
	r.maxChunk = 65_500 // as if it were the only path
	require.NoError(t, r.lendOn(1, piece, 4100))
	total, offset := 0, uint32(0)
	for !r.Drained() {
		chunks := r.Next(nil, 0, id, 65_500)
		for _, c := range chunks {
			total += c.Len()
			offset += wire.StreamCharge(c.Len())
		}
		_, err := r.Sack(ms, sackOf(r.NextTSN()-1, 1<<20))
		require.NoError(t, err)
		if len(chunks) == 0 {
			require.NoError(t, r.Granted(ms, grant(1, offset)))
		}
	}
	assert.Equal(t, 4100<<20, total)
	assert.EqualValues(t, 4100<<20, r.Stats().Bytes)
	assert.Equal(t, []Release{{socket.StreamID(1), socket.Acknowledged}}, r.outcomes())
	requireConsistent(t, r.Sender)
}
