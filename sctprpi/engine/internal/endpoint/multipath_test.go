package endpoint

import (
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/simnet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// bulk is a transfer of messages of 10,000 bytes on some streams, from a to b, over one or two paths.
type bulk struct {
	*pair
	id       socket.AssocID
	messages int
	streams  int
	next     []uint32 // message of each stream that is to come
	got      int
	begun    time.Duration
}

const bulkSize = 10_000

// both has both ends send on all paths at once.
func both(c socket.Config) (a, b socket.Config) {
	c.Multipath = true
	return c, c
}

func newBulk(t testing.TB, a, b socket.Config, messages int, paths ...simnet.Conditions) *bulk {
	f := &bulk{pair: &pair{t: t, net: simnet.New(1)}, messages: messages, streams: 4}
	var here, there []string
	for i := range paths {
		here, there = append(here, fmt.Sprintf("10.0.%d.1", i)), append(there, fmt.Sprintf("10.0.%d.2", i))
	}
	a.SendBuffer, b.SendBuffer = 64<<20, 64<<20
	f.a, f.b = newHost(t, f.net, 1000, a, here...), newHost(t, f.net, 2000, b, there...)
	f.a.on, f.b.on = record(&f.seenA, &f.dataA), record(&f.seenB, &f.dataB)
	for i, c := range paths {
		f.path(i, c)
	}
	f.id = f.connect()
	f.until("the paths are known", func() bool {
		for _, p := range f.status(f.a, f.id).Paths {
			if !p.Confirmed || a.Multipath && b.Multipath && p.SRTT == 0 {
				return false
			}
		}
		return true
	})
	f.next = make([]uint32, f.streams)
	partial := make([][]byte, f.streams)
	f.b.on = func(e *socket.Event) {
		if e.Kind != socket.Data {
			return
		}
		s := int(e.Stream)
		if partial[s] = append(partial[s], e.Payload...); e.End {
			require.Len(t, partial[s], bulkSize)
			require.Equal(t, f.next[s], binary.BigEndian.Uint32(partial[s]), "messages of a stream are in order")
			f.next[s]++
			f.got++
			partial[s] = partial[s][:0]
		}
	}
	return f
}

// begin queues all messages.
func (f *bulk) begin() {
	f.begun = f.net.Now()
	for i := range f.messages {
		b := make([]byte, bulkSize)
		binary.BigEndian.PutUint32(b, uint32(i/f.streams))
		f.send(f.a, f.id, socket.Message{Stream: socket.StreamID(i % f.streams), Data: [][]byte{b}})
	}
}

func (f *bulk) all() bool { return f.got == f.messages }

// rate runs the transfer and returns its rate in Mbit/s.
func (f *bulk) rate() float64 {
	f.begin()
	f.until("all arrives", f.all)
	return float64(f.messages*bulkSize*8) / (f.net.Now() - f.begun).Seconds() / 1e6
}

// mbit is a link of so many Mbit/s and so long a delay, with a queue of 100 KB.
func mbit(rate int, delay time.Duration, loss float64) simnet.Conditions {
	return simnet.Conditions{Delay: delay, Rate: rate * 1_000_000, Queue: 100_000, Overhead: 28, Loss: loss}
}

var congestions = map[string]socket.Congestion{"CUBIC": socket.Cubic, "NewReno": socket.NewReno, "BBR": socket.BBR}

// Two equal paths carry nearly twice what one does, with and without loss.
func TestTwoEqualPathsCarryNearlyTwiceAsMuch(t *testing.T) {
	for name, control := range congestions {
		for _, loss := range []float64{0, 0.01} {
			t.Run(fmt.Sprintf("%s, loss %v", name, loss), func(t *testing.T) {
				c := socket.Config{Congestion: control}
				path := mbit(20, 10*time.Millisecond, loss)
				one := newBulk(t, c, c, 800, path).rate()
				a, b := both(c)
				f := newBulk(t, a, b, 800, path, path)
				two := f.rate()
				t.Logf("%.1f Mbit/s on one path, %.1f on two, %.2f times as much", one, two, two/one)
				assert.Greater(t, two, 1.8*one)
				assert.Zero(t, f.status(f.a, f.id).Timeouts)
			})
		}
	}
}

// Paths of 20 Mbit/s and 10 ms, and of 5 Mbit/s and 50 ms, carry nearly what both do alone, and never less than the better one.
func TestUnequalPathsAddUp(t *testing.T) {
	for name, control := range congestions {
		t.Run(name, func(t *testing.T) {
			c := socket.Config{Congestion: control}
			fast, slow := mbit(20, 10*time.Millisecond, 0), mbit(5, 50*time.Millisecond, 0)
			x, y := newBulk(t, c, c, 800, fast).rate(), newBulk(t, c, c, 400, slow).rate()
			a, b := both(c)
			f := newBulk(t, a, b, 800, fast, slow)
			sum := f.rate()
			t.Logf("%.1f and %.1f Mbit/s alone, %.1f together, %.2f of the sum", x, y, sum, sum/(x+y))
			assert.Greater(t, sum, 0.9*(x+y))
			s := f.status(f.a, f.id)
			assert.Zero(t, s.Timeouts)
			assert.Less(t, float64(s.Retransmissions)/float64(s.ChunksSent), 0.05, "reordering between paths is no loss")
		})
	}
}

// A receive buffer that is too small for both paths is not filled with what the slow one is in the way of: both carry what the fast one does
// alone.
func TestASlowPathDoesNotBlockTheReceiveBuffer(t *testing.T) {
	for _, buffer := range []int{64 << 10, 128 << 10, 256 << 10} {
		for name, slow := range map[string]simnet.Conditions{
			"slow": mbit(5, 50*time.Millisecond, 0), "very slow": mbit(1, 200*time.Millisecond, 0), "lossy": mbit(5, 50*time.Millisecond, 0.03),
		} {
			c := socket.Config{ReceiveBuffer: buffer}
			fast := mbit(20, 10*time.Millisecond, 0)
			one := newBulk(t, c, c, 800, fast).rate()
			a, b := both(c)
			f := newBulk(t, a, b, 800, fast, slow)
			two := f.rate()
			t.Logf("%d KiB, %s: %.1f Mbit/s alone, %.1f with the other path", buffer>>10, name, one, two)
			assert.Greater(t, two, 0.97*one, "it takes a while to find that out")
		}
	}
}

// A fast path goes on while more packets of a slow one are under way than a SACK chunk has room for gaps.
func TestMoreGapsThanASACKHasRoomFor(t *testing.T) {
	c := socket.Config{ReceiveBuffer: 64 << 20}
	fast, slow := mbit(200, 10*time.Millisecond, 0), mbit(50, 100*time.Millisecond, 0)
	fast.Queue, slow.Queue = 1<<20, 2<<20
	x, y := newBulk(t, c, c, 4000, fast).rate(), newBulk(t, c, c, 1500, slow).rate()
	a, b := both(c)
	f := newBulk(t, a, b, 5000, fast, slow)
	sum := f.rate()
	t.Logf("%.1f and %.1f Mbit/s alone, %.1f together, %.2f of the sum", x, y, sum, sum/(x+y))
	assert.Greater(t, sum, 0.9*(x+y))
}

// Short messages, one at a time, keep to the faster path.
func TestShortMessagesStayOnTheFasterPath(t *testing.T) {
	a, b := both(socket.Config{Heartbeat: -1})
	f := newBulk(t, a, b, 0, mbit(5, 50*time.Millisecond, 0), mbit(20, 10*time.Millisecond, 0))
	f.b.on = record(&f.seenB, &f.dataB)
	for i := range 50 {
		f.send(f.a, f.id, text(socket.StreamID(i%4), "short"))
		assert.Zero(t, f.status(f.a, f.id).Paths[0].Flight)
		f.until("it arrives", func() bool { return len(f.dataB) == i+1 })
	}
}

// They need not pass the queues: SendLone finds their path too, if that is free.
func TestALoneMessageTakesTheFasterPath(t *testing.T) {
	for name, congestion := range congestions {
		a, b := both(socket.Config{Heartbeat: -1, Congestion: congestion})
		f := newBulk(t, a, b, 0, mbit(5, 50*time.Millisecond, 0), mbit(20, 10*time.Millisecond, 0))
		f.b.on = record(&f.seenB, &f.dataB)
		for i := range 20 {
			f.a.do(func(now time.Duration) {
				require.True(t, f.a.SendLone(now, f.id, []socket.Message{text(socket.StreamID(i%4), "short")}, &f.a.batch), name)
				f.a.sendBatch()
			})
			assert.Zero(t, f.status(f.a, f.id).Paths[0].Flight, name)
			assert.NotZero(t, f.status(f.a, f.id).Paths[1].Flight, name)
			f.until("it arrives, and is acknowledged", func() bool { return len(f.dataB) == i+1 && f.status(f.a, f.id).Outstanding == 0 })
		}
	}
}

// When a path is cut in the middle, in one direction or both, nothing is lost or out of order, and the other carries all; when it is back,
// it is used again.
func TestAPathIsCutInTheMiddle(t *testing.T) {
	down := simnet.Conditions{Down: true}
	for name, cut := range map[string]func(f *bulk, path int){
		"both ways": func(f *bulk, path int) { f.path(path, down) },
		"there":     func(f *bulk, path int) { f.net.Link(f.a.addrs[path].Addr(), f.b.addrs[path].Addr(), down) },
		"only acks": func(f *bulk, path int) { f.net.Link(f.b.addrs[path].Addr(), f.a.addrs[path].Addr(), down) },
	} {
		for path := range 2 {
			t.Run(fmt.Sprintf("%s, path %d", name, path), func(t *testing.T) {
				a, b := both(socket.Config{Heartbeat: time.Second})
				link := mbit(20, 10*time.Millisecond, 0)
				f := newBulk(t, a, b, 1600, link, link)
				f.begin()
				f.until("a quarter arrives", func() bool { return f.got > f.messages/4 })
				cut(f, path)
				at := f.net.Now()
				f.until("half arrives", func() bool { return f.got > f.messages/2 })
				t.Logf("a quarter took %v after the cut", f.net.Now()-at)
				f.path(path, link)
				f.until("the path is used again", func() bool { return f.all() || f.status(f.a, f.id).Paths[path].Flight > 5_000 })
				assert.False(t, f.all())
				f.until("all arrives", f.all)
			})
		}
	}
}

// An end that sends on several paths does so only with a peer that does too: otherwise all is as RFC 9260 has it.
func TestMultipathTakesTwo(t *testing.T) {
	on, off := socket.Config{Multipath: true}, socket.Config{}
	for name, c := range map[string]struct{ a, b socket.Config }{"a alone": {on, off}, "b alone": {off, on}} {
		t.Run(name, func(t *testing.T) {
			link := mbit(20, 10*time.Millisecond, 0)
			f := newBulk(t, c.a, c.b, 200, link, link)
			f.begin()
			f.until("all arrives", func() bool {
				assert.Zero(t, f.status(f.a, f.id).Paths[1].Flight)
				return f.all()
			})
		})
	}
}

// The parameter is offered if the user wants it, and answered if it was offered, well formed.
func TestMultipathIsNegotiated(t *testing.T) {
	has := func(l wire.Params) (is bool) {
		for p := range l.All() {
			assert.NotEqual(t, wire.ParamUnrecognized, p.Type)
			is = is || p.Type == wire.ParamMultipath
		}
		return is
	}
	for name, c := range map[string]struct {
		on       bool
		offer    wire.Params
		accepted bool
	}{
		"both":           {true, wire.Params{}.AppendMultipath(), true},
		"here":           {true, nil, false},
		"there":          {false, wire.Params{}.AppendMultipath(), false},
		"of length 5":    {true, param(wire.ParamMultipath, 1), false},
		"of length 8":    {true, param(wire.ParamMultipath, 0, 0, 0, 0), false},
		"two":            {true, wire.Params{}.AppendMultipath().AppendMultipath(), true},
		"bad, then good": {true, append(param(wire.ParamMultipath, 0, 0, 0, 0), param(wire.ParamMultipath)...), true},
	} {
		r := newRig(t, socket.Config{Multipath: c.on})
		r.offer.Params = c.offer
		r.accepted()
		assert.Equal(t, c.accepted, has(r.said.Params), name)

		r = newRig(t, socket.Config{Multipath: c.on})
		r.offer.Params = c.offer
		r.dialed()
		assert.Equal(t, c.on, has(r.said.Params), name)
	}
}

// A peer that has agreed not to take acknowledgements back, and does, breaks the protocol. One whose SACK chunks overtake each other does not.
func TestMultipathPeerThatTakesAcknowledgementsBack(t *testing.T) {
	r := newRig(t, socket.Config{Multipath: true, Heartbeat: -1})
	r.offer.Params = wire.Params{}.AppendMultipath()
	r.accepted()
	for range 4 {
		r.send(text(1, "x"))
	}
	tsn := r.said.TSN
	r.say(wire.AppendSACK(nil, &wire.SACK{CumulativeTSN: tsn - 1, Window: 1 << 20, GapBlocks: wire.GapBlocks(nil).Append(wire.GapBlock{Start: 3, End: 3})}))
	r.say(wire.AppendSACK(nil, &wire.SACK{CumulativeTSN: tsn - 1, Window: 1 << 20, GapBlocks: wire.GapBlocks(nil).Append(wire.GapBlock{Start: 2, End: 2})}))
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())
	sent := r.say(sack(tsn, 1<<20))
	assert.Equal(t, []wire.CauseCode{wire.CauseProtocolViolation}, r.causes(sent, wire.TypeAbort))
	assert.Equal(t, socket.Aborted, r.lastEvent().Kind)
	r.gone()
}

// Paths are asked once for their round trip, which on one without delay cannot be told.
func TestPathsWithoutDelayAreAskedOnce(t *testing.T) {
	p := newTwoHomed(t, socket.Config{Multipath: true, Heartbeat: -1})
	for i := range 2 {
		p.path(i, simnet.Conditions{})
	}
	id := p.connect()
	p.net.Advance(time.Minute)
	assert.Less(t, p.status(p.a, id).PacketsSent, uint64(10))
	p.send(p.a, id, text(0, "hello"))
	p.until("it arrives", func() bool { return len(p.dataB) == 1 })
}
