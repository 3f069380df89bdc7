package rx

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// reader checks that pieces are what the peer has sent.
type reader struct {
	t        *testing.T
	whole    bool
	expected map[int]map[wire.MID]*outgoing // by lane and number delivered
	parts    map[int]map[wire.MID][]byte    // of messages being delivered
	last     map[int]wire.MID               // ordered message begun
	row      *outgoing                      // when whole, whose pieces come in a row
	done     map[*outgoing]bool
}

func newReader(t *testing.T, p *peer, whole bool) *reader {
	rd := &reader{
		t: t, whole: whole, expected: map[int]map[wire.MID]*outgoing{}, parts: map[int]map[wire.MID][]byte{},
		last: map[int]wire.MID{}, done: map[*outgoing]bool{},
	}
	for n, c := range p.chunks {
		if c.flags&B == 0 {
			continue
		}
		m := c.message
		if rd.expected[m.lane()] == nil {
			rd.expected[m.lane()] = map[wire.MID]*outgoing{}
			rd.parts[m.lane()] = map[wire.MID][]byte{}
		}
		number := m.seq
		switch {
		case p.interleaving:
		case m.unordered:
			number = wire.MID(tsnOf(n))
		default:
			number = wire.MID(wire.SSN(m.seq))
		}
		rd.expected[m.lane()][number] = m
	}
	return rd
}

func (rd *reader) take(p socket.Event) {
	lane := (&outgoing{stream: p.Stream, unordered: p.Unordered}).lane()
	m := rd.expected[lane][wire.MID(p.MID)]
	require.NotNil(rd.t, m, "no such message")
	parts := rd.parts[lane]
	part, begun := parts[wire.MID(p.MID)]
	require.Equal(rd.t, !begun, p.Begin)
	if p.Broken {
		require.True(rd.t, m.abandoned, "aborted for no reason")
		require.False(rd.t, rd.whole)
		delete(parts, wire.MID(p.MID))
		return
	}
	p.Memory.Release()
	require.Equal(rd.t, socket.PPID(7), p.PPID)
	if p.Begin && !p.Unordered {
		require.Empty(rd.t, parts, "one ordered message at a time")
		last, any := rd.last[lane]
		require.True(rd.t, !any || last.Less(m.seq), "order")
		rd.last[lane] = m.seq
	}
	part = append(part, p.Payload...)
	require.True(rd.t, bytes.HasPrefix(m.data, part))
	parts[wire.MID(p.MID)] = part
	if rd.whole {
		require.Equal(rd.t, rd.row == nil, p.Begin)
		rd.row = m
	}
	if p.End {
		require.False(rd.t, rd.done[m] && !m.abandoned, "delivered twice")
		require.Len(rd.t, part, len(m.data))
		rd.done[m] = true
		delete(parts, wire.MID(p.MID))
		rd.row = nil
	}
}

// readyOrder checks Ready and AppendReady and returns the stream that Next is to read.
func readyOrder(r *rig, onHold map[socket.StreamID]bool) socket.StreamID {
	list := r.AppendReady(nil)
	inLine := 0
	for inLine < len(list) && !onHold[list[inLine]] {
		inLine++
	}
	for i, id := range list {
		require.Equal(r.t, i >= inLine, onHold[id], "those on hold come last")
	}
	var want []socket.StreamID
	for id := range socket.StreamID(r.streams.Len()) {
		if r.StreamReady(id) {
			want = append(want, id)
		}
	}
	require.ElementsMatch(r.t, want, list)
	require.Equal(r.t, inLine > 0, r.Ready())
	if inLine == 0 {
		_, ok := r.next()
		require.False(r.t, ok)
		return 0
	}
	return list[0]
}

