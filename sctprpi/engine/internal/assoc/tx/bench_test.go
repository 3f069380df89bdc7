package tx

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// pipe keeps a window of 1 KiB messages going, four to a SACK, a packet each.
type pipe struct {
	*Sender
	now    time.Duration
	data   [][]byte
	owner  *int
	chunks []Chunk
	header []byte
	list   [][]byte
	sack   wire.SACK
	acked  wire.TSN
}

const pipeChunk = 1024 + wire.DataHeaderSize

func newPipe(tb testing.TB, control func(int) Controller) *pipe {
	s, err := New(Config{InitialTSN: 1, Streams: 1024, PeerWindow: 1 << 24, Scheduler: socket.RoundRobin, NewController: control})
	require.NoError(tb, err)
	_, err = s.AddPath(pipeChunk)
	require.NoError(tb, err)
	p := &pipe{Sender: s, data: [][]byte{make([]byte, 24), make([]byte, 1000)}, owner: new(int)}
	p.sack.Window = 1 << 24
	for range 1000 {
		p.cycle()
	}
	return p
}

// cycle sends and acknowledges four chunks; every eighth time one of them is
// reported missing first.
func (p *pipe) cycle() {
	p.now += 100 * time.Microsecond
	for i := range 4 {
		_ = p.Queue(p.now, &socket.Message{Stream: socket.StreamID(i), Data: p.data, Owner: p.owner})
	}
	for {
		p.chunks = p.Next(p.chunks[:0], p.now, 0, pipeChunk)
		if len(p.chunks) == 0 {
			break
		}
		for i := range p.chunks {
			p.header = p.chunks[i].AppendHeader(p.header[:0])
			p.list = p.chunks[i].AppendPayload(p.list[:0])
		}
	}
	p.now += 50 * time.Microsecond
	if last := p.NextTSN() - 1; last%32 < 4 && last.Sub(p.acked) > 1 {
		p.sack.CumulativeTSN = p.acked
		p.sack.GapBlocks = p.sack.GapBlocks[:0].Append(wire.GapBlock{Start: 2, End: uint16(last.Sub(p.acked))})
		_, _ = p.Sack(p.now, &p.sack)
	}
	p.acked = p.NextTSN() - 1
	p.sack.CumulativeTSN, p.sack.GapBlocks = p.acked, p.sack.GapBlocks[:0]
	_, _ = p.Sack(p.now, &p.sack)
	for _, ok := p.NextRelease(); ok; _, ok = p.NextRelease() {
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	for name, control := range allControls {
		p := newPipe(t, control)
		assert.Zero(t, testing.AllocsPerRun(1000, p.cycle), name)
		assert.True(t, p.Drained())
		assert.NotZero(t, p.Stats().Messages)
	}
}

// BenchmarkChunk is the cost of a 1 KiB message: Queue, Next with header and
// gather list, and its share of a SACK for four.
func BenchmarkChunk(b *testing.B) {
	for _, name := range []string{"CUBIC", "NewReno", "BBR"} {
		b.Run(name, func(b *testing.B) {
			p := newPipe(b, allControls[name])
			b.SetBytes(1024)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if i%4 == 0 {
					p.cycle()
				}
			}
		})
	}
}

