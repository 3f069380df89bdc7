package endpoint

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/simnet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// shared is a pair of which a sends long messages on streams that share a pool, and b reads
// those that it has not put on hold.
type shared struct {
	*pair
	id  socket.AssocID // at a
	got map[socket.StreamID]int
	sum int // of got
	// most is what b has held at a time.
	most         int
	data         []byte
	fromA, fromB map[wire.ChunkType]int
	// packets that have been sent
	packets int
}

const (
	poolBase = 256
	poolSize = 4 << 20
)

func newShared(t testing.TB, streams int, change ...func(*socket.Config)) *shared {
	c := socket.Config{
		Streams: streams, Interleaving: true, Scheduler: socket.RoundRobin, Heartbeat: -1,
		StreamPool: poolSize, StreamBase: poolBase,
		SendBuffer: 64 << 20, ReceiveBuffer: streams*poolBase + poolSize,
	}
	for _, f := range change {
		f(&c)
	}
	s := &shared{
		pair: newPair(t, c), got: map[socket.StreamID]int{}, data: make([]byte, 1<<20),
		fromA: map[wire.ChunkType]int{}, fromB: map[wire.ChunkType]int{},
	}
	s.id = s.connect()
	s.link(simnet.Conditions{Delay: 10 * time.Millisecond, Rate: 100e6})
	s.a.filter = func(b []byte) bool { s.packets++; return count(s.fromA, b) }
	s.b.filter = func(b []byte) bool {
		s.packets++
		s.most = max(s.most, s.atB().Held)
		return count(s.fromB, b)
	}
	s.a.on = func(*socket.Event) {}
	s.b.on = func(e *socket.Event) {
		s.got[e.Stream] += len(e.Payload)
		s.sum += len(e.Payload)
	}
	return s
}

func (s *shared) atB() socket.Status {
	status, err := s.b.Status(s.seenB[0].Assoc)
	require.NoError(s.t, err)
	return status
}

// lend has a send n times as many bytes on a stream, as one message.
func (s *shared) lend(stream socket.StreamID, size, n int) {
	s.t.Helper()
	m := socket.Message{Stream: stream, ZeroCopy: true}
	for range n {
		m.Data = append(m.Data, s.data[:size])
	}
	s.send(s.a, s.id, m)
}

func (s *shared) hold(stream socket.StreamID, hold bool) {
	s.b.do(func(time.Duration) { require.NoError(s.t, s.b.Hold(s.seenB[0].Assoc, stream, hold)) })
}

// pass lets time pass.
func (s *shared) pass(d time.Duration) {
	s.net.Run(s.net.Now()+d, func() bool { return false })
}

// rate returns how many bytes of a stream arrive in two seconds.
func (s *shared) rate(stream socket.StreamID) int {
	before := s.got[stream]
	s.pass(2 * time.Second)
	return s.got[stream] - before
}

// A stream that is read has its rate, whatever 10,000 others leave unread.
func TestAStreamThatIsReadBesideManyThatAreNot(t *testing.T) {
	const others = 10_000
	rate := func(others int) int {
		s := newShared(t, 1+10_000)
		for id := range socket.StreamID(others) {
			s.hold(1+id, true)
			s.lend(1+id, 5000, 1)
		}
		s.pass(5 * time.Second)
		if others > 0 {
			assert.GreaterOrEqual(t, s.atB().Held, others*poolBase)
		}
		assert.LessOrEqual(t, s.atB().Held, others*poolBase+poolSize/2)
		s.lend(0, len(s.data), 1<<10)
		s.pass(3 * time.Second)
		r := s.rate(0)
		assert.LessOrEqual(t, s.most, s.b.host.Config.ReceiveBuffer)
		return r
	}
	alone, beside := rate(0), rate(others)
	t.Logf("%d bytes alone, %d beside", alone, beside)
	assert.Greater(t, alone, 20<<20, "of 25 MB")
	assert.GreaterOrEqual(t, beside, alone*9/10)
}

