package endpoint

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"
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

// Section 6.10: INIT, INIT ACK and SHUTDOWN COMPLETE are alone in their packets; where
// they are not they are dropped with what follows.
func TestChunksThatMustBeAlone(t *testing.T) {
	r := newRig(t, socket.Config{})
	r.dial()
	ack := r.offer
	ack.Params = ack.Params.AppendStateCookie(testCookie)
	assert.Empty(t, r.say(wire.AppendInitAck(nil, &ack), wire.AppendCookieAck(nil)))
	r = newRig(t, socket.Config{}).accepted()
	r.say(wire.AppendShutdown(nil, r.said.TSN-1))
	assert.Empty(t, r.say(wire.AppendShutdownComplete(nil, false), wire.AppendCookieAck(nil)))
	assert.Empty(t, r.say(wire.AppendCookieAck(nil), wire.AppendShutdownComplete(nil, false)))
	assert.Equal(t, socket.PeerShutdown, r.lastEvent().Kind)
}

// An association whose end comes in the middle of a packet does not look at the rest.
func TestNothingCountsAfterAnAbort(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	sent := r.say(r.data(0, 0, "before"), wire.AppendAbort(nil, false, nil), r.data(0, 1, "after"), wire.AppendShutdown(nil, 0))
	assert.Empty(t, sent)
	require.Len(t, r.events, 3)
	assert.Equal(t, "before", string(r.events[1].Payload))
	assert.Equal(t, socket.Aborted, r.events[2].Kind)
	r.gone()
}

// COOKIE ECHO and INIT count only where they come first.
func TestCookieEchoThatIsNotFirst(t *testing.T) {
	r := newRig(t, socket.Config{})
	echo := wire.AppendCookieEcho(nil, r.cookie())
	r.chunk(r.say(wire.AppendHeartbeat(nil, nil), echo), wire.TypeAbort)
	r.gone()
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

// Section 6.10: control chunks go before DATA, in one packet with it.
func TestSackGoesAlongWithData(t *testing.T) {
	r := newRig(t, socket.Config{AckEvery: 10}).accepted()
	r.say(r.data(0, 0, "first")) // acknowledged at once
	assert.Empty(t, r.say(r.data(0, 1, "request")), "the acknowledgement waits")
	sent := r.send(text(0, "response"))
	assert.Equal(t, [][]wire.ChunkType{{wire.TypeSACK, wire.TypeData}}, typesOf(sent))
	_, sacks := r.sacked(r.advance(100 * time.Millisecond))
	assert.Zero(t, sacks)
}

// Section 6.2: a SACK for every second packet at least, within AckDelay, at once for
// what is out of order, a duplicate, or asks for it.
func TestWhenAcknowledgementsAreSent(t *testing.T) {
	r := newRig(t, socket.Config{AckDelay: 50 * time.Millisecond}).accepted()
	count := func(packets []sentPacket) int { _, n := r.sacked(packets); return n }
	assert.Equal(t, 1, count(r.say(r.data(0, 0, "the first"))))
	assert.Equal(t, 0, count(r.say(r.data(0, 1, "odd"))))
	assert.Equal(t, 1, count(r.say(r.data(0, 2, "even"))))
	assert.Equal(t, 0, count(r.say(r.data(0, 3, "odd"))))
	assert.Equal(t, 0, count(r.advance(49*time.Millisecond)))
	assert.Equal(t, 1, count(r.advance(time.Millisecond)))
	assert.Equal(t, 1, count(r.say(r.piece(begin|end|wire.FlagImmediate, 0, 4, "now"))))
	r.tsn--
	assert.Equal(t, 1, count(r.say(r.data(0, 4, "again"))))
	r.tsn++
	assert.Equal(t, 1, count(r.say(r.data(0, 6, "out of order"))))
	r.tsn -= 2
	assert.Equal(t, 1, count(r.say(r.data(0, 5, "fills the gap"))))
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

// Section 6.8: a packet whose checksum is wrong is dropped in silence, whoever sent it.
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
