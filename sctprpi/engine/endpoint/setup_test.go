package endpoint

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// RFC 9260, section 5.1, from the side that answers.
func TestFourWayHandshakeOfTheResponder(t *testing.T) {
	r := newRig(t, socket.Config{})
	sent := r.init()
	require.Equal(t, [][]wire.ChunkType{{wire.TypeInitAck}}, typesOf(sent))
	assert.Equal(t, r.offer.Tag, sent[0].Tag, "the INIT ACK carries the initiate tag of the INIT")
	assert.Equal(t, r.from, sent[0].to)
	said, cookie, err := wire.ParseInitAck(sent[0].chunks[0])
	require.NoError(t, err)
	assert.NotZero(t, said.Tag)
	assert.NotEqual(t, r.offer.Tag, said.Tag)
	r.gone()

	r.said = said
	sent = r.say(wire.AppendCookieEcho(nil, cookie))
	require.Len(t, sent, 1)
	assert.Equal(t, wire.TypeCookieAck, sent[0].chunks[0].Type, "COOKIE ACK comes first in its packet")
	assert.Equal(t, r.offer.Tag, sent[0].Tag)
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())
	assert.Equal(t, socket.Addr{IP: r.from.Addr(), Port: r.port, UDP: r.from.Port()}, r.events[0].Addr)
	assert.Equal(t, 1, r.Associations())
}

// Section 5.1, from the side that begins.
func TestFourWayHandshakeOfTheInitiator(t *testing.T) {
	r := newRig(t, socket.Config{})
	sent := r.dial()
	require.Equal(t, [][]wire.ChunkType{{wire.TypeInit}}, typesOf(sent))
	assert.Zero(t, sent[0].Tag, "an INIT carries tag 0")
	assert.NotZero(t, r.said.Tag)

	sent = r.initAck()
	require.Equal(t, [][]wire.ChunkType{{wire.TypeCookieEcho}}, typesOf(sent))
	assert.Equal(t, r.offer.Tag, sent[0].Tag)
	echoed, err := wire.ParseCookieEcho(sent[0].chunks[0])
	require.NoError(t, err)
	assert.Equal(t, testCookie, echoed)
	assert.Empty(t, r.events)

	assert.Empty(t, r.say(wire.AppendCookieAck(nil)))
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())
}

// Section 5.1.6 lets DATA follow the COOKIE ECHO in its packet.
func TestDataThatComesWithTheCookieIsDelivered(t *testing.T) {
	r := newRig(t, socket.Config{})
	cookie := r.cookie()
	sent := r.say(wire.AppendCookieEcho(nil, cookie), r.data(3, 0, "hello"))
	require.NotEmpty(t, sent)
	assert.Equal(t, wire.TypeCookieAck, sent[0].chunks[0].Type)
	r.chunk(sent, wire.TypeSACK)
	require.Len(t, r.events, 2)
	assert.Equal(t, socket.Up, r.events[0].Kind)
	assert.Equal(t, "hello", string(r.events[1].Payload))
}

// Section 5.1.1: the number of streams is the lower of what one side wants and the
// other allows, in each direction.
func TestStreamsAreNegotiatedDown(t *testing.T) {
	for _, dials := range []bool{false, true} {
		r := newRig(t, socket.Config{Streams: 100})
		r.offer.OutStreams, r.offer.InStreams = 300, 7
		if dials {
			r.dialed()
		} else {
			r.accepted()
		}
		status, err := r.Status(r.assoc)
		require.NoError(t, err)
		assert.Equal(t, 7, status.Outbound)
		assert.Equal(t, 100, status.Inbound)
		_, err = r.Send(r.now, r.assoc, []socket.Message{text(7, "x")})
		assert.ErrorIs(t, err, socket.ErrStream)
	}
}

// A message for a stream that the peer turns out not to offer cannot be sent; the
// association ends, as nobody could be told otherwise, and all messages come back.
func TestEarlyMessageForAStreamThatThePeerDoesNotOffer(t *testing.T) {
	r := newRig(t, socket.Config{})
	r.offer.InStreams = 4
	r.dial()
	lend := func(stream socket.StreamID) socket.Message {
		m := text(stream, "x")
		m.Lend, m.Owner = true, stream
		return m
	}
	r.send(lend(1), lend(4), lend(2))
	r.initAck()
	sent := r.say(wire.AppendCookieAck(nil))
	assert.Equal(t, []wire.CauseCode{wire.CauseUserAbort}, r.causes(sent, wire.TypeAbort))
	assert.Equal(t, []socket.Kind{socket.Up, socket.Released, socket.Released, socket.Released, socket.Aborted}, r.happened())
	for _, e := range r.events[1:4] {
		assert.Equal(t, socket.Unsent, e.Outcome)
	}
	r.gone()
}

// Section 5.1.6: T1 has the chunk sent again, at growing intervals, a bounded number
// of times.
func TestInitAndCookieEchoAreSentAgain(t *testing.T) {
	for _, state := range []wire.ChunkType{wire.TypeInit, wire.TypeCookieEcho} {
		r := newRig(t, socket.Config{InitRetransmissions: 3, RTOInitial: time.Second, RTOMax: 3 * time.Second})
		r.dial()
		if state == wire.TypeCookieEcho {
			r.initAck()
		}
		start := r.now
		var at []time.Duration
		for len(at) < 3 {
			next, runs := r.Deadline()
			require.True(t, runs)
			sent := r.advance(next - r.now)
			require.Equal(t, [][]wire.ChunkType{{state}}, typesOf(sent))
			at = append(at, r.now-start)
		}
		assert.Equal(t, []time.Duration{1 * time.Second, 3 * time.Second, 6 * time.Second}, at)
		assert.Empty(t, r.advance(time.Minute))
		assert.Equal(t, []socket.Kind{socket.Lost}, r.happened())
		assert.ErrorIs(t, r.lastEvent().Err, socket.ErrUnreachable)
		r.gone()
	}
}

// Section 5.2.3 and 5.2.5: chunks of the set-up that come too late or too often do
// nothing.
func TestSetupChunksInOtherStatesAreDropped(t *testing.T) {
	r := newRig(t, socket.Config{})
	r.dialed()
	assert.Empty(t, r.initAck(), "INIT ACK in ESTABLISHED")
	assert.Empty(t, r.say(wire.AppendCookieAck(nil)), "COOKIE ACK in ESTABLISHED")
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())

	r = newRig(t, socket.Config{})
	r.dial()
	assert.Empty(t, r.say(wire.AppendCookieAck(nil)), "COOKIE ACK in COOKIE-WAIT")
	assert.Empty(t, r.happened())
	r.initAck()
	assert.Empty(t, r.initAck(), "INIT ACK in COOKIE-ECHOED")
	assert.Empty(t, r.happened())
}

// Section 6.1: no DATA before the association is up; what comes is dropped and comes
// again.
func TestDataBeforeTheAssociationIsUpIsDropped(t *testing.T) {
	r := newRig(t, socket.Config{})
	r.dial()
	assert.Empty(t, r.say(r.data(0, 0, "early")))
	r.initAck()
	r.tsn = r.offer.TSN
	assert.Empty(t, r.say(r.data(0, 0, "early")))
	r.say(wire.AppendCookieAck(nil))
	r.tsn = r.offer.TSN
	r.chunk(r.say(r.data(0, 0, "again")), wire.TypeSACK)
	assert.Equal(t, "again", string(r.lastEvent().Payload))
}
