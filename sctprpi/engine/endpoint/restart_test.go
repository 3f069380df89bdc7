package endpoint

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// forget makes the peer one that has lost the association: its next INIT chunk has
// another tag and TSN.
func (r *rig) forget() {
	r.offer.Tag += 0x01010101
	r.offer.TSN += 5_000_000
	r.tsn = r.offer.TSN
}

func lent(stream socket.StreamID, s string) socket.Message {
	m := text(stream, s)
	m.Lend, m.Owner = true, s
	return m
}

// Section 5.2.4.1: the ID stays, all else is new. What was lent comes back.
func TestPeerThatRestarts(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	r.send(lent(0, "lost"), lent(1, "lost too"))
	r.say(r.data(0, 0, "before"), r.piece(wire.FlagBegin, 1, 0, "in part"))
	old := r.said
	r.events = nil

	r.forget()
	cookie := r.cookie()
	assert.NotEqual(t, old.Tag, r.said.Tag)
	assert.NotEqual(t, old.TSN, r.said.TSN)
	assert.Empty(t, r.events, "an INIT alone changes nothing")
	sent := r.say(wire.AppendCookieEcho(nil, cookie), r.data(0, 0, "after"))
	assert.Equal(t, wire.TypeCookieAck, sent[0].chunks[0].Type)
	assert.Equal(t, r.offer.Tag, sent[0].Tag)

	assert.Equal(t, []socket.Kind{socket.Restarted, socket.Released, socket.Released}, r.happened())
	for _, e := range r.events {
		assert.Equal(t, r.assoc, e.Assoc)
		if e.Kind == socket.Released {
			assert.Equal(t, socket.Unacknowledged, e.Outcome)
		}
	}
	assert.Equal(t, "after", string(r.lastEvent().Payload))
	assert.Equal(t, 1, r.Associations())

	sent = r.send(text(0, "new"))
	d, err := wire.ParseData(r.chunk(sent, wire.TypeData))
	require.NoError(t, err)
	assert.Equal(t, r.said.TSN, d.TSN)
	assert.Zero(t, d.SSN)

	// Packets of the old association are nobody's.
	before := r.Stats().OutOfTheBlue
	assert.Empty(t, r.give(r.from, r.pack(old.Tag, r.data(0, 1, "ghost"))))
	assert.Equal(t, before+1, r.Stats().OutOfTheBlue)
}

// What had arrived before the restart is delivered before it is told.
func TestDataBeforeARestartComesBeforeTheEvent(t *testing.T) {
	r := newRig(t, socket.Config{})
	r.unread = true
	r.accepted()
	r.say(r.data(0, 0, "before"))
	r.forget()
	r.say(wire.AppendCookieEcho(nil, r.cookie()), r.data(0, 0, "after"))
	r.unread = false
	r.events = nil
	r.run()
	require.Len(t, r.events, 3)
	assert.Equal(t, "before", string(r.events[0].Payload))
	assert.Equal(t, socket.Restarted, r.events[1].Kind)
	assert.Equal(t, "after", string(r.events[2].Payload))
}

// A restart is a new association to its timers, too, whatever the time.
func TestRestartBeginsWithTheInitialTimeout(t *testing.T) {
	r := newRig(t, socket.Config{Heartbeat: 10 * time.Second}).accepted()
	for range 20 { // heartbeats that the peer answers
		for _, p := range r.advance(10 * time.Second) {
			for _, c := range p.chunks {
				if info, err := wire.ParseHeartbeat(c); c.Type == wire.TypeHeartbeat && err == nil {
					r.now += 20 * time.Millisecond
					r.say(wire.AppendHeartbeatAck(nil, info))
				}
			}
		}
	}
	r.forget()
	r.say(wire.AppendCookieEcho(nil, r.cookie()))
	assert.Equal(t, []socket.Kind{socket.Up, socket.Restarted}, r.happened())
	status, err := r.Status(r.assoc)
	require.NoError(t, err)
	assert.LessOrEqual(t, status.Paths[0].RTO, time.Second)
}

// Section 5.2.2: nobody adds addresses to an association by restarting it.
func TestRestartWithNewAddressesIsRefused(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	r.forget()
	added := netip.MustParseAddr("198.51.100.9")
	r.offer.Params = r.offer.Params.AppendAddress(added)
	sent := r.init()
	require.Equal(t, [][]wire.ChunkType{{wire.TypeAbort}}, typesOf(sent))
	assert.Equal(t, r.offer.Tag, sent[0].Tag)
	causes, err := wire.ParseAbort(sent[0].chunks[0])
	require.NoError(t, err)
	for c := range causes.All() {
		require.Equal(t, wire.CauseRestartWithNewAddresses, c.Code)
		params, err := c.Params()
		require.NoError(t, err)
		for p := range params.All() {
			addr, err := p.Address()
			require.NoError(t, err)
			assert.Equal(t, added, addr)
		}
	}
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())
	r.chunk(r.say(r.data(0, 0, "still there")), wire.TypeSACK)
}