// BenchmarkSACKWithGaps is the cost of a SACK that adds one TSN to a block when
// 50,000 chunks are outstanding: it must not depend on their number.
func BenchmarkSACKWithGaps(b *testing.B) {
	const outstanding = 50_000
	var s *Sender
	var sack wire.SACK
	end := outstanding
	refill := func() {
		var err error
		s, err = New(Config{
			InitialTSN: 0, Streams: 1, PeerWindow: 1 << 30, SendBuffer: 1 << 30, MaxBurst: 1 << 16,
			NewController: func(int) Controller { return &fixed{window: 1 << 30} },
		})
		require.NoError(b, err)
		_, err = s.AddPath(116)
		require.NoError(b, err)
		data := [][]byte{make([]byte, 100)}
		var chunks []Chunk
		for range outstanding {
			require.NoError(b, s.Queue(0, &socket.Message{Data: data}))
			chunks = s.Next(chunks[:0], 0, 0, 116)
		}
		end = 100
	}
	b.ReportAllocs()
	for b.Loop() {
		if end == outstanding {
			b.StopTimer()
			refill()
			b.StartTimer()
		}
		end++
		sack = wire.SACK{CumulativeTSN: ^wire.TSN(0), Window: 1 << 30, GapBlocks: sack.GapBlocks[:0].Append(wire.GapBlock{Start: 2, End: uint16(end)})}
		if _, err := s.Sack(time.Millisecond, &sack); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBurst is the cost of a chunk when thousands are sent and acknowledged at
// once, and nothing remains: what is made for them is given up each time.
func BenchmarkBurst(b *testing.B) {
	const burst = 4000
	s, err := New(Config{
		InitialTSN: 0, Streams: 1, PeerWindow: 1 << 30, SendBuffer: 1 << 30, MaxBurst: 1 << 16,
		NewController: func(int) Controller { return &fixed{window: 1 << 30} },
	})
	require.NoError(b, err)
	_, err = s.AddPath(pipeChunk)
	require.NoError(b, err)
	data := [][]byte{make([]byte, burst*1024)}
	var chunks []Chunk
	b.ReportAllocs()
	for b.Loop() {
		_ = s.Queue(0, &socket.Message{Data: data})
		for chunks = s.Next(chunks[:0], 0, 0, pipeChunk); len(chunks) > 0; chunks = s.Next(chunks[:0], 0, 0, pipeChunk) {
		}
		_, _ = s.Sack(time.Millisecond, &wire.SACK{CumulativeTSN: s.NextTSN() - 1, Window: 1 << 30})
		s.NextRelease()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/burst, "ns/chunk")
}

// BenchmarkPool sends a chunk on a stream that is read, beside so many that wait for the pool.
func BenchmarkPool(b *testing.B) {
	for _, waiting := range []int{0, 100, 10_000} {
		b.Run(strconv.Itoa(waiting), func(b *testing.B) {
			s, err := New(Config{
				InitialTSN: 1, Streams: 1 + 10_000, PeerWindow: 1 << 30, MaxBurst: 1 << 16, Scheduler: socket.RoundRobin,
				Interleaving: true, SendBuffer: 1 << 28, StreamLimit: wire.StreamLimit{Base: 256, Pool: 1 << 20},
				NewController: func(int) Controller { return &fixed{window: 1 << 30} },
			})
			require.NoError(b, err)
			_, err = s.AddPath(pipeChunk)
			require.NoError(b, err)
			data := [][]byte{make([]byte, 1000)}
			var chunks []Chunk
			exchange := func() {
				for next := s.Next(chunks[:0], 0, 0, pipeChunk); len(next) > 0; next = s.Next(next[:0], 0, 0, pipeChunk) {
					chunks = next
				}
				_, err := s.Sack(0, &wire.SACK{CumulativeTSN: s.NextTSN() - 1, Window: 1 << 30})
				require.NoError(b, err)
				for _, ok := s.NextRelease(); ok; _, ok = s.NextRelease() {
				}
			}
			for id := range waiting {
				for range 20 {
					_ = s.Queue(0, &socket.Message{Stream: socket.StreamID(1 + id), Data: data, ZeroCopy: true})
				}
				exchange()
			}
			var offsets wire.StreamOffsets
			b.ReportAllocs()
			for b.Loop() {
				if err := s.Queue(0, &socket.Message{Data: data, ZeroCopy: true}); err != nil {
					b.Fatal(err)
				}
				exchange()
				offsets = offsets[:0].Append(wire.StreamOffset{Offset: s.queue.streams.Get(0).credit.sent})
				if err := s.Granted(0, offsets); err != nil {
					b.Fatal(err)
				}
			}
			lines := &s.queue.credits.lines
			b.ReportMetric(float64(len(lines[0].streams)+len(lines[1].streams)), "waiting")
		})
	}
}
