package endpoint

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
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
	m.ZeroCopy, m.Owner = true, s
	return m
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

// Nor does it know what the paths carry: packets are no larger than before anything has been found out.
func TestRestartBeginsWithTheBaseMTU(t *testing.T) {
	r := newRig(t, socket.Config{})
	r.Endpoint.host.RouteMTU = func(netip.Addr) int { return 9000 }
	r.accepted()
	mtu := func() int {
		status, err := r.Status(r.assoc)
		require.NoError(t, err)
		return status.Paths[0].MTU
	}
	message := text(0, strings.Repeat("x", 8000))
	r.send(message)
	r.advance(time.Second)
	require.Greater(t, mtu(), 8000)
	r.forget()
	r.deaf = true
	r.say(wire.AppendCookieEcho(nil, r.cookie()))
	require.Equal(t, 1200, mtu())
	sent := r.send(message)
	require.NotEmpty(t, sent)
	for i := range sent {
		assert.LessOrEqual(t, len(sent[i].raw), 1200)
	}
}

// Section 5.2.2: a restart cannot add addresses to an association.
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
