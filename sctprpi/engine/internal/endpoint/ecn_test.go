package endpoint

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/simnet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// newCapableRig returns a rig in which both ends have ECN.
func newCapableRig(t testing.TB, c socket.Config) *rig {
	c.ECN = true
	r := newRig(t, c)
	r.offer.Params = wire.Params{}.AppendECNCapable()
	return r
}

// The parameter is in INIT and INIT ACK chunks if the user wants it, and both ends must have it. RFC 4960, appendix A.
func TestECNIsNegotiated(t *testing.T) {
	for name, c := range map[string]struct {
		on    bool
		offer wire.Params
		both  bool
	}{
		"both":        {true, wire.Params{}.AppendECNCapable(), true},
		"here":        {true, nil, false},
		"there":       {false, wire.Params{}.AppendECNCapable(), false},
		"of length 5": {true, param(wire.ParamECNCapable, 1), false},
		"two":         {true, wire.Params{}.AppendECNCapable().AppendECNCapable(), true},
	} {
		for _, dials := range []bool{false, true} {
			r := newRig(t, socket.Config{ECN: c.on})
			r.offer.Params = c.offer
			if dials {
				r.dialed()
			} else {
				r.accepted()
			}
			has := false
			for p := range r.said.Params.All() {
				assert.NotEqual(t, wire.ParamUnrecognized, p.Type, name)
				has = has || p.Type == wire.ParamECNCapable
			}
			assert.Equal(t, c.on, has, name)
			status, err := r.Status(r.assoc)
			require.NoError(t, err)
			assert.Equal(t, c.both, status.Paths[0].Markable, name)
		}
	}
}

// window returns the congestion window of the rig's path.
func (r *rig) window() int {
	status, err := r.Status(r.assoc)
	require.NoError(r.t, err)
	return status.Paths[0].Window
}

// Without an agreement ECNE and CWR chunks are of unknown types, which end their packets (RFC 9260, section 3.2), and marks are not echoed.
func TestECNThatIsNotAgreedOn(t *testing.T) {
	r := newRig(t, socket.Config{ECN: true}).accepted()
	r.ecn = packet.CE
	assert.Equal(t, [][]wire.ChunkType{{wire.TypeSACK}}, typesOf(r.say(r.data(0, 0, "marked"))))
	sent := r.send(text(0, "hello"))
	before := r.window()
	for range 1000 {
		require.Empty(t, r.say(wire.AppendECNE(nil, r.said.TSN), wire.AppendHeartbeat(nil, []byte("who is there"))))
		require.Empty(t, r.say(wire.AppendCWR(nil, r.tsn-1)))
	}
	assert.Equal(t, before, r.window())
	assert.Len(t, sent, 1)
}

// What is markable is packets of data that has not been sent before, and nothing else, so that associations are made, tested and repaired
// on paths that drop what is markable too (RFC 3168, section 6.1.5).
func TestOnlyFreshDataIsMarkable(t *testing.T) {
	for name, congestion := range congestions {
		p := newPair(t, socket.Config{ECN: true, Congestion: congestion, Heartbeat: 100 * time.Millisecond, SendBuffer: 16 << 20})
		p.link(simnet.Conditions{Delay: 10 * time.Millisecond, Rate: 20e6, Queue: 100_000, Loss: 0.02})
		highest, markable, others := map[*host]wire.TSN{}, 0, map[wire.ChunkType]int{}
		for _, h := range []*host{p.a, p.b} {
			h.sent = func(sent *packet.Packet, b []byte) {
				fresh, alone := false, true
				parsed, err := wire.ParsePacket(b)
				require.NoError(t, err)
				for c := range parsed.Chunks() {
					switch c.Type {
					case wire.TypeData:
						d, err := wire.ParseData(c)
						require.NoError(t, err)
						again := highest[h] != 0 && d.TSN.LessEqual(highest[h])
						fresh, alone = fresh || !again, alone && !again
						if !again {
							highest[h] = d.TSN
						}
					case wire.TypeSACK, wire.TypeStreamCredit, wire.TypeStreamBlocked, wire.TypeECNE, wire.TypeCWR:
					default:
						alone = false
						others[c.Type]++
					}
				}
				want := packet.NotECT
				if fresh && alone && congestion != socket.BBR { // which does not know marks
					want = packet.ECT0
					markable++
				}
				require.Equal(t, want, sent.ECN, "%s: %s", name, describe(b))
			}
		}
		id := p.connect()
		for range 100 {
			p.send(p.a, id, text(0, string(make([]byte, 10_000))))
		}
		p.until("all arrives", func() bool { return len(p.dataB) == 100 })
		assert.Equal(t, congestion != socket.BBR, markable > 500, name)
		assert.NotZero(t, p.status(p.a, id).Retransmissions, name)
		for _, c := range []wire.ChunkType{wire.TypeInit, wire.TypeInitAck, wire.TypeCookieEcho, wire.TypeCookieAck, wire.TypeHeartbeat, wire.TypeHeartbeatAck} {
			assert.NotZero(t, others[c], "%s: %v", name, c)
		}
	}
}

