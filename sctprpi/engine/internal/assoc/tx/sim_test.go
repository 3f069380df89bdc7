package tx

import (
	"bytes"
	"cmp"
	"container/heap"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// peer is a receiver that keeps all it gets and makes honest SACKs.
type peer struct {
	cumulative wire.TSN
	beyond     map[wire.TSN]bool
	duplicates []wire.TSN
	window     uint32
	got        map[wire.TSN]received
}

func newPeer(initial wire.TSN, window uint32) *peer {
	return &peer{cumulative: initial - 1, beyond: map[wire.TSN]bool{}, window: window, got: map[wire.TSN]received{}}
}

func (p *peer) has(tsn wire.TSN) bool { return tsn.LessEqual(p.cumulative) || p.beyond[tsn] }

// received is a chunk off the wire.
type received struct {
	Chunk
	payload []byte
}

func payloadOf(c *Chunk) []byte { return bytes.Join(c.AppendPayload(nil), nil) }

func (p *peer) receive(c received) {
	if p.has(c.TSN) {
		p.duplicates = append(p.duplicates, c.TSN)
		return
	}
	p.beyond[c.TSN] = true
	p.got[c.TSN] = c
	for p.beyond[p.cumulative+1] {
		p.cumulative++
		delete(p.beyond, p.cumulative)
	}
}

func (p *peer) sack() *wire.SACK {
	s := &wire.SACK{CumulativeTSN: p.cumulative, Window: p.window, Duplicates: wire.NumbersOf(p.duplicates...)}
	p.duplicates = nil
	var offsets []int
	for tsn := range p.beyond {
		offsets = append(offsets, tsn.Sub(p.cumulative))
	}
	slices.Sort(offsets)
	s.GapBlocks = blocksOf(offsets)
	return s
}

// blocksOf makes gap ack blocks of ascending offsets.
func blocksOf(offsets []int) wire.GapBlocks {
	var blocks wire.GapBlocks
	for i := 0; i < len(offsets); {
		j := i
		for j+1 < len(offsets) && offsets[j+1] == offsets[j]+1 {
			j++
		}
		blocks = blocks.Append(wire.GapBlock{Start: uint16(offsets[i]), End: uint16(offsets[j])})
		i = j + 1
	}
	return blocks
}

// link says what a simulated network does to packets, each way.
type link struct {
	delay, jitter   time.Duration
	loss, duplicate float64
	ackLoss         float64
	// rate, in bytes a second, and queue, in bytes, are of the bottleneck that
	// data goes through, if there is one.
	rate, queue int
}

// world is the virtual time of one or more sims, and the bottleneck that they share.
type world struct {
	now    time.Duration
	events eventHeap
	order  int
	idleAt time.Duration // when the bottleneck will have sent its queue
}

// sim runs a Sender against a peer in virtual time.
type sim struct {
	*world
	t        *testing.T
	rng      *rand.Rand
	sender   *Sender
	peer     *peer
	link     link
	dropped  int // by the bottleneck
	room     int
	paths    int
	released map[int]bool
	timeouts int
	// checkEvery is how many steps, on average, pass between checks of consistency.
	checkEvery int
}

type event struct {
	at    time.Duration
	order int
	do    func()
}

// eventHeap has the event that happens first on top.
type eventHeap []event

func (h eventHeap) Len() int { return len(h) }
func (h eventHeap) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h[i].at, h[j].at), cmp.Compare(h[i].order, h[j].order)) < 0
}
func (h eventHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *eventHeap) Push(x any)   { *h = append(*h, x.(event)) }
func (h *eventHeap) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	*h = (*h)[:last]
	return e
}

func (w *world) after(d time.Duration, do func()) {
	w.order++
	heap.Push(&w.events, event{w.now + d, w.order, do})
}

// bottleneck returns how long a packet takes to get through, and false if it is
// dropped because the queue is full.
func (s *sim) bottleneck(size int) (time.Duration, bool) {
	if s.link.rate == 0 {
		return 0, true
	}
	s.idleAt = max(s.idleAt, s.now)
	backlog := int((s.idleAt - s.now).Seconds() * float64(s.link.rate))
	if backlog+size > s.link.queue {
		s.dropped++
		return 0, false
	}
	s.idleAt += time.Duration(float64(size) / float64(s.link.rate) * float64(time.Second))
	return s.idleAt - s.now, true
}

