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

// camped lets a peer set up an association with a victim's address in its list, on the victim's
// ports. It returns that address and the packets that were sent there.
func camped(t *testing.T) (r *rig, victim netip.AddrPort, toVictim []sentPacket) {
	r = newRig(t, socket.Config{})
	victim = otherAddr
	r.offer.Params = r.offer.Params.AppendAddress(victim.Addr())
	sent := r.say(wire.AppendCookieEcho(nil, r.cookie()))
	sent = append(sent, r.advance(0)...)
	r.isUp()
	for _, p := range sent {
		if p.to == victim {
			toVictim = append(toVictim, p)
		}
	}
	return r, victim, toVictim
}

// RFC 5062, section 2: a peer that lists the address of another host neither keeps that host out
// nor gets its association, as long as the address has not been verified.
func TestListedAddressDoesNotKeepItsOwnerAway(t *testing.T) {
	r, victim, _ := camped(t)
	camper := r.assoc
	r.from = victim
	r.offer = wire.Init{Tag: 0x55667788, Window: 1 << 20, OutStreams: 10, InStreams: 10, TSN: 7000}
	r.tsn = r.offer.TSN
	r.accepted()
	assert.NotEqual(t, camper, r.assoc)
	assert.Equal(t, []socket.Kind{socket.Up, socket.Up}, r.happened(), "no restart of the camper's")
	status, err := r.Status(r.assoc)
	require.NoError(t, err)
	require.Len(t, status.Paths, 1, "none of the camper's addresses")
	assert.Equal(t, victim.Addr(), status.Paths[0].Addr.IP)
	for _, p := range r.send(text(0, "for the victim alone")) {
		assert.Equal(t, victim, p.to)
	}
	id, err := r.Connect(r.now, socket.Addr{IP: victim.Addr(), Port: r.port, UDP: victim.Port()})
	require.NoError(t, err)
	assert.Equal(t, r.assoc, id)

	// The owner's restart does not touch the camper's association.
	r.forget()
	r.chunk(r.say(wire.AppendCookieEcho(nil, r.cookie())), wire.TypeCookieAck)
	assert.Equal(t, []socket.Kind{socket.Up, socket.Up, socket.Restarted}, r.happened())
	assert.Equal(t, r.assoc, r.lastEvent().Assoc)
	require.NoError(t, r.Abort(r.assoc, ""))
	r.run()
	require.NoError(t, r.Abort(camper, ""))
	r.run()
	r.gone()
}

// Connect to the address does not return the camper's association either. It makes another one,
// even while the camper's is younger than its first test of the address.
func TestConnectDoesNotReturnACampersAssociation(t *testing.T) {
	r, victim, _ := camped(t)
	camper := r.assoc
	id, err := r.Connect(r.now, socket.Addr{IP: victim.Addr(), Port: r.port, UDP: victim.Port()})
	require.NoError(t, err)
	require.NotEqual(t, camper, id)
	sent := r.run()
	require.Equal(t, [][]wire.ChunkType{{wire.TypeInit}}, typesOf(sent))
	assert.Equal(t, victim, sent[0].to)
	again, err := r.Connect(r.now, socket.Addr{IP: victim.Addr(), Port: r.port, UDP: victim.Port()})
	require.NoError(t, err)
	assert.Equal(t, id, again)
}

// An address that has answered is returned for.
func TestConnectToAConfirmedAddressReturnsItsAssociation(t *testing.T) {
	r, other, beats := camped(t)
	require.Len(t, beats, 1)
	info, err := wire.ParseHeartbeat(beats[0].chunks[0])
	require.NoError(t, err)
	r.give(other, r.pack(r.said.Tag, wire.AppendHeartbeatAck(nil, info)))
	id, err := r.Connect(r.now, socket.Addr{IP: other.Addr(), Port: r.port, UDP: other.Port()})
	require.NoError(t, err)
	assert.Equal(t, r.assoc, id)
}

// A peer that lists an address first does not keep it from its owner: an address belongs to the
// association that has answered from it.
func TestAnswerTakesAnAddressFromAPeerThatMerelyListsIt(t *testing.T) {
	r, victim, _ := camped(t)
	camper := r.assoc
	r.from = stranger
	r.offer = wire.Init{Tag: 0x55667788, Window: 1 << 20, OutStreams: 10, InStreams: 10, TSN: 7000}
	r.tsn = r.offer.TSN
	r.offer.Params = r.offer.Params.AppendAddress(victim.Addr())
	sent := r.say(wire.AppendCookieEcho(nil, r.cookie()))
	sent = append(sent, r.advance(0)...)
	r.isUp()
	for _, p := range sent {
		if p.to == victim && p.Tag == r.offer.Tag {
			info, err := wire.ParseHeartbeat(p.chunks[0])
			require.NoError(t, err)
			r.give(victim, r.pack(r.said.Tag, wire.AppendHeartbeatAck(nil, info)))
		}
	}
	id, err := r.Connect(r.now, socket.Addr{IP: victim.Addr(), Port: r.port, UDP: victim.Port()})
	require.NoError(t, err)
	assert.Equal(t, r.assoc, id)
	assert.NotEqual(t, camper, id)
}

// Section 8.4: nor does it have packets dropped in silence that the owner sends to an
// association that this end has lost.
func TestListedAddressDoesNotSilenceItsOwner(t *testing.T) {
	r, victim, _ := camped(t)
	beat := r.pack(0x99999999, wire.AppendHeartbeat(nil, []byte("who is there")))
	r.chunk(r.give(victim, beat), wire.TypeAbort)
	assert.Equal(t, 1, r.Associations())
}

// An address that has answered is the association's, though: its INIT chunk is a
// restart.
func TestConfirmedAddressCanRestart(t *testing.T) {
	r, other, beats := camped(t)
	require.Len(t, beats, 1)
	info, err := wire.ParseHeartbeat(beats[0].chunks[0])
	require.NoError(t, err)
	r.now += 10 * time.Millisecond
	r.give(other, r.pack(r.said.Tag, wire.AppendHeartbeatAck(nil, info)))
	r.forget()
	r.offer.Params = nil
	r.from = other
	r.chunk(r.say(wire.AppendCookieEcho(nil, r.cookie())), wire.TypeCookieAck)
	assert.Equal(t, []socket.Kind{socket.Up, socket.Restarted}, r.happened())
	require.NoError(t, r.Abort(r.assoc, ""))
	r.run()
	r.gone()
}