// Section 5.2.4, table 12: cookies that fit no case, of an association long gone or
// made before the one that exists, change nothing.
func TestCookiesThatFitNoCaseAreIgnored(t *testing.T) {
	r := newRig(t, socket.Config{})
	before := wire.AppendCookieEcho(nil, r.cookie()) // without tie-tags
	beforeTag := r.said.Tag
	r.forget()
	r.accepted()
	tag := r.said.Tag
	assert.Empty(t, r.give(r.from, r.pack(beforeTag, before)))

	// C: the same peer's tag, another of this end's, without tie-tags.
	r2 := newRig(t, socket.Config{})
	twice := wire.AppendCookieEcho(nil, r2.cookie())
	twiceTag := r2.said.Tag
	r2.accepted()
	assert.Empty(t, r2.give(r2.from, r2.pack(twiceTag, twice)))

	// A restart's cookie after another restart: its tie-tags are old.
	r.forget()
	late := wire.AppendCookieEcho(nil, r.cookie())
	lateTag := r.said.Tag
	r.forget()
	r.say(wire.AppendCookieEcho(nil, r.cookie()))
	assert.Equal(t, []socket.Kind{socket.Up, socket.Restarted}, r.happened())
	assert.Empty(t, r.give(r.from, r.pack(lateTag, late)))
	assert.Equal(t, []socket.Kind{socket.Up, socket.Restarted}, r.happened())
	assert.NotEqual(t, tag, r.said.Tag)
	assert.Equal(t, 1, r.Associations())
	assert.Equal(t, 1, r2.Associations())
}

// Section 5.2.2: the cookie does not give away the tags of the association.
func TestCookieDoesNotContainTheTagsOfTheAssociation(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	ours, theirs := r.said.Tag, r.offer.Tag
	r.forget()
	cookie := r.cookie()
	for _, tag := range []wire.VerificationTag{ours, theirs} {
		assert.NotContains(t, string(cookie), string([]byte{byte(tag >> 24), byte(tag >> 16), byte(tag >> 8), byte(tag)}))
	}
}

// Section 9.2: an INIT in SHUTDOWN-ACK-SENT is answered with SHUTDOWN ACK, and a
// COOKIE ECHO that would restart the association is refused.
func TestRestartWhileShuttingDown(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	said, peer := r.said, r.offer.Tag
	r.forget()
	echo := wire.AppendCookieEcho(nil, r.cookie())
	echoTag := r.said.Tag
	r.said = said
	r.chunk(r.say(wire.AppendShutdown(nil, r.said.TSN-1)), wire.TypeShutdownAck)

	sent := r.init()
	require.Equal(t, [][]wire.ChunkType{{wire.TypeShutdownAck}}, typesOf(sent))
	assert.Equal(t, peer, sent[0].Tag)
	sent = r.give(r.from, r.pack(echoTag, echo))
	assert.Equal(t, []wire.CauseCode{wire.CauseCookieWhileShuttingDown}, r.causes(sent, wire.TypeError))
	r.chunk(sent, wire.TypeShutdownAck)
	r.say(wire.AppendShutdownComplete(nil, false))
	assert.Equal(t, []socket.Kind{socket.Up, socket.PeerShutdown, socket.Closed}, r.happened())
	r.gone()
}

// Who has asked for the end of an association gets it, if the peer restarts meanwhile.
func TestShutdownOutlivesARestart(t *testing.T) {
	for _, blocked := range []bool{false, true} { // in SHUTDOWN-SENT and SHUTDOWN-PENDING
		r := newRig(t, socket.Config{}).accepted()
		if blocked {
			r.send(text(0, "unacknowledged"))
		}
		require.NoError(t, r.Shutdown(r.now, r.assoc))
		r.run()
		r.forget()
		sent := r.say(wire.AppendCookieEcho(nil, r.cookie()))
		assert.Equal(t, wire.TypeCookieAck, sent[0].chunks[0].Type)
		r.chunk(sent, wire.TypeShutdown)
		r.chunk(r.say(wire.AppendShutdownAck(nil)), wire.TypeShutdownComplete)
		assert.Equal(t, []socket.Kind{socket.Up, socket.Restarted, socket.Closed}, r.happened())
		r.gone()
	}
}
