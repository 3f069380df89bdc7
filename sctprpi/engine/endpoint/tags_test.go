package endpoint

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"
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
		"ECNE":              wire.AppendECNE(nil, 1),
		"CWR":               wire.AppendCWR(nil, 1),
		"SHUTDOWN COMPLETE": wire.AppendShutdownComplete(nil, false),
		"SHUTDOWN COMP T":   wire.AppendShutdownComplete(nil, true),
		"PAD":               wire.AppendPad(nil, 40),
		"FORWARD-TSN":       wire.AppendForwardTSN(nil, &forward),
		"I-FORWARD-TSN":     wire.AppendIForwardTSN(nil, &iforward),
		"RE-CONFIG":         bare(wire.TypeReconfig),
	}
	for _, unknown := range []wire.ChunkType{0x3F, 0x7F, 0xBF, 0xFE} {
		chunks[unknown.String()] = bare(unknown)
	}
	return chunks
}

// Section 8.5: a packet with another tag than this end's is dropped in silence,
// whatever is in it, in each state. A blind attacker who can do more can kill.
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

// Section 8.5.1, B: an ABORT counts with this end's tag, or with the peer's and the T
// bit, from the peer's address.
func TestWhichAbortCounts(t *testing.T) {
	for name, c := range map[string]struct {
		reflected bool
		tag       func(r *rig) wire.VerificationTag
		stranger  bool
		counts    bool
	}{
		"own tag":                  {false, func(r *rig) wire.VerificationTag { return r.said.Tag }, false, true},
		"reflected":                {true, func(r *rig) wire.VerificationTag { return r.offer.Tag }, false, true},
		"own tag with T":           {true, func(r *rig) wire.VerificationTag { return r.said.Tag }, false, false},
		"peer's tag without T":     {false, func(r *rig) wire.VerificationTag { return r.offer.Tag }, false, false},
		"reflected by a stranger":  {true, func(r *rig) wire.VerificationTag { return r.offer.Tag }, true, false},
		"wrong":                    {false, func(r *rig) wire.VerificationTag { return 5 }, false, false},
		"wrong with T":             {true, func(r *rig) wire.VerificationTag { return 5 }, false, false},
		"tag 0 with T":             {true, func(r *rig) wire.VerificationTag { return 0 }, false, false},
		"own tag of another place": {false, func(r *rig) wire.VerificationTag { return r.said.Tag }, true, false},
	} {
		r := newRig(t, socket.Config{}).accepted()
		from := r.from
		if c.stranger {
			from = stranger
		}
		assert.Empty(t, r.give(from, r.pack(c.tag(r), wire.AppendAbort(nil, c.reflected, nil))), name)
		if c.counts {
			assert.Equal(t, []socket.Kind{socket.Up, socket.Aborted}, r.happened(), name)
			r.gone()
		} else {
			assert.Equal(t, []socket.Kind{socket.Up}, r.happened(), name)
		}
	}
}

// In COOKIE-WAIT the peer has no tag yet: 0 with the T bit does not stand for it.
func TestReflectedAbortBeforeThePeersTagIsKnown(t *testing.T) {
	r := newRig(t, socket.Config{})
	r.dial()
	assert.Empty(t, r.give(r.from, r.pack(0, wire.AppendAbort(nil, true, nil))))
	assert.Empty(t, r.events)
}

// Section 8.5.1, C: SHUTDOWN COMPLETE counts in SHUTDOWN-ACK-SENT only.
func TestWhichShutdownCompleteCounts(t *testing.T) {
	for _, reflected := range []bool{false, true} {
		r := newRig(t, socket.Config{}).accepted()
		tag := r.said.Tag
		if reflected {
			tag = r.offer.Tag
		}
		complete := r.pack(tag, wire.AppendShutdownComplete(nil, reflected))
		assert.Empty(t, r.give(r.from, complete))
		assert.Equal(t, []socket.Kind{socket.Up}, r.happened())
		r.say(wire.AppendShutdown(nil, r.said.TSN-1))
		assert.Empty(t, r.give(r.from, complete))
		assert.Equal(t, []socket.Kind{socket.Up, socket.PeerShutdown, socket.Closed}, r.happened())
		r.gone()
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

// Section 8.5.1: the T bit is for the first chunk of a packet with the peer's tag; behind
// others, in a packet with this end's, it makes an ABORT count for nothing.
func TestReflectedAbortBehindOtherChunksDoesNotCount(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	r.chunk(r.say(wire.AppendHeartbeat(nil, []byte("x")), wire.AppendAbort(nil, true, nil)), wire.TypeHeartbeatAck)
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())
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
