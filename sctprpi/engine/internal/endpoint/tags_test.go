package endpoint

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// everyChunk has a chunk of each type, as a peer in ESTABLISHED could send it, and of
// unknown ones.
func (r *rig) everyChunk() map[string][]byte {
	bare := func(t wire.ChunkType) []byte { return []byte{byte(t), 0, 0, 4} }
	ack := r.offer
	ack.Params = ack.Params.AppendStateCookie(testCookie)
	forward := wire.ForwardTSN{CumulativeTSN: r.tsn + 10}
	iforward := wire.IForwardTSN{CumulativeTSN: r.tsn + 10}
	chunks := map[string][]byte{
		"DATA":              dataChunk(&wire.Data{Flags: 3, TSN: r.tsn}, "x"),
		"I-DATA":            append(wire.AppendIDataHeader(nil, &wire.IData{Flags: 3, TSN: r.tsn}, 4), "data"...),
		"INIT ACK":          wire.AppendInitAck(nil, &ack),
		"SACK":              sack(r.said.TSN-1, 0),
		"HEARTBEAT":         wire.AppendHeartbeat(nil, []byte("who is there")),
		"HEARTBEAT ACK":     wire.AppendHeartbeatAck(nil, make([]byte, 12)),
		"ABORT":             wire.AppendAbort(nil, false, nil),
		"ABORT T":           wire.AppendAbort(nil, true, nil),
		"SHUTDOWN":          wire.AppendShutdown(nil, r.said.TSN-1),
		"SHUTDOWN ACK":      wire.AppendShutdownAck(nil),
		"ERROR":             wire.AppendError(nil, wire.Causes(nil).AppendInvalidStream(1)),
		"stale cookie":      wire.AppendError(nil, wire.Causes(nil).AppendStaleCookie(1)),
		"COOKIE ECHO":       wire.AppendCookieEcho(nil, testCookie),
		"COOKIE ACK":        wire.AppendCookieAck(nil),
		"ECNE":              wire.AppendECNE(nil, r.said.TSN),
		"CWR":               wire.AppendCWR(nil, r.tsn-1),
		"SHUTDOWN COMPLETE": wire.AppendShutdownComplete(nil, false),
		"SHUTDOWN COMP T":   wire.AppendShutdownComplete(nil, true),
		"PAD":               wire.AppendPad(nil, 40),
		"FORWARD-TSN":       wire.AppendForwardTSN(nil, &forward),
		"I-FORWARD-TSN":     wire.AppendIForwardTSN(nil, &iforward),
		"RE-CONFIG":         bare(0x82),
	}
	for _, unknown := range []wire.ChunkType{0x3F, 0x7F, 0xBF, 0xFE} {
		chunks[unknown.String()] = bare(unknown)
	}
	return chunks
}

// Section 8.5: a packet without this end's tag is dropped silently, whatever is in it, in each
// state. If a blind attacker could do more it could end associations.
func TestWrongVerificationTagIsDroppedInSilence(t *testing.T) {
	states := map[string]func(t *testing.T) *rig{
		"COOKIE-WAIT": func(t *testing.T) *rig {
			r := newRig(t, socket.Config{})
			r.dial()
			return r
		},
		"COOKIE-ECHOED": func(t *testing.T) *rig {
			r := newRig(t, socket.Config{})
			r.dial()
			r.initAck()
			return r
		},
		"ESTABLISHED": func(t *testing.T) *rig { return newRig(t, socket.Config{}).accepted() },
		"SHUTDOWN-SENT": func(t *testing.T) *rig {
			r := newRig(t, socket.Config{}).accepted()
			require.NoError(t, r.Shutdown(r.now, r.assoc))
			r.run()
			return r
		},
		"SHUTDOWN-ACK-SENT": func(t *testing.T) *rig {
			r := newRig(t, socket.Config{}).accepted()
			r.say(wire.AppendShutdown(nil, r.said.TSN-1))
			return r
		},
	}
	for name, enter := range states {
		t.Run(name, func(t *testing.T) {
			r := enter(t)
			before := len(r.events)
			state := r.byID[r.assoc].State()
			for chunk, b := range r.everyChunk() {
				for _, tag := range []wire.VerificationTag{0, r.said.Tag + 1, r.said.Tag ^ 1<<31} {
					sent := r.give(r.from, r.pack(tag, b))
					if chunk == "SHUTDOWN ACK" && len(name) > 6 && name[:6] == "COOKIE" && tag != 0 {
						// Section 8.5.1, E: as if there were no association.
						assert.Equal(t, [][]wire.ChunkType{{wire.TypeShutdownComplete}}, typesOf(sent))
						continue
					}
					assert.Empty(t, sent, "%s tag %x", chunk, tag)
				}
			}
			assert.Len(t, r.events, before)
			assert.Equal(t, state, r.byID[r.assoc].State())
		})
	}
}

// Section 8.5: two associations with the same ports are told apart by their tags and
// addresses, and one peer cannot speak for the other.
func TestPeersCannotSpeakForEachOther(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	first, tag := r.from, r.said.Tag
	r.from = stranger
	r.offer.Tag++
	r.accepted()
	assert.Empty(t, r.give(stranger, r.pack(tag, wire.AppendAbort(nil, false, nil))))
	assert.Empty(t, r.give(stranger, r.pack(tag, r.data(0, 0, "false"))))
	assert.Equal(t, 2, r.Associations())
	assert.Len(t, r.events, 2)
	r.chunk(r.give(first, r.pack(tag, wire.AppendHeartbeat(nil, []byte("x")))), wire.TypeHeartbeatAck)
}

// Sections 3.3.7 and 8.5.1: nothing is taken of a packet but the ABORT that it begins with,
// neither where the ABORT is malformed nor where it has the tag of this end. The peer's tag
// with the T bit must not open the door for what comes behind.
func TestNothingBehindAnAbortCounts(t *testing.T) {
	malformed := func(flags byte) []byte { return []byte{byte(wire.TypeAbort), flags, 0, 8, 0, 12, 0, 99} }
	for name, c := range map[string]struct {
		abort []byte
		tag   func(r *rig) wire.VerificationTag
	}{
		"the peer's tag and the T bit": {malformed(1), func(r *rig) wire.VerificationTag { return r.offer.Tag }},
		"this end's tag":               {malformed(0), func(r *rig) wire.VerificationTag { return r.said.Tag }},
	} {
		r := newRig(t, socket.Config{}).accepted()
		for what, b := range r.everyChunk() {
			sent := r.give(r.from, r.pack(c.tag(r), c.abort, b))
			assert.Empty(t, sent, "%s, %s", name, what)
		}
		assert.Len(t, r.events, 1, name)
		assert.Equal(t, []socket.Kind{socket.Up}, r.happened(), name)
		r.chunk(r.say(r.data(0, 0, "unharmed")), wire.TypeSACK)
	}
}
