package tx

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// TestLoneDoesWhatTheQueueDoes has two Senders do the same at random, but for Lone, which one of them calls where it may.
func TestLoneDoesWhatTheQueueDoes(t *testing.T) {
	lone := 0
	for seed := range uint64(60) {
		p := newPair(t, seed)
		for range 300 {
			p.step()
		}
		lone += p.lone
	}
	require.Greater(t, lone, 1500)
}

// pair are two Senders, of which the first takes the short way, and their peer.
type pair struct {
	*rand.Rand
	t       *testing.T
	senders [2]*Sender
	peer    *peer
	now     time.Duration
	lone    int
}

const pairPaths = 2

func newPair(t *testing.T, seed uint64) *pair {
	p := &pair{Rand: rand.New(rand.NewPCG(seed, 1)), t: t, peer: newPeer(rigTSN, 20_000)}
	c := Config{
		InitialTSN: rigTSN, Streams: 4, PeerWindow: p.peer.window, Scheduler: socket.Scheduler(p.IntN(4)),
		Interleaving: p.IntN(2) == 0, SendBuffer: 20_000,
	}
	if p.IntN(2) == 0 {
		c.NewController = bbr(seed, NewBBR)
	}
	for i := range p.senders {
		s, err := New(c)
		require.NoError(t, err)
		for path := range pairPaths {
			_, err = s.AddPath(rigChunk - 200*path)
			require.NoError(t, err)
		}
		p.senders[i] = s
	}
	return p
}

// step has something happen to both, and compares them.
func (p *pair) step() {
	switch p.IntN(8) {
	case 0, 1, 2, 3:
		p.send()
	case 4:
		p.now += time.Duration(p.IntN(1 << (10 + p.IntN(20))))
		for _, s := range p.senders {
			for _, expired := s.Expire(p.now); expired; _, expired = s.Expire(p.now) {
			}
		}
	case 5:
		id, value := socket.StreamID(p.IntN(4)), uint16(p.IntN(4))
		for _, s := range p.senders {
			require.NoError(p.t, s.SetStreamValue(id, value))
		}
	default:
		p.peer.window = uint32(p.IntN(20_000))
		sack := p.peer.sack()
		for _, s := range p.senders {
			_, err := s.Sack(p.now, sack)
			require.NoError(p.t, err)
		}
	}
	if p.IntN(4) > 0 {
		p.drain()
	}
	a, b := p.senders[0], p.senders[1]
	for _, s := range p.senders {
		requireConsistent(p.t, s)
	}
	for path := range PathID(pairPaths) {
		require.Equal(p.t, b.Path(path), a.Path(path))
	}
	atA, runsA := a.Deadline()
	atB, runsB := b.Deadline()
	require.Equal(p.t, atB, atA)
	require.Equal(p.t, runsB, runsA)
	require.Equal(p.t, b.Stats(), a.Stats())
	require.Equal(p.t, b.Writable(), a.Writable())
	require.Equal(p.t, b.buffered, a.buffered)
	require.Equal(p.t, b.queue.queued, a.queue.queued)
}

// send has both send a message. What the short way gives must be what the queue gives.
func (p *pair) send() {
	size := 1 + p.IntN(100)
	if p.IntN(4) == 0 {
		size = p.IntN(3000)
	}
	m := socket.Message{
		Stream: socket.StreamID(p.IntN(5)), PPID: socket.PPID(p.Uint32()), Unordered: p.IntN(4) == 0, Immediate: p.IntN(4) == 0,
		ZeroCopy: p.IntN(2) == 0, Data: [][]byte{bytes.Repeat([]byte{byte(p.Uint32())}, size)}, Owner: p.Uint64(),
	}
	if p.IntN(4) == 0 {
		m.Lifetime = time.Duration(1 + p.IntN(1<<25))
	}
	path, room := PathID(p.IntN(pairPaths)), rigChunk-p.IntN(100)
	if a := p.senders[0]; a.Idle() && p.senders[1].Idle() {
		if chunks, ok := a.Lone(nil, p.now, &m, path, room); ok {
			p.lone++
			b := p.senders[1]
			require.NoError(p.t, b.Queue(p.now, &m))
			p.same(chunks, b.Next(nil, p.now, path, room))
			require.Empty(p.t, b.Next(nil, p.now, path, room))
			return
		}
	}
	require.Equal(p.t, p.senders[1].Queue(p.now, &m), p.senders[0].Queue(p.now, &m))
}

// drain has both send what they can, and give back what they can.
func (p *pair) drain() {
	for path := range PathID(pairPaths) {
		for more := true; more; {
			a, b := p.senders[0].Next(nil, p.now, path, rigChunk), p.senders[1].Next(nil, p.now, path, rigChunk)
			p.same(a, b)
			more = len(a) > 0
		}
	}
	for {
		a, more := p.senders[0].NextRelease()
		b, _ := p.senders[1].NextRelease()
		require.Equal(p.t, b, a)
		if !more {
			return
		}
	}
}

// same compares chunks, some of which arrive.
func (p *pair) same(a, b []Chunk) {
	require.Len(p.t, a, len(b))
	for i := range a {
		x, y := received{a[i], payloadOf(&a[i])}, received{b[i], payloadOf(&b[i])}
		require.Equal(p.t, wireOf(&y.Chunk), wireOf(&x.Chunk))
		require.Equal(p.t, y.payload, x.payload)
		if p.IntN(10) > 0 {
			p.peer.receive(x)
		}
	}
}

func wireOf(c *Chunk) []byte { return wire.AppendPadding(c.AppendHeader(nil), c.Len()) }
