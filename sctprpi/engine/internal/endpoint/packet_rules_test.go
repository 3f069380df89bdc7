package endpoint

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Section 3.2: a chunk of an unknown type is skipped, or the rest of the packet with
// it, and reported, or not, as its two highest bits say.
func TestUnknownChunks(t *testing.T) {
	for _, c := range []struct {
		wire.ChunkType
		stops, reported bool
	}{{0x3F, true, false}, {0x7F, true, true}, {0xBF, false, false}, {0xFE, false, true}} {
		r := newRig(t, socket.Config{}).accepted()
		unknown := []byte{byte(c.ChunkType), 7, 0, 6, 1, 2, 0, 0}
		sent := r.say(unknown, r.data(0, 0, "after"))
		assert.Equal(t, c.stops, r.lastEvent().Kind == socket.Up, "type %x", byte(c.ChunkType))
		if c.reported {
			require.Equal(t, []wire.CauseCode{wire.CauseUnrecognizedChunk}, r.causes(sent, wire.TypeError))
			assert.True(t, bytes.Contains(r.chunk(sent, wire.TypeError).Bytes(), unknown[:6]))
		} else {
			for _, p := range sent {
				assert.NotContains(t, p.types(), wire.TypeError)
			}
		}
	}
}

// Section 6.10: what comes before a chunk that reaches beyond the packet, or is shorter
// than its own header, counts; the rest is dropped. Stacks have looped there for ever.
func TestPartialChunkAtThePacketsEnd(t *testing.T) {
	for name, tail := range map[string][]byte{
		"zero length": {0, 3, 0, 0}, "length 3": {3, 0, 0, 3}, "beyond": {0, 3, 0, 20, 1, 2, 3, 4},
		"half a header": {0, 3}, "one byte": {0}, "abort beyond": {6, 0, 0, 200},
	} {
		r := newRig(t, socket.Config{}).accepted()
		r.chunk(r.say(r.data(0, 0, "good"), tail), wire.TypeSACK)
		assert.Equal(t, "good", string(r.lastEvent().Payload), name)
		assert.Equal(t, []socket.Kind{socket.Up}, r.happened(), name)
	}
}

// The padding of the last chunk may be missing (section 3.2).
func TestPacketWithoutFinalPadding(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	b := r.data(0, 0, "five5")
	r.say(b[:len(b)-3])
	assert.Equal(t, "five5", string(r.lastEvent().Payload))
}

// Section 6.10: small messages share packets, and no packet is larger than the path's
// MTU allows.
func TestSmallMessagesAreBundled(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	var messages []socket.Message
	for range 100 {
		messages = append(messages, text(0, strings.Repeat("x", 50)))
	}
	sent := r.send(messages...)
	assert.Less(t, len(sent), 10)
	for _, p := range sent {
		assert.LessOrEqual(t, len(p.raw), 1200-28)
		for _, c := range p.chunks {
			assert.Contains(t, []wire.ChunkType{wire.TypeData, wire.TypeSACK}, c.Type)
		}
	}
}

// Section 8.3: HEARTBEAT is answered with what is in it, as far as a packet on any path
// can carry that, and as many as fit one packet.
func TestHeartbeatIsAnswered(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	info := []byte(strings.Repeat("i", 900))
	got, err := wire.ParseHeartbeatAck(r.chunk(r.say(wire.AppendHeartbeat(nil, info)), wire.TypeHeartbeatAck))
	require.NoError(t, err)
	assert.Equal(t, info, got)
	assert.Empty(t, r.say(wire.AppendHeartbeat(nil, make([]byte, 5000))))
	var many []byte
	for range 500 {
		many = wire.AppendHeartbeat(many, []byte("more"))
	}
	sent := r.say(many)
	require.Len(t, sent, 1)
	assert.LessOrEqual(t, len(sent[0].raw), 1200-28)
}

// Section 6.8: a packet with a wrong checksum is dropped silently, wherever it comes from.
func TestWrongChecksum(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	good := r.pack(r.said.Tag, wire.AppendAbort(nil, false, nil))
	for i := range good {
		for bit := range 8 {
			bad := append([]byte(nil), good...)
			bad[i] ^= 1 << bit
			require.Empty(t, r.give(r.from, bad))
		}
	}
	assert.EqualValues(t, 8*len(good), r.Stats().Unchecked)
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())
	none := append([]byte(nil), good...)
	clear(none[8:12])
	assert.Empty(t, r.give(r.from, none), "RFC 9653 has not been agreed on")
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())
}
