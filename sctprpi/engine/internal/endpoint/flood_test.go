package endpoint

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/heaptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// flooded gives the Endpoint as many packets as make is called for, and demands that
// they have cost no memory and changed nothing that the user sees.
func (r *rig) flooded(n int, make func(i int) []byte) (sent []sentPacket) {
	r.t.Helper()
	give := func() {
		for i := range n {
			d := r.datagram(r.from, make(i))
			r.Receive(r.now, &d)
			d.Buffer.Release()
		}
	}
	give()
	r.run()
	events, before := len(r.events), heaptest.InUse()
	give()
	sent = r.run()
	assert.Less(r.t, heaptest.InUse()-before, 256<<10)
	assert.Zero(r.t, r.pool.Lent())
	assert.Len(r.t, r.events, events)
	return sent
}

// Section 5.2.2: INIT chunks that come from the address of a peer leave its association as it is,
// and cost no more than those of other hosts.
func TestFloodOfInitsFromAPeersAddress(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	rng := random(1)
	sent := r.flooded(10_000, func(int) []byte {
		offer := r.offer
		offer.Tag = wire.VerificationTag(rng.Uint32() | 1)
		return r.pack(0, wire.AppendInit(nil, &offer))
	})
	assert.LessOrEqual(t, len(sent), maxReplies)
	r.chunk(r.say(r.data(0, 0, "still there")), wire.TypeSACK)
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())
	assert.Equal(t, 1, r.Associations())
}

// Section 8.4: so do packets out of the blue, each answered once at most.
func TestFloodOutOfTheBlue(t *testing.T) {
	r := newRig(t, socket.Config{})
	rng := random(2)
	beat := wire.AppendHeartbeat(nil, []byte("who is there"))
	sent := r.flooded(10_000, func(int) []byte { return r.pack(wire.VerificationTag(rng.Uint32()|1), beat) })
	assert.LessOrEqual(t, len(sent), maxReplies)
	r.gone()
}

// Sections 3.3.10 and 8.4: ERROR chunks are never answered, however many causes there
// are, known or not. That of a stale cookie counts while one is echoed only.
func TestFloodOfErrors(t *testing.T) {
	var causes wire.Causes
	for range 50 {
		causes = causes.AppendStaleCookie(time.Hour).AppendInvalidStream(9).AppendOutOfResource()
		causes = append(causes, 0x7F, 0xFF, 0, 4)
	}
	r := newRig(t, socket.Config{}).accepted()
	flood := r.pack(r.said.Tag, wire.AppendError(nil, causes))
	assert.Empty(t, r.flooded(10_000, func(int) []byte { return flood }))
	assert.Empty(t, r.say([]byte{byte(wire.TypeError), 0, 0, 8, 0, 3, 0, 200}), "a cause beyond the chunk")
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())
}

// RFC 6525: this end has not offered re-configuration, so that requests for it are
// passed over, without an answer, as the type of the chunk says (section 3.2).
func TestFloodOfReconfigurations(t *testing.T) {
	r := newRig(t, socket.Config{})
	const typeReconfig wire.ChunkType = 0x82 // RFC 6525, section 3.1
	r.offer.Params = r.offer.Params.AppendSupportedExtensions(wire.NumbersOf(typeReconfig))
	r.accepted()
	var requests []byte
	for _, p := range []wire.ParamType{13, 14, 15, 16, 17, 18} {
		requests = append(requests, param(p, 0, 0, 0, 1, 0, 0, 0, 2, 255, 255, 255, 255)...)
	}
	chunk := append([]byte{byte(typeReconfig), 0, 0, byte(4 + len(requests))}, requests...)
	assert.Empty(t, r.flooded(10_000, func(int) []byte { return r.pack(r.said.Tag, chunk, chunk) }))
	status, err := r.Status(r.assoc)
	require.NoError(t, err)
	assert.Equal(t, 10, status.Inbound, "no stream has been added")
	r.say(chunk, r.data(9, 0, "after"))
	assert.Equal(t, "after", string(r.lastEvent().Payload))
}

// Section 5.2.4, D: one cookie makes one association, however often it comes, and is
// answered with a packet each time.
func TestFloodOfOneCookie(t *testing.T) {
	r := newRig(t, socket.Config{})
	echo := wire.AppendCookieEcho(nil, r.cookie())
	r.say(echo)
	r.isUp()
	r.say(r.data(0, 0, "first")) // acknowledged
	sent := r.flooded(10_000, func(int) []byte { return r.pack(r.said.Tag, echo) })
	assert.Equal(t, [][]wire.ChunkType{{wire.TypeCookieAck}}, typesOf(sent), "those that wait are one")
	assert.Equal(t, 1, r.Associations())
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())
}

// Section 6.2: TSNs that have been here are acknowledged again and otherwise dropped.
func TestFloodOfDuplicates(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	first := r.data(0, 0, "once")
	r.say(first)
	sent := r.flooded(10_000, func(int) []byte { return r.pack(r.said.Tag, first, first, first) })
	s, sacks := r.sacked(sent)
	assert.Equal(t, 1, sacks)
	assert.Equal(t, r.tsn-1, s.CumulativeTSN)
	assert.Equal(t, "once", string(r.lastEvent().Payload))
}