// Whatever is reordered, duplicated, refused for want of room and abandoned: every
// message that is not abandoned is delivered once, whole, in its stream's order,
// across the wrap of TSNs, SSNs and MIDs, and nothing remains held.
func TestDeliveryAgainstAModel(t *testing.T) {
	eachSeed(t, 60, func(t *testing.T, random *rand.Rand) {
		streams := 1 + random.IntN(6)
		config := Config{
			InitialTSN: rigTSN, Streams: streams,
			Interleaving: random.IntN(2) == 0, PartialReliability: random.IntN(2) == 0, Whole: random.IntN(3) == 0,
		}
		if !config.Whole && random.IntN(2) == 0 {
			config.Buffer = MinBuffer
		}
		if random.IntN(2) == 0 {
			config.StreamLimit = 1 + random.IntN(50_000)
		}
		r := newRig(t, func(c *Config) { *c = config })

		// Numbers start half the way and wrap soon; unordered DATA has none.
		first := func(lane int) wire.MID {
			if lane < 0 {
				return wire.MID(lane)
			}
			return wire.MID(-3 - lane)
		}
		for id := range socket.StreamID(streams) {
			mask := uint32(0xFFFF)
			if config.Interleaving {
				mask = 0xFFFF_FFFF
			}
			seq := uint32(first(int(id))) & mask
			r.streams.use(id).next = seq << r.shift
			r.streams.use(id).floor = uint32(first(-1 - int(id)))
		}
		p := newPeer(random, config.Interleaving, streams, 1+random.IntN(150), 1+random.IntN(1500), first)
		rd := newReader(t, p, config.Whole)
		tracker, err := NewTracker(rigTSN, AckPolicy{})
		require.NoError(t, err)

		onHold := map[socket.StreamID]bool{}
		window := 1 + random.IntN(300)
		late := random.IntN(2) == 0
		reads := 1 + random.IntN(4)
		arrive := func(n int) {
			if n >= len(p.chunks) || p.chunks[n].message.abandoned && !late {
				return
			}
			if tracker.Arrive(tsnOf(n)) != Fresh {
				return
			}
			err := p.send(r, n)
			if errors.Is(err, ErrNoRoom) {
				tracker.Refuse()
				return
			}
			require.NoError(t, err)
			tracker.Accept(tsnOf(n), p.chunks[n].flags)
		}
		for step := 0; tracker.CumulativeTSN() != tsnOf(len(p.chunks)-1); step++ {
			require.Less(t, step, 1_000_000, "no progress")
			next := tracker.CumulativeTSN().Sub(tsnOf(0)) + 1
			switch random.IntN(5) {
			case 0:
				arrive(next)
			case 1:
				arrive(random.IntN(next + 1)) // a duplicate
			case 2:
				if random.IntN(20) == 0 && config.PartialReliability {
					p.chunks[min(len(p.chunks)-1, next+random.IntN(window))].message.abandoned = true
				}
				require.NoError(t, p.forward(r, tracker))
			default:
				arrive(next + random.IntN(window))
			}
			// A reader of whole messages must finish one before the next.
			between := !config.Whole || rd.row == nil
			if random.IntN(reads) == 0 {
				id := socket.StreamID(random.IntN(streams))
				next := r.next
				if between && random.IntN(2) == 0 {
					next = func() (socket.Event, bool) { return r.nextOf(id) }
				} else {
					id = readyOrder(r, onHold)
				}
				piece, ok := next()
				for ; ok; piece, ok = next() {
					require.Equal(t, id, piece.Stream)
					rd.take(piece)
					if !config.Whole || piece.End {
						break
					}
				}
			}
			if id := socket.StreamID(random.IntN(streams)); between && random.IntN(30) == 0 {
				onHold[id] = !onHold[id]
				require.NoError(t, r.Hold(id, onHold[id]))
			}
			if step%16 == 0 {
				r.requireConsistent()
			}
		}
		for id := range onHold {
			require.NoError(t, r.Hold(id, false))
		}
		for piece, ok := r.next(); ok; piece, ok = r.next() {
			rd.take(piece)
		}
		for _, m := range p.messages {
			require.True(t, m.abandoned || rd.done[m], "message lost")
		}
		for _, parts := range rd.parts {
			require.Empty(t, parts)
		}
		r.requireEmpty()
	})
}
