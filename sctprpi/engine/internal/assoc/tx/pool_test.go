package tx

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// pool sets what streams share at the peer.
func streamPool(base, pool uint32) func(*Config) {
	return func(c *Config) {
		c.Interleaving, c.Scheduler, c.Streams = true, socket.RoundRobin, 100
		c.StreamLimit.Base, c.StreamLimit.Pool = base, pool
	}
}

// backlog lends a long message on streams.
func (r *rig) backlog(ids ...socket.StreamID) {
	r.t.Helper()
	for _, id := range ids {
		require.NoError(r.t, r.lendOn(id, make([]byte, 1<<20), 1))
	}
}

const (
	base = 1000
	size = 64 << 10
)

func TestStreamsThatAreNotReadShareHalfOfThePool(t *testing.T) {
	r := newRig(t, streamPool(base, size))
	r.backlog(1)
	first := r.streams(0)[1] - base
	assert.InDelta(t, size/4, first, 1200)
	r.backlog(2)
	second := r.streams(0)[2] - base
	assert.InDelta(t, size/8, second, 1200, "and so on")
	sum := first + second
	for id := range socket.StreamID(50) {
		r.backlog(10 + id)
		sent := r.streams(0)[10+id]
		assert.GreaterOrEqual(t, sent, base-wire.MinStreamCharge, "what is a stream's own")
		sum += max(sent-base, 0)
	}
	assert.LessOrEqual(t, sum, size/2)

	r.backlog(3)
	offset := uint32(r.streams(0)[3])
	r.grant(0, 3, offset)
	sent := r.streams(0)[3]
	assert.InDelta(t, base+(size-sum)/5, sent, 1200, "one that is read has a part of the rest")
	for range 10 {
		offset += uint32(sent)
		r.grant(0, 3, offset)
		assert.InDelta(t, sent, r.streams(0)[3], 1200)
	}
}

func TestWhatHasBeenReadIsForAll(t *testing.T) {
	r := newRig(t, streamPool(base, size))
	r.backlog(1, 2)
	sent := r.streams(0)
	r.grant(0, 1, uint32(sent[1]))
	more := r.streams(0)
	assert.Positive(t, more[1])
	assert.Positive(t, more[2], "of which nothing has been read")
}

func TestNoTinyPieces(t *testing.T) {
	r := newRig(t, streamPool(base, size))
	r.backlog(1)
	offset := uint32(r.streams(0)[1])
	for range 200 {
		r.grant(0, 1, offset-uint32(size/8)+100)
		for _, c := range r.Next(nil, 0, 0, rigChunk) {
			assert.GreaterOrEqual(t, c.Len(), wire.MinStreamCharge)
			offset += wire.StreamCharge(c.Len())
		}
		r.sack(0, r.NextTSN()-1)
	}
}

func TestTheLimitHoldsBesideThePool(t *testing.T) {
	r := newRig(t, streamPool(base, size), streamLimit(2*base))
	r.backlog(1)
	assert.Equal(t, map[socket.StreamID]int{1: 2 * 996}, r.streams(0), "two full chunks")
	assert.Empty(t, r.Sender.queue.credits.lines[0].streams, "it does not wait for others")
}

// A stream that waits for the pool does so because of others: what is asked about them too.
func TestWhoHoldsThePoolIsAskedAbout(t *testing.T) {
	r := newRig(t, streamPool(base, size))
	r.backlog(1)
	sent := uint32(r.streams(0)[1])
	r.Sender.queue.dropExpired(0, r.Sender.queue.streams.Get(1), r.dropped)
	r.backlog(2)
	r.streams(0)
	at, _ := r.expire()
	asked := map[socket.StreamID]bool{}
	for o := range r.AppendAsking(nil, 100).All() {
		asked[o.Stream] = true
	}
	assert.Equal(t, map[socket.StreamID]bool{1: true, 2: true}, asked)
	r.grant(at, 1, sent)
	assert.Positive(t, r.streams(at)[2])
}

