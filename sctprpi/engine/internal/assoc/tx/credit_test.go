package tx

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func streamLimit(n uint32) func(*Config) {
	return func(c *Config) { c.StreamLimit.Bytes = n }
}

func interleave(c *Config) { c.Interleaving = true }

// say queues a message on a stream.
func (r *rig) say(id socket.StreamID, size int) {
	r.t.Helper()
	require.NoError(r.t, r.QueueAccepted(0, &socket.Message{Stream: id, Data: [][]byte{make([]byte, size)}}))
}

// streams sends all that may be sent, has it acknowledged, and returns how many bytes
// of each stream that was.
func (r *rig) streams(now time.Duration) map[socket.StreamID]int {
	r.t.Helper()
	sent := map[socket.StreamID]int{}
	for chunks := r.Next(nil, now, 0, rigChunk); len(chunks) > 0; chunks = r.Next(nil, now, 0, rigChunk) {
		for i := range chunks {
			sent[chunks[i].Stream] += chunks[i].Len()
		}
		requireConsistent(r.t, r.Sender)
	}
	r.sack(now, r.NextTSN()-1)
	r.outcomes()
	return sent
}

func grant(id socket.StreamID, offset uint32) wire.StreamOffsets {
	return wire.StreamOffsets{}.Append(wire.StreamOffset{Stream: id, Offset: offset})
}

func (r *rig) grant(now time.Duration, id socket.StreamID, offset uint32) {
	r.t.Helper()
	require.NoError(r.t, r.Granted(now, grant(id, offset)))
	requireConsistent(r.t, r.Sender)
}

func TestAStreamThatIsNotReadStopsAlone(t *testing.T) {
	for _, scheduler := range []socket.Scheduler{socket.FirstCome, socket.RoundRobin, socket.Priority, socket.Weighted} {
		for _, change := range []func(*Config){interleave, func(*Config) {}} {
			r := newRig(t, streamLimit(2700), change, func(c *Config) { c.Scheduler = scheduler })
			for range 5 {
				r.say(1, 900)
			}
			r.say(2, 900)
			assert.Equal(t, map[socket.StreamID]int{1: 2700, 2: 900}, r.streams(0))
			r.say(2, 900)
			assert.Equal(t, map[socket.StreamID]int{2: 900}, r.streams(0))
			r.grant(0, 1, 900)
			assert.Equal(t, map[socket.StreamID]int{1: 900}, r.streams(0))
			r.grant(0, 1, 3600)
			assert.Equal(t, map[socket.StreamID]int{1: 900}, r.streams(0))
			assert.True(t, r.Drained())
			_, running := r.Deadline()
			assert.False(t, running)
		}
	}
}

func TestWithoutALimitNothingIsKept(t *testing.T) {
	r := newRig(t)
	r.say(1, 1000)
	assert.Equal(t, map[socket.StreamID]int{1: 1000}, r.streams(0))
	assert.Nil(t, r.Sender.queue.streams.Get(1).credit)
	r.grant(0, 1, 0)
	assert.ErrorIs(t, r.Granted(0, grant(1, 1)), ErrCreditUnsent)
}

func TestAMessageIsBegunWithinTheLimitAndFinished(t *testing.T) {
	for _, whole := range []bool{false, true} { // DATA, or a peer that reads whole messages
		r := newRig(t, streamLimit(2000), func(c *Config) { c.Interleaving, c.StreamLimit.Whole = whole, whole })
		for range 3 {
			r.say(1, 1500)
		}
		assert.Equal(t, map[socket.StreamID]int{1: 3000}, r.streams(0), "the second is begun")
		r.say(2, 5000)
		assert.Equal(t, map[socket.StreamID]int{2: 5000}, r.streams(0), "longer than the limit")
		r.grant(0, 1, 1000)
		assert.Empty(t, r.streams(0))
		r.grant(0, 1, 1500)
		assert.Equal(t, map[socket.StreamID]int{1: 1500}, r.streams(0))
	}
}

func TestChunksThatInterleaveStopInAMessage(t *testing.T) {
	r := newRig(t, streamLimit(2000), interleave)
	r.say(1, 10_000)
	r.say(2, 10_000)
	sent := r.streams(0)
	for id := socket.StreamID(1); id <= 2; id++ {
		assert.GreaterOrEqual(t, sent[id], 2000)
		assert.Less(t, sent[id], 2000+rigChunk)
	}
	for offset := uint32(sent[1]); !r.Drained(); offset += uint32(sent[1]) {
		r.grant(0, 1, offset)
		r.grant(0, 2, offset)
		sent = r.streams(0)
		require.NotEmpty(t, sent)
	}
}