// A stream that is not read halts its sender, which has 1 GiB for it.
func TestWhatIsHeldOfAStreamThatIsNotRead(t *testing.T) {
	for _, limit := range []int{0, 100_000} {
		s := newShared(t, 100, func(c *socket.Config) { c.StreamLimit = limit })
		s.hold(1, true)
		s.lend(1, len(s.data), 1<<10)
		s.pass(10 * time.Second)
		most, packet := poolBase+poolSize/4, 1500
		if limit > 0 {
			most, packet = limit, 0 // which is kept to the byte
		}
		t.Logf("%d bytes held", s.most)
		assert.LessOrEqual(t, s.most, most+packet)
		assert.GreaterOrEqual(t, s.most, most-1500)
		assert.EqualValues(t, 1, s.fromA[wire.TypeStreamBlocked]/4, "asked seldom")

		s.lend(2, len(s.data), 1<<10)
		s.pass(3 * time.Second)
		least := 20 << 20
		if limit > 0 {
			least = 4 << 20 // it goes by the limit for a round trip
		}
		assert.Greater(t, s.rate(2), least)
		s.hold(1, false)
		s.pass(time.Second)
		assert.Greater(t, s.rate(1), least/3, "it shares the bandwidth")
	}
}

// Streams that have been read for a while and are read no more do not take all.
func TestStreamsThatAreReadNoMore(t *testing.T) {
	const streams = 100
	s := newShared(t, 1+streams)
	for id := range socket.StreamID(streams) {
		s.lend(1+id, len(s.data), 1)
	}
	s.until("all have been read", func() bool { return len(s.got) == streams && s.sum > 10<<20 })
	for id := range socket.StreamID(streams) {
		s.hold(1+id, true)
	}
	s.pass(5 * time.Second)
	assert.Greater(t, s.most, poolSize/2)
	assert.LessOrEqual(t, s.most, streams*poolBase+poolSize)
	s.lend(0, len(s.data), 1<<10)
	s.pass(time.Second)
	assert.Greater(t, s.rate(0), 1<<20, "which has a small part of the pool")
	for id := range socket.StreamID(streams) {
		s.hold(1+id, false)
	}
	s.until("they go on", func() bool {
		for id := range socket.StreamID(streams) {
			if s.got[1+id] < len(s.data) {
				return false
			}
		}
		return true
	})
}

// When the pool is scarce, streams go on without having to ask.
func TestAScarcePoolNeedsNoQuestions(t *testing.T) {
	const streams = 500
	s := newShared(t, streams, func(c *socket.Config) {
		c.StreamPool, c.ReceiveBuffer = wire.MinStreamPool, streams*poolBase+wire.MinStreamPool
	})
	for id := range socket.StreamID(streams) {
		s.lend(id, 20_000, 1)
	}
	s.until("all arrives", func() bool { return s.sum == streams*20_000 })
	assert.Zero(t, s.fromA[wire.TypeStreamBlocked])
}

// While the pool is ample, ping-pong costs as many packets as without.
func TestPingPongWithAPool(t *testing.T) {
	packets := func(pool bool) (n, credits int) {
		s := newShared(t, 10, func(c *socket.Config) {
			if !pool {
				c.StreamPool, c.StreamBase = 0, 0
			}
		})
		const rounds = 400
		received := 0
		s.b.on = func(e *socket.Event) {
			if e.Kind == socket.Data {
				_, err := s.b.Send(s.net.Now(), e.Assoc, []socket.Message{text(e.Stream, "pong")})
				require.NoError(t, err)
			}
		}
		s.a.on = func(e *socket.Event) {
			if e.Kind == socket.Data && received < rounds {
				received++
				_, err := s.a.Send(s.net.Now(), s.id, []socket.Message{text(e.Stream, "ping")})
				require.NoError(t, err)
			}
		}
		s.packets = 0
		s.send(s.a, s.id, text(1, "ping"))
		s.until("all have come", func() bool { return received == rounds })
		return s.packets, s.fromA[wire.TypeStreamCredit] + s.fromB[wire.TypeStreamCredit]
	}
	without, none := packets(false)
	with, few := packets(true)
	assert.Zero(t, none)
	assert.LessOrEqual(t, few, 2)
	assert.Equal(t, without, with)
}

// What says that a stream has been read may be lost, also of one that has nothing more to send,
// for which others wait.
func TestLostCreditOfAPoolIsAskedFor(t *testing.T) {
	s := newShared(t, 300, func(c *socket.Config) {
		c.RTOMax, c.StreamPool = time.Second, wire.MinStreamPool
	})
	lost := 0
	deliver := s.b.filter
	s.b.filter = func(b []byte) bool {
		types := map[wire.ChunkType]int{}
		count(types, b)
		if types[wire.TypeStreamCredit] > 0 && lost < 30 {
			lost++
			return false
		}
		return deliver(b)
	}
	for id := range socket.StreamID(300) {
		s.lend(id, 5000, 1)
	}
	s.until("all arrives", func() bool { return s.sum == 300*5000 })
	assert.Equal(t, 30, lost)
	assert.Positive(t, s.fromA[wire.TypeStreamBlocked])
}