// A mark is echoed at once, before the SACK chunk, and with each SACK chunk until the peer answers with a TSN that is not lower than that of
// the last marked packet.
func TestAnEchoIsRepeatedUntilItIsAnswered(t *testing.T) {
	r := newCapableRig(t, socket.Config{AckDelay: 50 * time.Millisecond}).accepted()
	r.say(r.data(0, 0, "the first is acknowledged at once"))
	echoed := func(sent []sentPacket) wire.TSN {
		t.Helper()
		require.Equal(t, [][]wire.ChunkType{{wire.TypeECNE, wire.TypeSACK}}, typesOf(sent))
		tsn, err := wire.ParseECNE(sent[0].chunks[0])
		require.NoError(t, err)
		return tsn
	}
	r.ecn = packet.CE
	first := r.tsn
	assert.Equal(t, first, echoed(r.say(r.data(0, 1, "marked"), r.data(0, 2, "in the same packet"))))
	r.ecn = packet.ECT0
	r.say(r.data(0, 3, "not marked"))
	assert.Equal(t, first, echoed(r.say(r.data(0, 4, "nor this"))))
	r.ecn = packet.CE
	second := r.tsn
	r.say(r.data(0, 5, "marked again"))
	r.ecn = packet.ECT0
	assert.Equal(t, second, echoed(r.say(r.data(0, 6, "not marked"))))
	assert.Empty(t, r.say(wire.AppendCWR(nil, first)))
	r.say(r.data(0, 7, "the answer is to the first mark"))
	assert.Equal(t, second, echoed(r.say(r.data(0, 8, "the second is echoed on"))))
	sent := r.send(text(0, "an answer"))
	assert.Equal(t, [][]wire.ChunkType{{wire.TypeData}}, typesOf(sent), "no SACK chunk waits")
	assert.Empty(t, r.say(wire.AppendCWR(nil, second)))
	r.say(r.data(0, 9, "all is answered"))
	assert.Equal(t, [][]wire.ChunkType{{wire.TypeSACK}}, typesOf(r.say(r.data(0, 10, "all is answered"))))
}

// The window is reduced once for a window of data, whatever the peer echoes, and the peer is answered once a round trip.
func TestAnEchoReducesTheWindowOnce(t *testing.T) {
	r := newCapableRig(t, socket.Config{}).dialed()
	tsn, more := r.said.TSN, text(0, string(make([]byte, 1000)))
	for range 20 { // the window grows
		r.send(slices.Repeat([]socket.Message{more}, 20)...)
		r.now += 10 * time.Millisecond
		for range 20 {
			status, err := r.Status(r.assoc)
			require.NoError(t, err)
			tsn += wire.TSN(status.Outstanding / 1000)
			r.say(sack(tsn-1, 1<<20))
		}
	}
	r.send(more, more, more, more)
	before, answers := r.window(), 0
	require.Greater(t, before, 10_000)
	echo := func(tsn wire.TSN) (lowest wire.TSN) {
		for _, p := range r.say(wire.AppendECNE(nil, tsn)) {
			answers++
			require.Equal(t, []wire.ChunkType{wire.TypeCWR}, p.types())
			var err error
			lowest, err = wire.ParseCWR(p.chunks[0])
			require.NoError(t, err)
		}
		return lowest
	}
	assert.Equal(t, tsn, echo(tsn))
	once := r.window()
	assert.InDelta(t, 0.7, float64(once)/float64(before), 0.01, "in slow start as after a loss")
	for range 100 {
		for i := range wire.TSN(4) {
			echo(tsn + i)
		}
		echo(tsn - 10)
	}
	assert.Equal(t, once, r.window())
	assert.Equal(t, 1, answers)
	r.now += 20 * time.Millisecond
	assert.Equal(t, tsn+3, echo(tsn+3), "the answer may have been lost")
	assert.Equal(t, once, r.window())
	r.say(sack(tsn+3, 1<<20))
	r.send(more, more)
	r.now += 20 * time.Millisecond
	assert.Equal(t, tsn+4, echo(tsn+4))
	assert.InDelta(t, 0.85, float64(r.window())/float64(once), 0.01, "and then by a smaller factor (RFC 8511)")
}

// bulkMarked is a transfer over a link of 20 Mbit/s and 10 ms whose packets are marked when 25 KB wait.
func bulkMarked(t *testing.T, c socket.Config, change func(*simnet.Conditions)) *bulk {
	link := mbit(20, 10*time.Millisecond, 0)
	if change != nil {
		change(&link)
	}
	return newBulk(t, c, c, 1500, link)
}

