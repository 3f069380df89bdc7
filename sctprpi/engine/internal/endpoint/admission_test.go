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

// unlimited reports whether the Endpoint admits any number of data packets from an address.
func (r *rig) unlimited(from netip.AddrPort) bool {
	const n = 10_000
	data := r.pack(1, wire.AppendHeartbeat(nil, nil))
	batch, admitted := make([]packet.Datagram, n), make([]bool, n)
	for i := range batch {
		batch[i] = packet.Datagram{From: from, Bytes: data}
	}
	r.Admit(time.Second, batch, admitted)
	for _, ok := range admitted {
		if !ok {
			return false
		}
	}
	return true
}

// A peer that has begun an association is a stranger until it is authenticated, where the user does that.
func TestStrangersAreKnownWhenTheyAreAuthenticated(t *testing.T) {
	r := newRig(t, socket.Config{MaxUnauthenticated: 8}).accepted()
	assert.False(t, r.unlimited(r.from))
	require.NoError(t, r.Authenticated(r.assoc))
	assert.True(t, r.unlimited(r.from))
	require.NoError(t, r.Abort(r.assoc, "the end"))
	r.run()
	assert.False(t, r.unlimited(r.from), "the association has ended")

	assert.True(t, newRig(t, socket.Config{}).accepted().unlimited(rigPeer), "where the user takes any peer")
}

// A peer that the user has called is known at once, and so is one that has made an association meanwhile.
func TestCalledPeersAreKnown(t *testing.T) {
	address := socket.Addr{IP: rigPeer.Addr(), Port: peerPort, UDP: rigPeer.Port()}
	r := newRig(t, socket.Config{MaxUnauthenticated: 8})
	_, err := r.Connect(time.Second, address)
	require.NoError(t, err)
	assert.True(t, r.unlimited(rigPeer))
	assert.False(t, r.unlimited(stranger))

	r = newRig(t, socket.Config{MaxUnauthenticated: 8}).accepted()
	id, err := r.Connect(time.Second, address)
	require.NoError(t, err)
	require.Equal(t, r.assoc, id)
	assert.True(t, r.unlimited(rigPeer))
}

// The addresses of a peer that is expected count with their UDP ports. Those without one are of the kernel's SCTP.
func TestAddressesThatAreExpected(t *testing.T) {
	r := newRig(t, socket.Config{MaxUnauthenticated: 8})
	other := netip.AddrPortFrom(netip.MustParseAddr("198.51.100.7"), 9)
	mapped := netip.AddrFrom16(other.Addr().As16())
	r.Expect(
		socket.Addr{IP: rigPeer.Addr(), Port: peerPort, UDP: rigPeer.Port()}, socket.Addr{IP: mapped, Port: peerPort, UDP: other.Port()},
		socket.Addr{IP: stranger.Addr(), Port: stranger.Port()},
	)
	inits := func(from netip.AddrPort) (admitted int) {
		batch, ok := make([]packet.Datagram, 100), make([]bool, 100)
		for i := range batch {
			batch[i] = packet.Datagram{From: from, Bytes: r.pack(0, wire.AppendHeartbeat(nil, nil))}
		}
		r.Admit(time.Second, batch, ok)
		for _, ok := range ok {
			if ok {
				admitted++
			}
		}
		return admitted
	}
	for inits(stranger) > 0 {
	}
	assert.Equal(t, 100, inits(rigPeer))
	assert.Equal(t, 100, inits(other))
}