// With messages that are finished once begun the pool is kept but for these.
func TestAPoolWithoutInterleaving(t *testing.T) {
	for _, config := range []socket.Config{{}, {WholeMessages: true}, {WholeMessages: true, Interleaving: true}} {
		s := newShared(t, 100, func(c *socket.Config) {
			c.Interleaving, c.WholeMessages = config.Interleaving, config.WholeMessages
		})
		for id := range socket.StreamID(100) {
			s.hold(id, id > 0)
			for range 8 {
				s.lend(id, 10_000, 1)
			}
		}
		s.until("one is read", func() bool { return s.got[0] == 80_000 })
		s.pass(5 * time.Second)
		assert.LessOrEqual(t, s.most, poolSize/2+100*10_000)
		assert.GreaterOrEqual(t, s.most, poolSize/4)
		for id := range socket.StreamID(100) {
			s.hold(id, false)
		}
		s.until("all is read", func() bool { return s.sum == 100*80_000 })
	}
}

// A pool that cannot be is no offer, nor is what has no place in the receive buffer an option.
func TestAPoolThatCannotBe(t *testing.T) {
	r := newRig(t, socket.Config{})
	r.offer.Params = param(wire.ParamStreamLimit, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0)
	r.accepted()
	for _, p := range paramsOf(r.said.Params) {
		assert.NotEqual(t, wire.ParamStreamLimit, p.Type)
	}

	for what, c := range map[string]socket.Config{
		"StreamPool is -1":         {StreamPool: -1},
		"StreamPool is 32767":      {StreamPool: 32<<10 - 1, StreamBase: 256},
		"StreamPool is 0":          {StreamBase: 256},
		"StreamBase is 255":        {StreamPool: 32 << 10, StreamBase: 255},
		"StreamBase is 1073741824": {StreamPool: 32 << 10, StreamBase: 1 << 30},
		"StreamLimit is 1000":      {StreamPool: 32 << 10, StreamLimit: 1000},
		"ReceiveBuffer is 16777216 bytes, must be 20971008 at least": {
			Streams: 65_535, StreamPool: 4<<20 - 256, StreamBase: 256, ReceiveBuffer: 16 << 20,
		},
	} {
		_, err := New(Config{Config: c, Port: 1, Pool: &r.pool, RouteMTU: r.host.RouteMTU})
		assert.ErrorContains(t, err, what)
	}
	_, err := New(Config{
		Config: socket.Config{Streams: 65_535, StreamPool: 4 << 20, StreamBase: 256, ReceiveBuffer: 65_535*256 + 4<<20},
		Port:   1, Pool: &r.pool, RouteMTU: r.host.RouteMTU,
	})
	assert.NoError(t, err)
}

func paramsOf(l wire.Params) (all []wire.Param) {
	for p := range l.All() {
		all = append(all, p)
	}
	return all
}

// A peer that does not keep to what it is told is bounded by the receive buffer, as ever.
func TestAPeerThatTakesMoreThanItsShare(t *testing.T) {
	const buffer = 128 << 10
	r := newRig(t, socket.Config{Streams: 10, Interleaving: true, ReceiveBuffer: buffer, StreamPool: 32 << 10, StreamBase: 256})
	r.unread = true
	r.offer.Params = r.offer.Params.AppendStreamLimit(wire.StreamLimit{}).AppendSupportedExtensions(
		wire.NumbersOf(wire.TypeForwardTSN, wire.TypeIData, wire.TypeIForwardTSN))
	r.accepted()
	for n := range 400 {
		r.say(r.ipiece(begin|end, socket.StreamID(n%2), wire.MID(n/2), 0, string(make([]byte, 1000))))
	}
	status, err := r.Status(r.assoc)
	require.NoError(t, err)
	assert.True(t, status.Interleaving)
	assert.Greater(t, status.Held, buffer/2)
	assert.LessOrEqual(t, status.Held, buffer+1000)
}
