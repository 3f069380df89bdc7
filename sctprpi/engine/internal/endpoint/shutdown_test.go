package endpoint

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// shutdown has the Endpoint's user end the association, and returns the packets.
func (r *rig) shutdown() []sentPacket {
	r.t.Helper()
	require.NoError(r.t, r.Shutdown(r.now, r.assoc))
	return r.run()
}

// Section 9.2: when both ends shut down at once, what both have sent arrives.
func TestBothEndsShutDown(t *testing.T) {
	p := newPair(t, socket.Config{Heartbeat: -1})
	id := p.connect()
	p.send(p.a, id, text(0, "from a"))
	p.send(p.b, p.seenB[0].Assoc, text(0, "from b"))
	p.a.do(func(now time.Duration) { require.NoError(t, p.a.Shutdown(now, id)) })
	p.b.do(func(now time.Duration) { require.NoError(t, p.b.Shutdown(now, p.seenB[0].Assoc)) })
	p.until("all ends", p.net.Idle)
	assert.Equal(t, socket.Closed, p.seenA[len(p.seenA)-1].Kind)
	assert.Equal(t, socket.Closed, p.seenB[len(p.seenB)-1].Kind)
	assert.Equal(t, []string{"from a"}, p.dataB)
	assert.Equal(t, []string{"from b"}, p.dataA)
	p.gone()
}

// Shutdown before the association is up takes effect when it is, after what was sent.
func TestShutdownBeforeUp(t *testing.T) {
	p := newPair(t, socket.Config{Heartbeat: -1})
	p.a.do(func(now time.Duration) {
		id, err := p.a.Connect(now, p.b.addr()...)
		require.NoError(t, err)
		_, err = p.a.Send(now, id, []socket.Message{text(0, "only this")})
		require.NoError(t, err)
		require.NoError(t, p.a.Shutdown(now, id))
		_, err = p.a.Send(now, id, []socket.Message{text(0, "too late")})
		require.ErrorIs(t, err, socket.ErrShutdown)
	})
	p.until("all ends", p.net.Idle)
	assert.Equal(t, []string{"only this"}, p.dataB)
	assert.Equal(t, []socket.Kind{socket.Up, socket.Closed}, kinds(p.seenA))
	assert.Equal(t, []socket.Kind{socket.Up, socket.PeerShutdown, socket.Closed}, kinds(p.seenB))
	p.gone()
}

// Section 9.2: a peer may say SHUTDOWN as often as it likes before all has been
// acknowledged; this end says SHUTDOWN ACK when it has been.
func TestFloodOfShutdownsWithDataOutstanding(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	r.send(lent(0, "outstanding"))
	shutdown := r.pack(r.said.Tag, wire.AppendShutdown(nil, r.said.TSN-1))
	assert.Empty(t, r.flooded(10_000, func(int) []byte { return shutdown }))
	assert.Equal(t, []socket.Kind{socket.Up, socket.PeerShutdown}, r.happened())
	// Then each is answered, with one packet for all that come at once.
	assert.Equal(t, [][]wire.ChunkType{{wire.TypeShutdownAck}}, typesOf(r.say(sack(r.said.TSN, 1<<20))))
	var many [][]byte
	for range 100 {
		many = append(many, wire.AppendShutdown(nil, r.said.TSN))
	}
	assert.Len(t, r.say(many...), 1)
}