func TestASendBufferForManyStreamsThatAreNotRead(t *testing.T) {
	const streams, message = 200, 1000
	r := newRig(t, streamPool(wire.MinStreamCharge, size), func(c *Config) {
		c.Streams, c.SendBuffer = streams+1, 4*streams*(message+MessageCharge)
	})
	queue := func(id socket.StreamID) (n int) {
		for r.Queue(0, &socket.Message{Stream: id, Data: [][]byte{make([]byte, message)}}) == nil {
			n++
			r.streams(0)
		}
		return n
	}
	first := queue(0)
	for id := range socket.StreamID(streams) {
		assert.GreaterOrEqual(t, queue(id+1), 1, "each has room for something")
	}
	assert.Less(t, first, streams)
	begun := (streams+1)*wire.MinStreamCharge + size
	assert.LessOrEqual(t, r.buffered, r.config.SendBuffer/2+begun)
	r.grant(0, 0, r.Sender.queue.streams.Get(0).credit.sent)
	require.NotEmpty(t, r.streams(0))
	assert.True(t, r.Writable())
}

func TestAWaitingUserIsToldWhenThePoolAllows(t *testing.T) {
	r := newRig(t, streamPool(base, size), sendBuffer(64<<10))
	r.backlog(1)
	sent := uint32(r.streams(0)[1])
	for r.Queue(0, &socket.Message{Stream: 2, Data: [][]byte{make([]byte, 3000)}}) == nil {
		r.streams(0)
	}
	requireConsistent(t, r.Sender)
	assert.False(t, r.Writable())
	r.grant(0, 1, sent)
	r.streams(0)
	assert.True(t, r.Writable())
}

var seedOfPool = flag.Uint64("pool.seed", 0, "replay TestRandomPools with this seed")

// oracle keeps the rule the slow way.
type oracle struct {
	limit      wire.StreamLimit
	sent, read []int
	begun      []bool // something has been read
	rest       []int  // of messages queued, all of a stream
}

func (o *oracle) over(id int) int { return max(o.sent[id]-o.read[id]-int(o.limit.Base), 0) }

// allowance returns how much a stream may send.
func (o *oracle) allowance(id int) int {
	total, unread := 0, 0
	for i := range o.sent {
		total += o.over(i)
		if !o.begun[i] {
			unread += o.over(i)
		}
	}
	threshold := min(int(o.limit.Pool)/2-unread, int(o.limit.Pool)-total)
	if o.begun[id] {
		threshold = (int(o.limit.Pool) - total) / 4
	}
	most := int(o.limit.Base) + max(threshold, 0)
	if o.limit.Bytes > 0 {
		most = min(most, int(o.limit.Bytes))
	}
	return most - (o.sent[id] - o.read[id])
}

// Whatever is queued, sent and read: no stream sends more than the rule says, and none waits
// that may go on.
func TestRandomPools(t *testing.T) {
	test := func(t *testing.T, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 0))
		const streams = 30
		o := &oracle{
			limit: wire.StreamLimit{Base: 256 + uint32(rng.IntN(4000)), Pool: wire.MinStreamPool + uint32(rng.IntN(100_000))},
			sent:  make([]int, streams), read: make([]int, streams), rest: make([]int, streams), begun: make([]bool, streams),
		}
		if rng.IntN(3) == 0 {
			o.limit.Bytes = o.limit.Base + uint32(rng.IntN(20_000))
		}
		scheduler := socket.Scheduler(rng.IntN(4))
		r := newRig(t, func(c *Config) {
			c.Streams, c.Interleaving, c.Scheduler, c.StreamLimit = streams, true, scheduler, o.limit
			c.SendBuffer = 1 << 24
		})
		now := time.Duration(0)
		next := func() {
			for {
				chunks := r.Next(nil, now, 0, rigChunk)
				if len(chunks) == 0 {
					break
				}
				for _, c := range chunks {
					n := int(wire.StreamCharge(c.Len()))
					require.LessOrEqual(t, n, o.allowance(int(c.Stream)), "stream %d", c.Stream)
					o.sent[c.Stream] += n
					o.rest[c.Stream] -= c.Len()
				}
				requireConsistent(t, r.Sender)
			}
			for id, rest := range o.rest {
				if rest > 0 {
					piece := int(wire.StreamCharge(min(r.Sender.queue.streams.Get(socket.StreamID(id)).rest(), 1200, 996)))
					require.Less(t, o.allowance(id), piece, "stream %d waits in vain", id)
					require.Greater(t, o.sent[id]-o.read[id]+wire.MinStreamCharge, int(o.limit.Base), "stream %d has its base", id)
				}
			}
		}
		for range 400 {
			now += time.Duration(rng.IntN(50)) * ms
			id := rng.IntN(streams)
			switch rng.IntN(6) {
			case 0, 1:
				size := 1 + rng.IntN(100)
				if rng.IntN(2) == 0 {
					size = 1 + rng.IntN(30_000)
				}
				m := socket.Message{Stream: socket.StreamID(id), Data: [][]byte{make([]byte, size)}, ZeroCopy: rng.IntN(2) == 0}
				if r.Queue(now, &m) == nil {
					o.rest[id] += size
				}
			case 2, 3:
				if unread := o.sent[id] - o.read[id]; unread > 0 && id%3 > 0 { // one in three is never read
					o.read[id] += 1 + rng.IntN(unread)
					o.begun[id] = true
					r.grant(now, socket.StreamID(id), uint32(o.read[id]))
				}
			case 4:
				next()
				r.sack(now, r.NextTSN()-1)
				r.outcomes()
				r.Writable()
			case 5:
				if at, ok := r.Deadline(); ok && at <= now {
					r.Expire(now)
					r.AppendAsking(nil, rng.IntN(10))
				}
			}
			requireConsistent(t, r.Sender)
		}
		for i := 0; !r.Drained(); i++ {
			require.Less(t, i, 10_000, "it ends")
			next()
			r.sack(now, r.NextTSN()-1)
			for id := range streams {
				if o.read[id] < o.sent[id] {
					o.read[id], o.begun[id] = o.sent[id], true
					r.grant(now, socket.StreamID(id), uint32(o.read[id]))
				}
			}
		}
		r.outcomes()
		assert.Zero(t, r.buffered)
		assert.Empty(t, r.Sender.queue.credits.waiting)
		assert.True(t, r.Sender.queue.credits.holders.Empty())
	}
	if *seedOfPool != 0 {
		test(t, *seedOfPool)
		return
	}
	for range 12 {
		seed := rand.Uint64() | 1
		t.Run(fmt.Sprint("pool.seed=", seed), func(t *testing.T) { test(t, seed) })
	}
}

