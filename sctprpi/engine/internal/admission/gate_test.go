package admission

import (
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// host is where strangers and peers are: they have its address in common.
var host = netip.MustParseAddr("192.0.2.1")

func from(port int) netip.AddrPort { return netip.AddrPortFrom(host, uint16(port)) }

// beginsWith is a packet whose first chunk is of a type.
func beginsWith(t wire.ChunkType) []byte {
	return append(make([]byte, wire.HeaderSize), byte(t), 0, 0, 4)
}

// admitted is how many of n packets are admitted at a time.
func admitted(g *Gate, now time.Duration, n int, source func(i int) netip.AddrPort, b []byte) (got int) {
	batch, ok := make([]packet.Datagram, 64), make([]bool, 64)
	for begin := 0; begin < n; begin += len(batch) {
		some := batch[:min(len(batch), n-begin)]
		for i := range some {
			some[i] = packet.Datagram{From: source(begin + i), Bytes: b}
		}
		g.Admit(now, some, ok)
		for i := range some {
			if ok[i] {
				got++
			}
		}
	}
	return got
}

const flood = 100_000

var kinds = []wire.ChunkType{wire.TypeInit, wire.TypeCookieEcho, wire.TypeHeartbeat, wire.TypeAbort, 77}

// A stranger that floods the socket uses up what is its own. One more on its host is heard, but for the case that both share a budget.
func TestAStrangerIsHeardBesideAFlood(t *testing.T) {
	for _, kind := range kinds {
		g := New(68)
		b := beginsWith(kind)
		same := func(int) netip.AddrPort { return from(1000) }
		assert.Equal(t, sourceMost, admitted(g, time.Second, flood, same, b))
		assert.EqualValues(t, flood-sourceMost, g.Refused())
		heard := 0
		for port := range 20 {
			heard += admitted(g, time.Second, 2, func(int) netip.AddrPort { return from(2000 + port) }, b)
		}
		assert.GreaterOrEqual(t, heard, 2*15)
		assert.Equal(t, sourceRate, admitted(g, 2*time.Second, flood, same, b), "a second later")
	}
}

// A flood of any number of sources is bounded, and concerns no peer: neither its data, nor the set-up of an association.
func TestAFloodDoesNotConcernPeers(t *testing.T) {
	for _, kind := range kinds {
		g := New(68)
		peer := func(int) netip.AddrPort { return from(1) }
		g.Know(from(1))
		many := func(i int) netip.AddrPort { return from(1000 + i%50_000) }
		got := admitted(g, time.Second, flood, many, beginsWith(kind))
		assert.LessOrEqual(t, got, strangersSpare+68*packetsToBeKnown)
		assert.Zero(t, admitted(g, time.Second, 10, func(int) netip.AddrPort { return from(999) }, beginsWith(kind)))
		assert.Equal(t, flood, admitted(g, time.Second, flood, peer, beginsWith(wire.TypeData)))
		assert.Equal(t, 2, admitted(g, time.Second, 2, peer, beginsWith(wire.TypeInit)))
	}
}

// What sets up an association is bounded from a peer too: its address may be forged.
func TestAPeersInitsAreBounded(t *testing.T) {
	for _, b := range [][]byte{beginsWith(wire.TypeInit), beginsWith(wire.TypeCookieEcho), {1, 2, 3}} {
		g := New(68)
		g.Know(from(1))
		assert.Equal(t, sourceMost, admitted(g, time.Second, flood, func(int) netip.AddrPort { return from(1) }, b))
		assert.Equal(t, 2, admitted(g, time.Second, 2, func(int) netip.AddrPort { return from(2) }, b), "those of others are not")
	}
}

// A flood from 1,600 ports, 215,000 packets a second, for five seconds. Most packets of one more stranger are lost in it, and none
// of an expected source. Nothing is kept of the flood.
func TestAnExpectedSourceIsHeardInAFlood(t *testing.T) {
	const ports, step, steps = 1600, 10 * time.Millisecond, 500
	expected, stranger, random := from(1), from(2), rand.New(rand.NewPCG(1, 2))
	for _, kind := range kinds {
		g := New(68)
		g.Expect(expected)
		b, heard, lost := beginsWith(kind), 0, 0
		for i := range steps {
			now := time.Second + time.Duration(i)*step
			admitted(g, now, 2_150, func(int) netip.AddrPort { return from(1000 + random.IntN(ports)) }, b)
			if i%20 == 0 { // as a peer does that sends its INIT chunk again and again
				heard += admitted(g, now, 1, func(int) netip.AddrPort { return expected }, b)
				lost += 1 - admitted(g, now, 1, func(int) netip.AddrPort { return stranger }, b)
			}
		}
		assert.Equal(t, steps/20, heard)
		assert.Greater(t, lost, steps/20/2)
		assert.Len(t, g.known, 1)
	}
}

// The address of an expected source may be forged: what that does concerns no other.
func TestWhatIsForgedConcernsOneExpectedSource(t *testing.T) {
	for _, kind := range kinds {
		g := New(68)
		g.Expect(from(1))
		g.Expect(from(2))
		b := beginsWith(kind)
		assert.Equal(t, sourceMost, admitted(g, time.Second, flood, func(int) netip.AddrPort { return from(1) }, b))
		assert.Equal(t, 2, admitted(g, time.Second, 2, func(int) netip.AddrPort { return from(2) }, b))
		assert.Equal(t, 2, admitted(g, time.Second, 2, func(int) netip.AddrPort { return from(3) }, b), "a stranger")
	}
}

// An expected source becomes a peer, and is still expected when its association has ended.
func TestAnExpectedSourceBecomesAPeer(t *testing.T) {
	g := New(68)
	data := func() int {
		return admitted(g, time.Second, flood, func(int) netip.AddrPort { return from(1) }, beginsWith(wire.TypeData))
	}
	g.Know(from(1))
	g.Expect(from(1))
	g.Expect(from(1))
	require.Equal(t, flood, data())
	g.Forget(from(1))
	require.Equal(t, sourceMost, data())
	require.Len(t, g.known, 1)
}

// The user is told of strangers that are refused, so that it can say which of them it expects, and of no others.
func TestRefusalsOfStrangersAreReported(t *testing.T) {
	g := New(68)
	g.Know(from(1))
	g.Expect(from(2))
	refuses := func(port int) bool {
		batch := make([]packet.Datagram, sourceMost+1)
		for i := range batch {
			batch[i] = packet.Datagram{From: from(port), Bytes: beginsWith(wire.TypeInit)}
		}
		return g.Admit(time.Second, batch, make([]bool, len(batch)))
	}
	assert.False(t, refuses(1))
	assert.False(t, refuses(2))
	assert.EqualValues(t, 2, g.Refused())
	assert.True(t, refuses(3))
}

// A source is a peer until it has been forgotten as often as it was made known: associations may share it.
func TestAPeerIsForgotten(t *testing.T) {
	g := New(68)
	data := func() int {
		return admitted(g, time.Second, flood, func(int) netip.AddrPort { return from(1) }, beginsWith(wire.TypeData))
	}
	g.Know(from(1))
	g.Know(from(1))
	g.Forget(from(1))
	require.Equal(t, flood, data())
	g.Forget(from(1))
	require.Equal(t, sourceMost, data())
	require.Empty(t, g.known)
}

// All members of a large job can contact one at the same time.
func TestAllMembersOfAJobAreHeardAtOnce(t *testing.T) {
	for _, size := range []int{2, 16, 1024, 8192} {
		g := New(2*size + 64)
		assert.Equal(t, 2*size, admitted(g, time.Second, 2*size, func(i int) netip.AddrPort { return from(1000 + i/2) }, beginsWith(wire.TypeInit)))
	}
}

func BenchmarkRefuse(b *testing.B) {
	g := New(68)
	batch, ok := make([]packet.Datagram, 128), make([]bool, 128)
	for i := range batch {
		batch[i] = packet.Datagram{From: from(1000 + i/64), Bytes: beginsWith(wire.TypeInit)}
	}
	b.ReportAllocs()
	for b.Loop() {
		g.Admit(time.Second, batch, ok)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(batch)), "ns/packet")
}