func TestTinyChunksUseUpALimit(t *testing.T) {
	r := newRig(t, streamLimit(4*wire.MinStreamCharge))
	for range 10 {
		r.say(1, 1)
	}
	assert.Equal(t, map[socket.StreamID]int{1: 4}, r.streams(0))
}

func TestOffsetsWrap(t *testing.T) {
	r := newRig(t, streamLimit(2000))
	r.say(1, 1000)
	c := r.Sender.queue.streams.Get(1).credit
	c.sent, c.granted = 1<<32-1500, 1<<32-1500
	r.say(1, 1000)
	r.say(1, 1000)
	assert.Equal(t, map[socket.StreamID]int{1: 2000}, r.streams(0))
	r.grant(0, 1, 500)
	assert.Equal(t, map[socket.StreamID]int{1: 1000}, r.streams(0))
	r.grant(0, 1, 1<<32-500)
	assert.EqualValues(t, 500, c.granted, "overtaken")
}

func TestCreditThatCannotBeChangesNothing(t *testing.T) {
	r := newRig(t, streamLimit(1000))
	r.say(1, 1000)
	r.say(1, 1000)
	r.streams(0)
	for name, c := range map[string]struct {
		offsets wire.StreamOffsets
		err     error
	}{
		"more than was sent":    {grant(1, 1001), ErrCreditUnsent},
		"far more":              {grant(1, 1<<31-1), ErrCreditUnsent},
		"a stream never used":   {grant(2, 1), ErrCreditUnsent},
		"no such stream":        {grant(4, 0), ErrCreditStream},
		"the highest number":    {grant(65_535, 0), ErrCreditStream},
		"a good one beforehand": {append(grant(1, 1000), grant(4, 0)...), ErrCreditStream},
	} {
		assert.ErrorIs(t, r.Granted(0, c.offsets), c.err, name)
		assert.Empty(t, r.streams(0), name)
	}
	r.grant(0, 2, 0)
	r.grant(0, 1, 0)
	r.grant(0, 1, 1<<31)
	assert.Empty(t, r.streams(0), "overtaken")
	r.grant(0, 1, 1000)
	assert.Equal(t, map[socket.StreamID]int{1: 1000}, r.streams(0))
}

// asked returns the streams that the peer is to be asked about.
func (r *rig) asked() (ids []socket.StreamID) {
	for o := range r.AppendAsking(nil, 100).All() {
		ids = append(ids, o.Stream)
	}
	return ids
}

func TestThePeerIsAskedAboutStreamsThatWait(t *testing.T) {
	r := newRig(t, streamLimit(1000), func(c *Config) { c.RTO.Max = 4 * time.Second })
	r.say(1, 1000)
	r.streams(0)
	_, running := r.Deadline()
	assert.False(t, running, "nothing is left to send")
	r.say(1, 1000)
	r.say(1, 1000)
	var gaps []time.Duration
	last := time.Duration(0)
	for range 6 {
		at, _ := r.expire()
		assert.Equal(t, wire.StreamOffsets(grant(1, 0)), r.AppendAsking(nil, 1))
		assert.False(t, r.Asking())
		gaps = append(gaps, at-last)
		last = at
	}
	assert.Equal(t, 2*gaps[0], gaps[1])
	assert.Equal(t, 4*time.Second, gaps[5])

	r.grant(last, 1, 1000)
	r.streams(last)
	at, running := r.Deadline()
	require.True(t, running)
	assert.Equal(t, gaps[0], at-last, "another wait begins anew")
	r.Expire(at)
	r.grant(at, 1, 2000)
	r.streams(at)
	assert.Empty(t, r.asked(), "it does not wait any more")
	_, running = r.Deadline()
	assert.False(t, running)
}

func TestQuestionsAreAskedAFewAtATime(t *testing.T) {
	r := newRig(t, streamLimit(1), func(c *Config) { c.Streams = 100 })
	for id := range socket.StreamID(100) {
		r.say(id, 1)
		r.say(id, 1)
	}
	r.streams(0)
	r.expire()
	seen := map[socket.StreamID]bool{}
	for r.Asking() {
		l := r.AppendAsking(nil, 30)
		require.LessOrEqual(t, len(l), 8*30)
		for o := range l.All() {
			require.False(t, seen[o.Stream])
			seen[o.Stream] = true
		}
	}
	assert.Len(t, seen, 100)
	r.Close()
	assert.False(t, r.Asking())
	_, running := r.Deadline()
	assert.False(t, running)
	requireConsistent(t, r.Sender)
}