// carry takes a packet over the link, which adds wait to its delay.
func (s *sim) carry(lost float64, wait time.Duration, do func()) {
	if s.rng.Float64() < lost {
		return
	}
	copies := 1
	if s.rng.Float64() < s.link.duplicate {
		copies = 2
	}
	for range copies {
		jitter := time.Duration(0)
		if s.link.jitter > 0 {
			jitter = time.Duration(s.rng.Int64N(int64(s.link.jitter)))
		}
		s.after(wait+s.link.delay+jitter, do)
	}
}

// next returns the chunks of the next packet of a path, or of the best one if the Sender uses several at once.
func (s *sim) next(path int) []Chunk {
	if !s.sender.config.Multipath {
		return s.sender.Next(nil, s.now, PathID(path), s.room)
	}
	for open := PathSet(1)<<s.paths - 1; open != 0; {
		id, some := s.sender.Choose(s.now, open)
		if !some {
			break
		}
		if chunks := s.sender.Next(nil, s.now, id, s.room); len(chunks) > 0 {
			return chunks
		}
		open &^= 1 << id
	}
	return nil
}

// pump sends all that may be sent now.
func (s *sim) pump() {
	for path := range s.paths {
		for {
			chunks := s.next(path)
			if len(chunks) == 0 {
				break
			}
			size := 0
			var flown []received
			for i := range chunks {
				size += chunks[i].Size()
				flown = append(flown, received{chunks[i], payloadOf(&chunks[i])})
			}
			require.LessOrEqual(s.t, size, s.room)
			wait, ok := s.bottleneck(size)
			if !ok {
				continue
			}
			s.carry(s.link.loss, wait, func() {
				for _, c := range flown {
					s.peer.receive(c)
				}
				sack := s.peer.sack()
				s.carry(s.link.ackLoss, 0, func() {
					_, err := s.sender.Sack(s.now, sack)
					require.NoError(s.t, err)
				})
			})
		}
	}
	for r, ok := s.sender.NextRelease(); ok; r, ok = s.sender.NextRelease() {
		id := r.Owner.(int)
		require.False(s.t, s.released[id], "message %d released twice", id)
		require.Equal(s.t, socket.Acknowledged, r.Outcome)
		s.released[id] = true
	}
}

// step moves to the next event or deadline and reports whether there was one.
func (s *sim) step() bool {
	s.pump()
	if s.rng.IntN(s.checkEvery) == 0 {
		requireConsistent(s.t, s.sender)
	}
	deadline, timer := s.sender.Deadline()
	switch {
	case len(s.events) > 0 && (!timer || s.events[0].at <= deadline):
		e := heap.Pop(&s.events).(event)
		s.now = max(s.now, e.at)
		e.do()
	case timer:
		s.now = max(s.now, deadline)
		s.expire()
	default:
		return false
	}
	return true
}

// expire handles the timers that have run out.
func (s *sim) expire() {
	for _, ok := s.sender.Expire(s.now); ok; _, ok = s.sender.Expire(s.now) {
		s.timeouts++
	}
}

// run steps until nothing is left to happen.
func (s *sim) run(steps int) {
	for range steps {
		if !s.step() {
			return
		}
	}
	s.t.Fatalf("still busy after %d steps at %v: %+v", steps, s.now, s.sender.Stats())
}

func newSim(t *testing.T, seed uint64, config Config, paths, room int, l link) *sim {
	t.Helper()
	if config.Streams == 0 {
		config.Streams = 8
	}
	if config.PeerWindow == 0 {
		config.PeerWindow = 1 << 20
	}
	sender, err := New(config)
	require.NoError(t, err)
	for range paths {
		_, err := sender.AddPath(room)
		require.NoError(t, err)
	}
	return &sim{
		world: &world{}, t: t, rng: rand.New(rand.NewPCG(seed, 0)), sender: sender, paths: paths, room: room, link: l,
		peer: newPeer(config.InitialTSN, config.PeerWindow), released: map[int]bool{}, checkEvery: 16,
	}
}

