package endpoint

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/simnet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// flood is a pair of which a sends as much as it can on some streams, and b, which has
// stream 1 on hold, reads the others.
type flood struct {
	*pair
	id      socket.AssocID // at a
	message int
	todo    map[socket.StreamID]int
	got     map[socket.StreamID]int
	total   map[socket.StreamID]int
	// fromA and fromB count the chunks that have been sent, by type.
	fromA, fromB map[wire.ChunkType]int
}

const (
	floodLimit   = 64 << 10
	floodMessage = 20_000
	held         = socket.StreamID(1)
)

// pattern is what streams carry, from anywhere, over and over.
var pattern = func() []byte {
	b := make([]byte, 251+floodMessage)
	for i := range b {
		b[i] = byte(i % 251)
	}
	return b
}()

// newFlood has a connect to b. standard says which of the two know of no limits.
func newFlood(t testing.TB, c socket.Config, standard ...int) *flood {
	c.Heartbeat = -1
	f := &flood{
		pair: newPair(t, c), message: floodMessage,
		todo: map[socket.StreamID]int{}, got: map[socket.StreamID]int{}, total: map[socket.StreamID]int{},
		fromA: map[wire.ChunkType]int{}, fromB: map[wire.ChunkType]int{},
	}
	for _, i := range standard {
		[]*host{f.a, f.b}[i].host.Standard = true
	}
	f.id = f.connect()
	f.a.filter = func(b []byte) bool { return count(f.fromA, b) }
	f.b.filter = func(b []byte) bool { return count(f.fromB, b) }
	f.a.on = func(e *socket.Event) {
		if e.Kind == socket.Writable {
			f.pump(f.net.Now())
		}
	}
	f.b.on = func(e *socket.Event) {
		require.Equal(t, socket.Data, e.Kind)
		at := f.got[e.Stream]
		require.True(t, bytes.Equal(pattern[at%251:][:len(e.Payload)], e.Payload), "stream %d at %d", e.Stream, at)
		f.got[e.Stream] += len(e.Payload)
	}
	f.hold(true)
	return f
}

// count counts the chunks of a packet.
func count(types map[wire.ChunkType]int, b []byte) bool {
	p, _ := wire.ParsePacket(b)
	for c := range p.Chunks() {
		types[c.Type]++
	}
	return true
}

func (f *flood) hold(hold bool) {
	f.b.do(func(time.Duration) { require.NoError(f.t, f.b.Hold(f.seenB[0].Assoc, held, hold)) })
}

// start has a send so many bytes on streams.
func (f *flood) start(streams map[socket.StreamID]int) {
	for id, n := range streams {
		f.todo[id] += n
		f.total[id] += n
	}
	f.a.do(f.pump)
}

// pump queues what it can.
func (f *flood) pump(now time.Duration) {
	for id := range socket.StreamID(10) {
		for f.todo[id] > 0 {
			at := f.total[id] - f.todo[id]
			data := pattern[at%251:][:min(f.message, f.todo[id])]
			_, err := f.a.Send(now, f.id, []socket.Message{{Stream: id, Data: [][]byte{data}}})
			if errors.Is(err, socket.ErrStreamFull) {
				break // but not for others
			}
			if errors.Is(err, socket.ErrWouldBlock) {
				return
			}
			require.NoError(f.t, err)
			f.todo[id] -= len(data)
		}
	}
}

// done reports whether all of some streams has arrived.
func (f *flood) done(streams ...socket.StreamID) func() bool {
	return func() bool {
		for _, id := range streams {
			if f.got[id] < f.total[id] {
				return false
			}
		}
		return true
	}
}

// atB returns what b holds.
func (f *flood) atB() int {
	status, err := f.b.Status(f.seenB[0].Assoc)
	require.NoError(f.t, err)
	return status.Held
}

