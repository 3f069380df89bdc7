package endpoint

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/heaptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// limited returns an association in which each end lets the other have so much unread of
// each stream.
func limited(t *testing.T, here, there int) *rig {
	r := newRig(t, socket.Config{Streams: 10, StreamLimit: here, Heartbeat: -1})
	r.offer.Params = r.offer.Params.AppendStreamLimit(wire.StreamLimit{Bytes: uint32(there)})
	return r.accepted()
}

func offsets(pairs ...uint32) (l wire.StreamOffsets) {
	for i := 0; i < len(pairs); i += 2 {
		l = l.Append(wire.StreamOffset{Stream: socket.StreamID(pairs[i]), Offset: pairs[i+1]})
	}
	return l
}

func creditOf(pairs ...uint32) []byte { return wire.AppendStreamCredit(nil, offsets(pairs...)) }

func blockedOf(pairs ...uint32) []byte { return wire.AppendStreamBlocked(nil, offsets(pairs...)) }

// What the peer says of a stream is taken if it can be, and ends the association if not.
func TestStreamCreditThatCannotBeEndsTheAssociation(t *testing.T) {
	for name, c := range map[string]struct {
		chunk []byte
		good  bool
	}{
		"all that was sent":               {creditOf(1, 1000), true},
		"nothing":                         {creditOf(1, 0), true},
		"nothing of a stream not used":    {creditOf(2, 0), true},
		"long overtaken":                  {creditOf(1, 1<<31), true},
		"twice":                           {creditOf(1, 1000, 1, 1000), true},
		"more than was sent":              {creditOf(1, 1001), false},
		"far more":                        {creditOf(1, 1<<31-1), false},
		"of a stream not used":            {creditOf(2, 1), false},
		"of a stream that does not exist": {creditOf(10, 0), false},
		"of the highest stream":           {creditOf(1, 1000, 65_535, 0), false},
		"no stream":                       {wire.AppendStreamCredit(nil, nil), false},
		"half a stream":                   {[]byte{byte(wire.TypeStreamCredit), 0, 0, 8, 0, 1, 0, 0}, false},
		"waits for what it was not told":  {blockedOf(1, 1), false},
		"waits on a stream not used":      {blockedOf(2, 0), true},
		"waits where there is no stream":  {blockedOf(10, 0), false},
		"waits on no stream":              {wire.AppendStreamBlocked(nil, nil), false},
	} {
		r := limited(t, 1000, 1000)
		x := strings.Repeat("x", 1000)
		r.send(text(1, x))
		r.send(text(1, x[:500]))
		r.say(sack(r.said.TSN, 1<<20))
		sent := r.say(c.chunk)
		if c.good {
			assert.Equal(t, []socket.Kind{socket.Up}, r.happened(), name)
			continue
		}
		assert.Equal(t, []wire.CauseCode{wire.CauseProtocolViolation}, r.causes(sent, wire.TypeAbort), name)
		assert.Equal(t, socket.Aborted, r.lastEvent().Kind, name)
		r.gone()
	}
}

// To an end that has not agreed to the extension its chunks are unknown: they are skipped
// in silence, whatever they say.
func TestStreamCreditWithoutAgreementIsIgnored(t *testing.T) {
	r := newRig(t, socket.Config{StreamLimit: 1000}).accepted()
	for p := range r.said.Params.All() {
		assert.NotEqual(t, wire.ParamStreamLimit, p.Type, "not in answer to a peer that does not know it")
	}
	r.send(text(1, "x"))
	for _, chunk := range [][]byte{creditOf(1, 5), creditOf(700, 1), blockedOf(9, 9), wire.AppendStreamCredit(nil, nil)} {
		assert.Empty(t, r.say(chunk))
	}
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())
	assert.NotEmpty(t, r.say(sack(r.said.TSN, 1<<20), r.data(0, 0, "y")), "what follows counts")
}

// A parameter that is malformed is no offer.
func TestMalformedStreamLimitIsNoOffer(t *testing.T) {
	r := newRig(t, socket.Config{})
	r.offer.Params = param(wire.ParamStreamLimit, 1, 2)
	r.accepted()
	x := strings.Repeat("x", 1000)
	assert.Len(t, r.send(text(1, x), text(1, x)), 2)
}

// However often a peer asks, about however many streams: an answer to a packet takes less
// than it, nothing is told that it knows, and nothing grows.
func TestFloodOfQuestionsAboutStreams(t *testing.T) {
	r := limited(t, 1<<20, 1000)
	var all []uint32
	for id := range uint32(10) {
		r.say(r.data(socket.StreamID(id), 0, strings.Repeat("x", 300)))
		all = append(all, id, 0)
	}
	for len(all) < 2*140 {
		all = append(all, all[:20]...)
	}
	question := r.pack(r.said.Tag, blockedOf(all...))
	before := heaptest.InUse()
	for range 1000 {
		sent := r.give(r.from, question)
		require.Len(t, sent, 1)
		l, err := wire.ParseStreamOffsets(r.chunk(sent, wire.TypeStreamCredit))
		require.NoError(t, err)
		require.Len(t, l, 10*8, "each stream once")
	}
	assert.Less(t, heaptest.InUse()-before, 64<<10)
	assert.Empty(t, r.say(blockedOf(0, 300, 1, 300)), "it knows")
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())
}

// A peer that claims to keep to limits and does not gets no more than the window, as
// any other.
func TestAPeerThatBreaksItsStreamLimit(t *testing.T) {
	const buffer = 64 << 10
	r := newRig(t, socket.Config{StreamLimit: 1000, ReceiveBuffer: buffer})
	r.offer.Params = r.offer.Params.AppendStreamLimit(wire.StreamLimit{})
	r.accepted()
	require.NoError(t, r.Hold(r.assoc, 1, true))
	for n := range wire.SSN(200) {
		r.say(r.data(1, n, strings.Repeat("x", 1000)))
	}
	status, err := r.Status(r.assoc)
	require.NoError(t, err)
	assert.LessOrEqual(t, status.Held, buffer+1000)
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())
}

// A peer that never says that it has read anything is asked, ever more rarely.
func TestAPeerThatNeverReads(t *testing.T) {
	r := limited(t, 0, 300)
	r.send(text(1, "x"), text(2, "y"))
	r.send(text(1, "x"))
	r.send(text(1, "x"))
	r.say(sack(r.said.TSN+2, 1<<20))
	asked := 0
	for _, p := range r.advance(time.Hour) {
		require.Equal(t, []wire.ChunkType{wire.TypeStreamBlocked}, p.types())
		l, err := wire.ParseStreamOffsets(p.chunks[0])
		require.NoError(t, err)
		require.Equal(t, offsets(1, 0), l)
		asked++
	}
	assert.InDelta(t, 60, asked, 15)
	r.chunk(r.say(creditOf(1, 2*wire.MinStreamCharge)), wire.TypeData)
}
