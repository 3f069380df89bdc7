package endpoint

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// vouched gives the Endpoint a packet with the right tag, of which a guard says whose it is.
func (r *rig) vouched(from netip.AddrPort, sender packet.Sender, chunks ...[]byte) []sentPacket {
	r.t.Helper()
	d := r.datagram(from, r.pack(r.said.Tag, chunks...))
	d.Sender = sender
	r.Receive(r.now, &d)
	d.Buffer.Release()
	return r.run()
}

var (
	rigSender   = packet.Sender{ID: 1, At: rigPeer}
	otherSender = packet.Sender{ID: 2, At: stranger}
)

// guarded is a rig whose peer has set up an association, and said something.
func guarded(t *testing.T) *rig {
	r := newRig(t, socket.Config{}).accepted()
	r.vouched(r.from, rigSender, r.data(0, 0, "first"))
	require.Equal(t, "first", string(r.lastEvent().Payload))
	return r
}

// What a guard says is the peer's counts wherever it has come from, and is answered at the peer's address. What is another's does not.
func TestWhatAGuardVouchesForCounts(t *testing.T) {
	for _, from := range []netip.AddrPort{stranger, netipPort(rigPeer, elsewhere)} {
		r := guarded(t)
		for _, p := range r.vouched(from, rigSender, r.data(0, 1, "from elsewhere")) {
			assert.Equal(t, r.from, p.to)
		}
		assert.Equal(t, "from elsewhere", string(r.lastEvent().Payload))
		assert.Zero(t, r.Stats().OutOfTheBlue)
		r.vouched(from, otherSender, r.data(0, 2, "of another"))
		r.tsn--
		assert.Equal(t, "from elsewhere", string(r.lastEvent().Payload))
		assert.EqualValues(t, 1, r.Stats().OutOfTheBlue)
		status, err := r.Status(r.assoc)
		require.NoError(t, err)
		require.Len(t, status.Paths, 1)
		assert.Equal(t, r.from.Addr(), status.Paths[0].Addr.IP)
		r.vouched(from, rigSender, wire.AppendAbort(nil, false, nil))
		assert.Equal(t, socket.Aborted, r.lastEvent().Kind)
	}
}

// What belongs to no association is answered where its sender is known to be, and not where it has come from.
func TestStrangersOfAGuardAreAnsweredAtHome(t *testing.T) {
	r := newRig(t, socket.Config{})
	for _, b := range [][]byte{wire.AppendShutdownAck(nil), wire.AppendCookieAck(nil), r.data(0, 0, "x")} {
		r.said.Tag = 12345
		for _, p := range r.vouched(stranger, rigSender, b) {
			assert.Equal(t, rigPeer, p.to)
		}
	}
	r.said.Tag = 0
	sent := r.vouched(stranger, rigSender, wire.AppendInit(nil, &r.offer))
	require.Len(t, sent, 1)
	require.Equal(t, rigPeer, sent[0].to)
	ack, cookie, err := wire.ParseInitAck(r.chunk(sent, wire.TypeInitAck))
	require.NoError(t, err)
	r.said = ack
	sent = r.vouched(stranger, rigSender, wire.AppendCookieEcho(nil, cookie))
	r.chunk(sent, wire.TypeCookieAck)
	for _, p := range sent {
		assert.Equal(t, rigPeer, p.to)
	}
}

// As long as the peer answers nothing is sent to where copies come from. A peer that has moved, to another IP address too, is asked there
// after some timeouts, once in a timeout, and the path moves when it answers.
func TestPathMovesToWhereAGuardHearsThePeer(t *testing.T) {
	r := guarded(t)
	for range 100 {
		sent := r.vouched(stranger, rigSender, r.data(0, 1, "x"))
		r.tsn--
		for _, p := range append(sent, r.advance(100*time.Millisecond)...) {
			require.Equal(t, r.from, p.to)
			for _, c := range p.chunks {
				if c.Type == wire.TypeHeartbeat {
					info, err := wire.ParseHeartbeat(c)
					require.NoError(t, err)
					r.say(wire.AppendHeartbeatAck(nil, info))
				}
			}
		}
	}
	var question sentPacket
	asked := 0
	for range 1000 {
		sent := r.vouched(stranger, rigSender, r.data(0, 1, "x"))
		r.tsn--
		for _, p := range append(sent, r.advance(10*time.Millisecond)...) {
			if p.to == stranger {
				question = p
				asked++
			}
		}
		if asked > 0 {
			break
		}
	}
	require.Equal(t, 1, asked)
	require.Equal(t, []wire.ChunkType{wire.TypeHeartbeat}, question.types())
	info, err := wire.ParseHeartbeat(question.chunks[0])
	require.NoError(t, err)
	r.now += 30 * time.Millisecond
	r.vouched(rigPeer, rigSender, wire.AppendHeartbeatAck(nil, info))
	assert.Equal(t, rigPeer, r.send(text(0, "x"))[0].to, "it has answered from elsewhere")
	r.vouched(stranger, rigSender, wire.AppendHeartbeatAck(nil, info))
	assert.Equal(t, stranger, r.send(text(0, "x"))[0].to)
	status, err := r.Status(r.assoc)
	require.NoError(t, err)
	require.Len(t, status.Paths, 1)
	assert.True(t, status.Paths[0].Up)
}

// published is a guard that knows what a peer has published.
type published struct {
	socket.Guard
	id uint64
	at netip.AddrPort
}

func (published) Overhead() (before, behind int) { return 0, 0 }

func (p published) Owner(at netip.AddrPort) uint64 {
	if at == p.at {
		return p.id
	}
	return 0
}

// A peer that has begun an association from an address which it has not published is not called at the one that it has, as long as that
// association lasts.
func TestAPeerIsFoundByWhatItHasPublished(t *testing.T) {
	home := socket.Addr{IP: stranger.Addr(), Port: 5000, UDP: stranger.Port()}
	r := newRig(t, socket.Config{Guard: published{id: rigSender.ID, at: stranger}})
	r.accepted()
	r.vouched(r.from, rigSender, r.data(0, 0, "first"))
	for range 2 {
		id, err := r.Connect(r.now, home)
		require.NoError(t, err)
		require.Equal(t, r.assoc, id)
	}
	r.vouched(r.from, rigSender, wire.AppendAbort(nil, false, nil))
	require.Equal(t, socket.Aborted, r.lastEvent().Kind)
	assert.Empty(t, r.bySender)
	id, err := r.Connect(r.now, home)
	require.NoError(t, err)
	assert.NotEqual(t, r.assoc, id)
}
