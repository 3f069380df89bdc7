package endpoint

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/assoc"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Section 9.2: SHUTDOWN ACK and SHUTDOWN COMPLETE end nothing that has data outstanding
// or that nobody has begun to end.
func TestShutdownAnswersThatNobodyAskedFor(t *testing.T) {
	for name, enter := range map[string]func(r *rig){
		"ESTABLISHED":       func(r *rig) { r.send(lent(0, "outstanding")) },
		"SHUTDOWN-PENDING":  func(r *rig) { r.send(lent(0, "outstanding")); r.shutdown() },
		"SHUTDOWN-RECEIVED": func(r *rig) { r.send(lent(0, "outstanding")); r.say(wire.AppendShutdown(nil, r.said.TSN-1)) },
	} {
		r := newRig(t, socket.Config{}).accepted()
		enter(r)
		state := r.byID[r.assoc].State()
		require.Equal(t, name, state.String())
		assert.Empty(t, r.say(wire.AppendShutdownAck(nil)), name)
		assert.Empty(t, r.say(wire.AppendShutdownComplete(nil, false)), name)
		assert.Empty(t, r.give(r.from, r.pack(r.offer.Tag, wire.AppendShutdownComplete(nil, true))), name)
		assert.Equal(t, state, r.byID[r.assoc].State(), name)
		assert.NotContains(t, r.happened(), socket.Released, name)
	}
}

// Section 9.2: in SHUTDOWN-RECEIVED the user's wish to end sends no SHUTDOWN chunk.
func TestShutdownInShutdownReceived(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	r.send(lent(0, "outstanding"))
	r.say(wire.AppendShutdown(nil, r.said.TSN-1))
	assert.Empty(t, r.shutdown())
	assert.Equal(t, assoc.ShutdownReceived, r.byID[r.assoc].State())
	assert.Equal(t, [][]wire.ChunkType{{wire.TypeShutdownAck}}, typesOf(r.say(sack(r.said.TSN, 1<<20))))
}

// Section 9.2: whoever has sent SHUTDOWN has no more data to send. What comes after
// SHUTDOWN ACK is dropped.
func TestDataInShutdownAckSent(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	r.chunk(r.say(wire.AppendShutdown(nil, r.said.TSN-1)), wire.TypeShutdownAck)
	seen := len(r.events)
	forward := wire.ForwardTSN{CumulativeTSN: r.tsn + 5}
	assert.Empty(t, r.say(r.data(0, 0, "late"), r.data(99, 0, "late"), wire.AppendForwardTSN(nil, &forward)))
	assert.Len(t, r.events, seen)
	assert.Zero(t, r.pool.Lent())
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