// A peer that floods a stream which the program does not read stops that stream, and no other. It
// goes on when the stream is read.
func TestUnreadStreamStopsAlone(t *testing.T) {
	const each = 50 << 20 / 3
	lossy := simnet.Conditions{
		Delay: time.Millisecond, Jitter: 100 * time.Microsecond,
		Loss: 0.05, Reorder: 0.05, Duplicate: 0.02,
	}
	for name, c := range map[string]struct {
		config socket.Config
		simnet.Conditions
		each int
	}{
		"fine weather":       {each: each},
		"interleaving":       {config: socket.Config{Interleaving: true, Scheduler: socket.RoundRobin}, each: each},
		"whole messages":     {config: socket.Config{WholeMessages: true}, each: each / 5},
		"whole, interleaved": {config: socket.Config{WholeMessages: true, Interleaving: true}, each: each / 5},
		"loss":               {Conditions: lossy, each: each},
		"loss, interleaved":  {config: socket.Config{Interleaving: true}, Conditions: lossy, each: each / 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.config.StreamLimit = floodLimit
			c.config.SendBuffer, c.config.ReceiveBuffer = 1<<20, 1<<20
			f := newFlood(t, c.config)
			if c.Delay > 0 {
				f.link(c.Conditions)
			}
			f.start(map[socket.StreamID]int{held: 4 << 20, 2: c.each, 3: c.each, 4: c.each})
			f.until("the others arrive", f.done(2, 3, 4))
			most := floodLimit + floodMessage
			if c.config.Interleaving && !c.config.WholeMessages {
				most = floodLimit + 1500
			}
			assert.LessOrEqual(t, f.atB(), most)
			assert.GreaterOrEqual(t, f.atB(), floodLimit)
			assert.Zero(t, f.got[held])
			assert.Positive(t, f.todo[held], "its sender was told to wait")

			f.hold(false)
			f.until("what was held arrives", f.done(held))
			f.a.do(func(now time.Duration) { require.NoError(t, f.a.Shutdown(now, f.id)) })
			f.b.on = record(&f.seenB, &f.dataB)
			f.until("all ends", f.net.Idle)
			assert.Zero(t, f.a.Associations()+f.b.Associations())
			assert.Zero(t, f.a.pool.Lent()+f.b.pool.Lent())
		})
	}
}

// A message that is longer than the limit goes when its stream is empty.
func TestMessagesLongerThanTheStreamLimit(t *testing.T) {
	for _, config := range []socket.Config{{}, {Interleaving: true}, {WholeMessages: true}, {Interleaving: true, WholeMessages: true}} {
		config.StreamLimit = 1000
		f := newFlood(t, config)
		f.start(map[socket.StreamID]int{2: 50 * floodMessage})
		f.until("all arrives", f.done(2))
	}
}

// Tiny messages take more memory than their bytes: they must not fill the receive buffer
// within a limit that is counted in bytes.
func TestTinyMessagesOfAnUnreadStream(t *testing.T) {
	f := newFlood(t, socket.Config{StreamLimit: floodLimit, ReceiveBuffer: 256 << 10})
	f.message = 10
	f.start(map[socket.StreamID]int{held: 50_000})
	f.start(map[socket.StreamID]int{2: 100_000})
	f.until("the other arrives", f.done(2))
	assert.LessOrEqual(t, f.atB(), floodLimit/wire.MinStreamCharge*10)
	f.hold(false)
	f.until("what was held arrives", f.done(held))
}

// Reading a held stream by itself lets its peer send as much as is read.
func TestReadingAHeldStreamLetsItsPeerGoOn(t *testing.T) {
	f := newFlood(t, socket.Config{StreamLimit: floodLimit})
	f.start(map[socket.StreamID]int{held: 2 << 20})
	for read := 0; read < 2<<20; {
		f.until("there is data", func() bool { return f.atB() > 0 })
		f.b.do(func(time.Duration) {
			var events [4]socket.Event
			n, err := f.b.PollStream(f.seenB[0].Assoc, held, events[:])
			require.NoError(t, err)
			for i := range events[:n] {
				read += len(events[i].Payload)
				events[i].Release()
			}
		})
	}
	assert.LessOrEqual(t, f.fromB[wire.TypeStreamCredit], 2*(2<<20)/(floodLimit/2), "not one for each chunk")
}

// What says that a stream has been read may be lost: the peer asks.
func TestLostStreamCreditIsAskedFor(t *testing.T) {
	f := newFlood(t, socket.Config{StreamLimit: floodLimit, RTOMax: time.Second})
	lost := map[wire.ChunkType]int{}
	lose := func(kind wire.ChunkType, n int) func([]byte) bool {
		return func(b []byte) bool {
			types := map[wire.ChunkType]int{}
			count(types, b)
			if types[kind] > 0 && lost[kind] < n {
				lost[kind]++
				return false
			}
			return true
		}
	}
	f.b.filter = lose(wire.TypeStreamCredit, 20)
	f.a.filter = lose(wire.TypeStreamBlocked, 5)
	f.hold(false)
	f.start(map[socket.StreamID]int{held: 4 << 20})
	f.until("all arrives", f.done(held))
	assert.Equal(t, map[wire.ChunkType]int{wire.TypeStreamCredit: 20, wire.TypeStreamBlocked: 5}, lost)
}