// requireQuiet asserts what must hold when all has been acknowledged.
func (s *sim) requireQuiet() {
	s.t.Helper()
	require.True(s.t, s.sender.Drained())
	_, timer := s.sender.Deadline()
	require.False(s.t, timer, "a timer runs")
	queued, outstanding := s.sender.Buffered()
	require.Zero(s.t, queued)
	require.Zero(s.t, outstanding)
	require.Zero(s.t, s.sender.buffered)
	require.Zero(s.t, s.sender.window.inFlight)
	require.Zero(s.t, s.sender.out.lostCount)
	for i := range s.paths {
		require.Zero(s.t, s.sender.Path(PathID(i)).Flight)
		require.Zero(s.t, s.sender.paths[i].inFlight.n)
	}
	for st := range s.sender.queue.streams.Used() {
		require.Zero(s.t, st.queued)
	}
}

// TestEverythingIsDeliveredOverAnyNetwork runs seeds over random networks and
// configurations. SCTP_TX_SEED replays one.
func TestEverythingIsDeliveredOverAnyNetwork(t *testing.T) {
	seeds := []uint64{}
	for seed := range uint64(100) {
		seeds = append(seeds, seed)
	}
	if replay, err := strconv.ParseUint(os.Getenv("SCTP_TX_SEED"), 10, 64); err == nil {
		seeds = []uint64{replay}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { anyNetwork(t, seed, false) })
		t.Run(fmt.Sprintf("multipath, seed=%d", seed), func(t *testing.T) { anyNetwork(t, seed, true) })
	}
}

func anyNetwork(t *testing.T, seed uint64, multipath bool) {
	rng := rand.New(rand.NewPCG(seed, 1))
	l := link{
		delay:     time.Duration(rng.IntN(50)+1) * ms,
		jitter:    []time.Duration{0, ms, 30 * ms}[rng.IntN(3)],
		loss:      []float64{0, 0.01, 0.1, 0.3}[rng.IntN(4)],
		ackLoss:   []float64{0, 0.01, 0.3}[rng.IntN(3)],
		duplicate: []float64{0, 0.05}[rng.IntN(2)],
	}
	config := Config{
		Multipath:    multipath,
		InitialTSN:   wire.TSN(-rng.IntN(300)), // wraps soon
		Interleaving: rng.IntN(2) == 0,
		Scheduler:    socket.Scheduler(rng.IntN(int(socket.Weighted + 1))),
		SendBuffer:   100_000 + rng.IntN(400_000),
		NewController: []func(int) Controller{
			NewNewReno, NewCubic, bbr(seed, NewBBR), bbr(seed, NewBBRDraft),
		}[rng.IntN(4)],
	}
	room := []int{200, 1452, 9000}[rng.IntN(3)]
	s := newSim(t, seed, config, 1+rng.IntN(2), room, l)

	const messages = 300
	var want []socket.Message
	next := 0
	for next < messages {
		m := socket.Message{
			Stream:    socket.StreamID(rng.IntN(8)),
			Unordered: rng.IntN(4) == 0,
			Data:      [][]byte{make([]byte, 1+rng.IntN(3000)), nil, make([]byte, rng.IntN(3)*2000)},
			Owner:     next,
		}
		for _, piece := range m.Data {
			for i := range piece {
				piece[i] = byte(rng.Uint32())
			}
		}
		err := s.sender.Queue(s.now, &m)
		if err == socket.ErrWouldBlock {
			for !s.sender.Writable() {
				require.True(t, s.step(), "stuck with a full send buffer")
			}
			continue
		}
		require.NoError(t, err)
		want = append(want, m)
		next++
		if rng.IntN(20) == 0 {
			s.step()
		}
	}
	s.run(2_000_000)
	s.requireQuiet()
	require.Len(t, s.released, messages)
	require.Equal(t, s.sender.NextTSN()-1, s.peer.cumulative)
	require.EqualValues(t, messages, s.sender.Stats().Messages)
	requireDelivered(t, config.InitialTSN, s.peer, want, config.Interleaving)
}
