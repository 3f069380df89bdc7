package endpoint

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func netipPort(a netip.AddrPort, port uint16) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr(), port)
}

// Section 8.4: what is answered with ABORT, with SHUTDOWN COMPLETE, and not at all.
func TestOutOfTheBlue(t *testing.T) {
	r := newRig(t, socket.Config{})
	for name, b := range r.everyChunk() {
		sent := r.give(r.from, r.pack(77, b))
		switch name {
		case "ABORT", "ABORT T", "SHUTDOWN COMPLETE", "SHUTDOWN COMP T", "COOKIE ACK", "INIT ACK", "stale cookie", "COOKIE ECHO":
			assert.Empty(t, sent, name)
			continue
		case "SHUTDOWN ACK":
			require.Equal(t, [][]wire.ChunkType{{wire.TypeShutdownComplete}}, typesOf(sent), name)
		default:
			require.Equal(t, [][]wire.ChunkType{{wire.TypeAbort}}, typesOf(sent), name)
		}
		assert.True(t, sent[0].chunks[0].Reflected(), name)
		assert.EqualValues(t, 77, sent[0].Tag, "%s: the tag is the packet's", name)
		assert.EqualValues(t, r.port, sent[0].DestinationPort)
		assert.EqualValues(t, rigPort, sent[0].SourcePort)
	}
	r.gone()
}

// Section 8.4, rule 2, and 6.10: an ABORT is never answered, wherever it stands.
func TestAbortIsNeverAnswered(t *testing.T) {
	r := newRig(t, socket.Config{})
	assert.Empty(t, r.give(r.from, r.pack(77, r.data(0, 0, "x"), wire.AppendAbort(nil, false, nil))))
	assert.Empty(t, r.give(r.from, r.pack(77, wire.AppendShutdownAck(nil), wire.AppendAbort(nil, true, nil))))
	r.accepted()
	assert.Empty(t, r.say(wire.AppendAbort(nil, false, wire.Causes(nil).AppendOutOfResource())))
	assert.Empty(t, r.advance(time.Hour))
	r.gone()
	// One that is malformed is dropped.
	r.accepted()
	assert.Empty(t, r.say([]byte{byte(wire.TypeAbort), 0, 0, 8, 0, 12, 0, 99}))
	assert.Equal(t, socket.Up, r.lastEvent().Kind)
}

// An attacker cannot use this endpoint to send more bytes than the attacker sends. The one
// exception is the cookie of an INIT ACK, which has to be larger than an INIT.
func TestAnswersAreNoLargerThanWhatTheyAnswer(t *testing.T) {
	r := newRig(t, socket.Config{})
	for name, b := range r.everyChunk() {
		in := r.pack(77, b)
		for _, p := range r.give(r.from, in) {
			assert.LessOrEqual(t, len(p.raw), len(in), name)
		}
	}
	init := r.pack(0, wire.AppendInit(nil, &r.offer))
	ack := r.give(r.from, init)
	require.Len(t, ack, 1)
	t.Logf("INIT of %d bytes, INIT ACK of %d: %.1f times", len(init), len(ack[0].raw), float64(len(ack[0].raw))/float64(len(init)))
	assert.LessOrEqual(t, len(ack[0].raw), 5*len(init))
	most := len(ack[0].raw)

	// A refusal is smaller than the INIT ACK would have been.
	for _, params := range []wire.Params{{0, 5, 0, 0}, {0, 5, 0, 9}, param(wire.ParamHostName, 'a', 0), param(wire.ParamIPv4Address, 1)} {
		r.offer.Params = params
		for _, p := range r.init() {
			assert.LessOrEqual(t, len(p.raw), most)
		}
	}

	// Nor with an association: a peer that is one gets at most one packet for one.
	r = newRig(t, socket.Config{}).accepted()
	r.now += time.Minute
	for name, b := range map[string][]byte{
		"DATA": r.data(0, 0, "x"), "HEARTBEAT": wire.AppendHeartbeat(nil, make([]byte, 900)),
		"unknown": {0xFE, 0, 0, 4}, "stream": dataChunk(&wire.Data{Flags: 3, TSN: r.tsn, Stream: 9999}, "x"),
	} {
		assert.LessOrEqual(t, len(r.say(b)), 1, name)
	}
}

// A packet that cannot be parsed belongs to no association.
func TestRubbishIsDropped(t *testing.T) {
	r := newRig(t, socket.Config{})
	for _, b := range [][]byte{{}, {1}, make([]byte, 11), make([]byte, 12), make([]byte, 15), make([]byte, 16), make([]byte, 1500)} {
		if len(b) >= wire.HeaderSize {
			wire.SetChecksum(b)
		}
		assert.Empty(t, r.give(r.from, b))
	}
	// Zero-length, short and partial first chunks.
	for _, chunk := range [][]byte{{0, 3, 0, 0}, {0, 3, 0, 3}, {0, 3, 0, 5}, {3, 0, 255, 255}} {
		assert.Empty(t, r.give(r.from, r.pack(77, chunk)))
	}
	r.gone()
}

// Section 8.4: no answer is answered. Otherwise an attacker could make two endpoints, or one and
// itself, send to each other without end.
func TestAnswersAreNotAnswered(t *testing.T) {
	r := newRig(t, socket.Config{})
	r.port, r.from = rigPort, netip.AddrPortFrom(rigAddr, 9899)
	chunks := r.everyChunk()
	chunks["INIT"] = wire.AppendInit(nil, &r.offer)
	for name, b := range chunks {
		tag := wire.VerificationTag(77)
		if name == "INIT" {
			tag = 0
		}
		for _, p := range r.give(r.from, r.pack(tag, b)) {
			require.Equal(t, r.from, p.to)
			assert.Empty(t, r.give(r.from, p.raw), name)
		}
	}
	r.gone()
}