// marking has a link mark from 25 KB on.
func marking(c *simnet.Conditions) { c.Mark = 25_000 }

// longest runs a transfer and returns its rate, and the longest smoothed round trip once it is under way.
func (f *bulk) longest() (rate float64, rtt time.Duration) {
	f.begin()
	f.until("all arrives", func() bool {
		if f.got > f.messages/4 {
			rtt = max(rtt, f.status(f.a, f.id).Paths[0].SRTT)
		}
		return f.all()
	})
	return float64(f.messages*bulkSize*8) / (f.net.Now() - f.begun).Seconds() / 1e6, rtt
}

// Where queues mark, nothing is lost and sent again, the queue is shorter, and as much goes through.
func TestMarksTakeThePlaceOfLosses(t *testing.T) {
	for name, congestion := range map[string]socket.Congestion{"CUBIC": socket.Cubic, "NewReno": socket.NewReno} {
		c := socket.Config{Congestion: congestion}
		plain := bulkMarked(t, c, nil)
		rate, rtt := plain.longest()
		dropped := bulkMarked(t, c, marking)
		dropRate, _ := dropped.longest()
		c.ECN = true
		marked := bulkMarked(t, c, marking)
		markRate, markRTT := marked.longest()
		before, drops, s := plain.status(plain.a, plain.id), dropped.status(dropped.a, dropped.id), marked.status(marked.a, marked.id)
		t.Logf("%s: %.1f Mbit/s, %v and %d retransmissions with a queue that drops; %.1f Mbit/s and %d with one that drops early; %.1f Mbit/s, %v, %d marks and %d retransmissions with one that marks",
			name, rate, rtt, before.Retransmissions, dropRate, drops.Retransmissions, markRate, markRTT, s.Marks, s.Retransmissions)
		assert.Greater(t, markRate, 0.97*rate)
		assert.Greater(t, markRate, 0.97*dropRate)
		assert.Less(t, markRTT, rtt*3/4)
		assert.Greater(t, s.Marks, uint64(2))
		assert.Zero(t, s.Retransmissions)
		assert.Zero(t, s.Recoveries+s.Timeouts)
		assert.NotZero(t, drops.Retransmissions)
	}
}

// When ECNE and CWR chunks are lost, all arrives, marks are still heeded, and in the end nothing is echoed any more.
func TestLostEchoesAndAnswersDoNoHarm(t *testing.T) {
	for name, lose := range map[string]wire.ChunkType{"ECNE": wire.TypeECNE, "CWR": wire.TypeCWR} {
		f := bulkMarked(t, socket.Config{ECN: true}, marking)
		seen := 0
		losing := func(b []byte) bool {
			p, err := wire.ParsePacket(b)
			require.NoError(t, err)
			for c := range p.Chunks() {
				if c.Type == lose {
					seen++
					return seen%3 == 0 // of three two are lost
				}
			}
			return true
		}
		f.a.filter, f.b.filter = losing, losing
		rate := f.rate()
		s := f.status(f.a, f.id)
		t.Logf("%s: %.1f Mbit/s, %d marks, %d seen", name, rate, s.Marks, seen)
		assert.Greater(t, rate, 15., name)
		assert.NotZero(t, s.Marks, name)
		assert.Greater(t, seen, 6, name)
	}
}

// A peer that echoes always, whatever arrives, takes the window to its least and no further; in the end packets are not markable any more,
// and it is not believed.
func TestAPeerThatEchoesAlways(t *testing.T) {
	f := bulkMarked(t, socket.Config{ECN: true}, func(c *simnet.Conditions) { c.Bits = simnet.SetMarkable })
	f.begin()
	least := 1 << 30
	f.until("all arrives", func() bool {
		least = min(least, f.status(f.a, f.id).Paths[0].Window)
		return f.all()
	})
	s := f.status(f.a, f.id)
	t.Logf("%.1f Mbit/s, %d marks, least window %d", float64(f.messages*bulkSize*8)/(f.net.Now()-f.begun).Seconds()/1e6, s.Marks, least)
	assert.GreaterOrEqual(t, least, 4000)
	assert.False(t, s.Paths[0].Markable)
	assert.Less(t, s.Marks, uint64(100))
	assert.Zero(t, s.Timeouts)
}

// A peer that never echoes gets what one gets that has no ECN: losses slow it down.
func TestAPeerThatNeverEchoes(t *testing.T) {
	rate := bulkMarked(t, socket.Config{}, nil).rate()
	f := bulkMarked(t, socket.Config{ECN: true}, marking)
	f.b.blind = true
	got := f.rate()
	s := f.status(f.a, f.id)
	t.Logf("%.1f Mbit/s without ECN, %.1f unheeded", rate, got)
	assert.Less(t, got, 1.05*rate)
	assert.NotZero(t, s.Recoveries)
	assert.Zero(t, s.Marks)
}

