package endpoint

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// firstTypeOf returns what a packet begins with.
func firstTypeOf(b []byte) wire.ChunkType { return wire.ChunkType(b[wire.HeaderSize]) }

// carries reports whether a packet has a chunk of a type.
func carries(b []byte, t wire.ChunkType) bool {
	p, err := wire.ParsePacket(b)
	if err != nil {
		return false
	}
	for c := range p.Chunks() {
		if c.Type == t {
			return true
		}
	}
	return false
}

// lose has the first n of a host's packets with a chunk of a type be lost.
func (h *host) lose(t wire.ChunkType, n int) {
	h.filter = func(b []byte) bool {
		if n > 0 && carries(b, t) {
			n--
			return false
		}
		return true
	}
}

// Section 5.1.6: whichever packet of the handshake is lost, once or more often, there
// is one association in the end, and what was sent before it was up arrives.
func TestHandshakeSurvivesTheLossOfEachPacket(t *testing.T) {
	for _, lost := range []wire.ChunkType{wire.TypeInit, wire.TypeInitAck, wire.TypeCookieEcho, wire.TypeCookieAck} {
		for n := range 4 {
			p := newPair(t, socket.Config{Heartbeat: -1})
			loser := p.a
			if lost == wire.TypeInitAck || lost == wire.TypeCookieAck {
				loser = p.b
			}
			loser.lose(lost, n)
			p.a.do(func(now time.Duration) {
				id, err := p.a.Connect(now, p.b.addr()...)
				require.NoError(t, err)
				_, err = p.a.Send(now, id, []socket.Message{text(0, "early"), text(1, "birds")})
				require.NoError(t, err)
			})
			p.until("early messages arrive", func() bool { return len(p.dataB) == 2 })
			p.until("both are up", func() bool { return len(p.seenA) == 1 && len(p.seenB) == 1 })
			assert.Equal(t, []socket.Kind{socket.Up}, kinds(p.seenA))
			assert.Equal(t, []socket.Kind{socket.Up}, kinds(p.seenB))
			p.send(p.b, p.seenB[0].Assoc, text(0, "and back"))
			p.until("an answer arrives", func() bool { return len(p.dataA) == 1 })
			assert.Equal(t, 1, p.a.Associations())
			assert.Equal(t, 1, p.b.Associations())
		}
	}
}

// Section 9.2: the shutdown ends on both sides whichever of its packets is lost, T2
// seeing to that, and everything sent before arrives.
func TestShutdownSurvivesTheLossOfEachPacket(t *testing.T) {
	for _, lost := range []wire.ChunkType{wire.TypeShutdown, wire.TypeShutdownAck, wire.TypeShutdownComplete} {
		for n := range 4 {
			p := newPair(t, socket.Config{Heartbeat: -1})
			id := p.connect()
			loser := p.a
			if lost == wire.TypeShutdownAck {
				loser = p.b
			}
			loser.lose(lost, n)
			p.send(p.a, id, text(0, "last words"))
			p.a.do(func(now time.Duration) { require.NoError(t, p.a.Shutdown(now, id)) })
			p.until("all ends", p.net.Idle)
			assert.Equal(t, []string{"last words"}, p.dataB)
			assert.Equal(t, []socket.Kind{socket.Up, socket.Closed}, kinds(p.seenA), "%v lost %d times", lost, n)
			assert.Equal(t, []socket.Kind{socket.Up, socket.PeerShutdown, socket.Closed}, kinds(p.seenB))
			p.gone()
		}
	}
}

// gone demands that neither host has anything left.
func (p *pair) gone() {
	p.t.Helper()
	for _, h := range []*host{p.a, p.b} {
		require.Zero(p.t, h.Associations())
		require.Empty(p.t, h.byTag)
		require.Empty(p.t, h.byPeer)
		require.Empty(p.t, h.timers)
		require.Zero(p.t, h.pool.Lent())
	}
}