func TestMessagesExpireWhileTheyWaitForThePeerToRead(t *testing.T) {
	r := newRig(t, streamLimit(1000))
	r.say(1, 1000)
	for range 2 {
		require.NoError(t, r.QueueAccepted(0, &socket.Message{Stream: 1, Lifetime: ms, Data: [][]byte{make([]byte, 1000)}}))
	}
	r.streams(0)
	r.expire()
	assert.Equal(t, []Release{{nil, socket.Expired}, {nil, socket.Expired}}, r.outcomes())
	assert.Empty(t, r.asked())
	_, running := r.Deadline()
	assert.False(t, running)
	assert.Zero(t, r.Sender.queue.credits.excess)
}

func TestOneStreamThatIsNotReadLeavesRoomForOthers(t *testing.T) {
	const limit, buffer = 8000, 100_000
	r := newRig(t, streamLimit(limit), func(c *Config) { c.SendBuffer = buffer })
	fill := func(id socket.StreamID) (n int) {
		for r.admit(0, id, 1000) == nil {
			r.say(id, 1000)
			n += 1000
		}
		assert.ErrorIs(t, r.admit(0, id, 1000), socket.ErrStreamFull)
		assert.ErrorIs(t, r.admit(0, id, 1000), socket.ErrWouldBlock)
		return n
	}
	for range 3 {
		fill(1)
		r.streams(0)
	}
	queued, _ := r.Buffered()
	assert.LessOrEqual(t, queued, limit)
	assert.GreaterOrEqual(t, queued, limit/2)
	assert.NoError(t, r.admit(0, 2, 50_000))
	assert.False(t, r.Writable())

	r.grant(0, 1, limit/2)
	assert.True(t, r.Writable())
	assert.False(t, r.Writable(), "told once")
	assert.NoError(t, r.admit(0, 1, 1000))
}

func TestManyStreamsThatAreNotReadLeaveRoomForOthers(t *testing.T) {
	const limit, buffer = 20_000, 100_000
	r := newRig(t, streamLimit(limit), func(c *Config) { c.SendBuffer, c.Streams = buffer, 50 })
	for range 3 {
		for id := socket.StreamID(1); id < 50; id++ {
			for r.admit(0, id, 1000) == nil {
				r.say(id, 1000)
				r.streams(0)
			}
		}
	}
	assert.LessOrEqual(t, r.buffered, buffer/2)
	for range 100 {
		require.NoError(t, r.admit(0, 0, 1000))
		r.say(0, 1000)
		r.streams(0)
		r.grant(0, 0, r.Sender.queue.streams.Get(0).credit.sent)
	}
	r.Writable()
	for id := socket.StreamID(1); id < 50; id++ {
		if st := r.Sender.queue.streams.Get(id); st != nil {
			r.grant(0, id, st.credit.sent)
		}
	}
	assert.True(t, r.Writable())
}

// A message is accepted in the end however long it is and however small the limit. A sender that
// was refused is told when that is so.
func TestAMessageLongerThanTheLimitIsTakenWhenTheStreamIsEmpty(t *testing.T) {
	const limit, size = 300, 90_000
	r := newRig(t, streamLimit(limit), func(c *Config) { c.SendBuffer = 100_000 })
	require.NoError(t, r.admit(0, 1, size), "nothing is known against it")
	r.say(1, 200)
	assert.ErrorIs(t, r.admit(0, 1, size), socket.ErrStreamFull)
	r.streams(0)
	assert.True(t, r.Writable(), "the stream is empty, and may send")
	require.NoError(t, r.admit(0, 1, size))
	r.say(1, size)
	r.streams(0)
	assert.ErrorIs(t, r.admit(0, 1, size), socket.ErrStreamFull)
	assert.False(t, r.Writable())
	r.expire()
	assert.Equal(t, []socket.StreamID{1}, r.asked(), "what says that it is empty may be lost")
	r.grant(0, 1, r.Sender.queue.streams.Get(1).credit.sent)
	assert.True(t, r.Writable())
	assert.NoError(t, r.admit(0, 1, size))
}

func TestWhatWasAcceptedBeforeTheLimitWasKnownIsQueued(t *testing.T) {
	r := newRig(t, streamLimit(1000))
	for range 100 {
		r.say(1, 1000)
	}
	assert.Equal(t, map[socket.StreamID]int{1: 1000}, r.streams(0))
}