// RFC 9000, section 13.4.2, is the model: data goes through a path that clears the bits, sets them, or loses what is markable.
func TestPathsThatMangleTheBits(t *testing.T) {
	for name, c := range map[string]struct {
		bits     simnet.Bits
		markable bool // in the end
		least    float64
	}{
		"clears":         {simnet.ClearBits, true, 18},
		"sets":           {simnet.SetBits, false, 15},
		"drops markable": {simnet.DropMarkable, false, 5},
	} {
		f := bulkMarked(t, socket.Config{ECN: true}, func(l *simnet.Conditions) { l.Bits = c.bits })
		rate := f.rate()
		s := f.status(f.a, f.id)
		t.Logf("%s: %.1f Mbit/s, %d timeouts", name, rate, s.Timeouts)
		assert.Greater(t, rate, c.least, name)
		assert.Equal(t, c.markable, s.Paths[0].Markable, name)
		assert.Less(t, s.Timeouts, uint64(6), name)
	}
}

// Short messages, one at a time, get through such paths too.
func TestShortMessagesOnAPathThatDropsWhatIsMarkable(t *testing.T) {
	p := newPair(t, socket.Config{ECN: true})
	p.link(simnet.Conditions{Delay: 10 * time.Millisecond, Bits: simnet.DropMarkable})
	id := p.connect()
	for i := range 10 {
		p.send(p.a, id, text(0, "short"))
		p.until("it arrives", func() bool { return len(p.dataB) > i })
	}
	assert.False(t, p.status(p.a, id).Paths[0].Markable)
	assert.Less(t, p.status(p.a, id).Retransmissions, uint64(8), "of three messages")
}

// Echoes and answers that cannot be end the association, or are passed over.
func TestECNEAndCWRThatCannotBe(t *testing.T) {
	for name, chunk := range map[string][]byte{
		"short ECNE": {byte(wire.TypeECNE), 0, 0, 4}, "long ECNE": {byte(wire.TypeECNE), 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		"short CWR": {byte(wire.TypeCWR), 0, 0, 4}, "long CWR": {byte(wire.TypeCWR), 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0},
	} {
		r := newCapableRig(t, socket.Config{}).accepted()
		assert.Equal(t, []wire.CauseCode{wire.CauseProtocolViolation}, r.causes(r.say(chunk), wire.TypeAbort), name)
		r.gone()
	}
	r := newCapableRig(t, socket.Config{}).accepted()
	r.send(text(0, "one"))
	before := r.window()
	for _, ahead := range []wire.TSN{1, 2, 1 << 30, 1 << 31, 1<<32 - 1, 1<<32 - 1000} {
		r.say(wire.AppendECNE(nil, r.said.TSN+ahead))
		assert.Empty(t, r.say(wire.AppendCWR(nil, r.tsn+ahead)))
	}
	assert.Equal(t, before, r.window())
	r.say(wire.AppendECNE(nil, r.said.TSN))
	assert.LessOrEqual(t, r.window(), before)
}

// With several paths a mark concerns the path on which the packet was sent.
func TestAMarkConcernsItsPath(t *testing.T) {
	a, b := both(socket.Config{ECN: true})
	one, other := mbit(20, 10*time.Millisecond, 0), mbit(20, 10*time.Millisecond, 0)
	one.Mark = 25_000
	f := newBulk(t, a, b, 1500, one, other)
	f.begin()
	f.until("some arrives", func() bool { return f.got > f.messages/2 })
	s := f.status(f.a, f.id)
	t.Logf("%d marks, round trips %v and %v", s.Marks, s.Paths[0].SRTT, s.Paths[1].SRTT)
	assert.NotZero(t, s.Marks)
	assert.Less(t, s.Paths[0].SRTT, 35*time.Millisecond)
	assert.Greater(t, s.Paths[1].SRTT, s.Paths[0].SRTT)
	f.until("all arrives", f.all)
}

// The deadline of an association does not change by ECN while nothing is marked: the chunks of both are the same.
func TestECNChangesNothingWhereNothingIsMarked(t *testing.T) {
	var chunks [2][]wire.ChunkType
	for i, on := range []bool{false, true} {
		f := bulkMarked(t, socket.Config{ECN: on}, nil)
		f.a.sent = func(_ *packet.Packet, b []byte) {
			p, err := wire.ParsePacket(b)
			require.NoError(t, err)
			for c := range p.Chunks() {
				chunks[i] = append(chunks[i], c.Type)
			}
		}
		f.rate()
	}
	assert.True(t, slices.Equal(chunks[0], chunks[1]))
}