// Streams that have queued what the pool would have allowed each of them leave room for others when they find that it does not
// allow it to all.
func TestWhatThePoolAllowsToEachIsNotQueuedOfAll(t *testing.T) {
	const streams, message = 50, 1000
	r := newRig(t, streamPool(base, size), func(c *Config) { c.Streams, c.SendBuffer = streams+2, 8*size })
	queue := func(id socket.StreamID) error {
		return r.Queue(0, &socket.Message{Stream: id, Data: [][]byte{make([]byte, message)}})
	}
	for range 3 {
		for taken := true; taken; { // in turn, while nothing is sent
			taken = false
			for id := range socket.StreamID(streams) {
				taken = queue(id) == nil || taken
			}
		}
		r.streams(0) // as much as the pool allows
	}
	assert.NoError(t, r.fits(streams, size, false), "the others leave room in the send buffer")
	for range 100 {
		require.NoError(t, queue(streams), "one that is read goes on")
		require.NotEmpty(t, r.streams(0))
		r.grant(0, streams, r.Sender.queue.streams.Get(streams).credit.sent)
	}
}

// How much is asked about those that hold the pool does not depend on how many wait for it, each with a timer of its own.
func TestTheHoldersOfThePoolAreAskedAboutOnceATimeout(t *testing.T) {
	questions := func(streams int) (n int) {
		r := newRig(t, streamPool(base, size), func(c *Config) { c.Streams, c.SendBuffer = streams, 1<<20 })
		now := time.Duration(0)
		for id := range socket.StreamID(streams) {
			now += 100 * time.Microsecond
			require.NoError(t, r.Queue(now, &socket.Message{Stream: id, ZeroCopy: true, Data: [][]byte{make([]byte, size)}}))
			for len(r.Next(nil, now, 0, rigChunk)) > 0 {
				continue
			}
		}
		_, err := r.Sack(now, sackOf(r.NextTSN()-1, 1<<20))
		require.NoError(t, err)
		own := 0
		for end := now + 10*time.Second; ; {
			at, running := r.Deadline()
			require.True(t, running)
			if at > end {
				return n - own
			}
			for _, st := range r.Sender.queue.credits.waiting {
				if st.credit.askAt <= at {
					own++
				}
			}
			r.Expire(at)
			for r.Asking() {
				n += len(slices.Collect(r.AppendAsking(nil, streams).All()))
			}
		}
	}
	few, many := questions(100), questions(1000)
	t.Logf("%d questions where 100 wait, %d where 1,000 do", few, many)
	assert.LessOrEqual(t, many, 4*few)
}