// A stream that waits is asked about at intervals that double, and its association lives.
func TestAStreamMayWaitForLong(t *testing.T) {
	f := newFlood(t, socket.Config{StreamLimit: floodLimit, RTOMax: 10 * time.Second})
	f.start(map[socket.StreamID]int{held: 1 << 20})
	f.net.Run(f.net.Now()+2*time.Hour, func() bool { return false })
	assert.LessOrEqual(t, f.fromA[wire.TypeStreamBlocked], 2*3600/10+20)
	assert.GreaterOrEqual(t, f.fromA[wire.TypeStreamBlocked], 2*3600/10-20)
	assert.Zero(t, f.fromB[wire.TypeStreamCredit], "there is nothing to tell")
	f.hold(false)
	f.until("all arrives", f.done(held))
}

// The timer of a stream that waits ends with the association.
func TestAbortEndsTheWaiting(t *testing.T) {
	f := newFlood(t, socket.Config{StreamLimit: floodLimit})
	f.start(map[socket.StreamID]int{held: 1 << 20})
	f.b.on = nil
	f.net.Run(f.net.Now()+time.Minute, func() bool { return false })
	f.a.do(func(time.Duration) { require.NoError(t, f.a.Abort(f.id, "enough")) })
	f.b.on = record(&f.seenB, &f.dataB)
	f.until("all is idle", f.net.Idle)
	assert.Zero(t, f.a.Associations())
}

// A graceful end waits until there is room for what is still queued.
func TestShutdownWaitsForAStreamThatIsNotRead(t *testing.T) {
	f := newFlood(t, socket.Config{StreamLimit: floodLimit})
	f.start(map[socket.StreamID]int{held: 100_000})
	f.a.do(func(now time.Duration) { require.NoError(t, f.a.Shutdown(now, f.id)) })
	f.net.Run(f.net.Now()+time.Minute, func() bool { return false })
	assert.Equal(t, 1, f.a.Associations())
	got := 0
	f.b.on = func(e *socket.Event) { got += len(e.Payload) }
	f.hold(false)
	f.until("all ends", f.net.Idle)
	assert.Equal(t, 100_000, got)
	assert.Zero(t, f.a.Associations()+f.b.Associations())
}

// A peer that does not know of stream limits is slowed down as a whole, and sees nothing
// that is in no standard but a parameter of the INIT chunk.
func TestAPeerWithoutStreamLimits(t *testing.T) {
	for _, standard := range [][]int{{0}, {1}, {0, 1}} {
		f := newFlood(t, socket.Config{StreamLimit: floodLimit, ReceiveBuffer: 1 << 20}, standard...)
		f.start(map[socket.StreamID]int{held: 2 << 20})
		f.start(map[socket.StreamID]int{2: 2 << 20})
		f.net.Run(f.net.Now()+time.Minute, func() bool { return false })
		assert.Greater(t, f.atB(), 2*floodLimit, "all of the window")
		assert.Positive(t, f.todo[2], "the other waits for it")
		f.hold(false)
		f.until("all arrives", f.done(held, 2))
		for _, types := range []map[wire.ChunkType]int{f.fromA, f.fromB} {
			assert.Zero(t, types[wire.TypeStreamCredit]+types[wire.TypeStreamBlocked])
		}
	}
}

// A peer that restarts begins with all of its limit.
func TestRestartForgetsWhatWaits(t *testing.T) {
	f := newFlood(t, socket.Config{StreamLimit: floodLimit})
	f.start(map[socket.StreamID]int{held: 1 << 20})
	f.net.Run(f.net.Now()+time.Minute, func() bool { return false })
	require.LessOrEqual(t, f.atB(), floodLimit+floodMessage)

	// Another endpoint takes a's place.
	old := f.a
	fresh, err := New(Config{Config: old.host.Config, Port: 1000, Addrs: old.host.Addrs, Seed: [32]byte{9}, Pool: &old.pool, RouteMTU: old.host.RouteMTU})
	require.NoError(t, err)
	old.Endpoint.Discard()
	old.Endpoint = fresh
	var seen []socket.Event
	f.b.on = record(&seen, &f.dataB)
	f.a.on = record(&f.seenA, &f.dataA)
	f.seenA = nil
	id := f.connect2()
	f.until("b knows", func() bool { return len(seen) > 0 })
	assert.Equal(t, []socket.Kind{socket.Restarted}, kinds(seen))
	f.send(f.a, id, text(held, string(make([]byte, floodLimit))))
	f.until("it arrives", func() bool { return len(f.dataB) > 0 && len(f.dataB[len(f.dataB)-1]) == floodLimit })
}

// connect2 has a connect to b again.
func (f *flood) connect2() (id socket.AssocID) {
	f.a.do(func(now time.Duration) {
		var err error
		id, err = f.a.Connect(now, f.b.addr()...)
		require.NoError(f.t, err)
	})
	f.until("it is up", func() bool { return len(f.seenA) > 0 })
	return id
}
