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

// otherAddr is an address that the peer lists: its own or a victim's.
var otherAddr = netip.MustParseAddrPort("198.51.100.7:9899")

// Section 5.4: an address that the peer lists is tested with HEARTBEAT at once, and
// is a path when it has answered with the right nonce.
func TestListedAddressIsConfirmedByAHeartbeat(t *testing.T) {
	r := newRig(t, socket.Config{})
	r.offer.Params = r.offer.Params.AppendAddress(otherAddr.Addr())
	sent := r.say(wire.AppendCookieEcho(nil, r.cookie()))
	sent = append(sent, r.advance(0)...)
	r.isUp()
	var beat wire.Chunk
	for _, p := range sent {
		if p.to == otherAddr {
			beat = p.chunks[0]
		}
	}
	require.Equal(t, wire.TypeHeartbeat, beat.Type)
	info, err := wire.ParseHeartbeat(beat)
	require.NoError(t, err)
	status, err := r.Status(r.assoc)
	require.NoError(t, err)
	require.Len(t, status.Paths, 2)
	assert.False(t, status.Paths[1].Confirmed || status.Paths[1].Up)
	r.now += 10 * time.Millisecond
	r.give(otherAddr, r.pack(r.said.Tag, wire.AppendHeartbeatAck(nil, info)))
	status, err = r.Status(r.assoc)
	require.NoError(t, err)
	assert.True(t, status.Paths[1].Confirmed && status.Paths[1].Up)
	assert.Equal(t, 10*time.Millisecond, status.Paths[1].SRTT)
}

// Section 5.4: nothing but HEARTBEAT and HEARTBEAT ACK goes to an address that has not
// proved to be the peer's, so that no peer can point this end at a victim.
func TestOnlyHeartbeatsGoToAnUnconfirmedAddress(t *testing.T) {
	check := func(what string, sent []sentPacket) {
		t.Helper()
		for _, p := range sent {
			if p.to != otherAddr {
				continue
			}
			for _, c := range p.chunks {
				assert.Contains(t, []wire.ChunkType{wire.TypeHeartbeat, wire.TypeHeartbeatAck}, c.Type, what)
			}
		}
	}
	r := newRig(t, socket.Config{})
	r.offer.Params = r.offer.Params.AppendAddress(otherAddr.Addr())
	r.accepted()
	from := func(chunks ...[]byte) []sentPacket { return r.give(otherAddr, r.pack(r.said.Tag, chunks...)) }
	sent := from(r.data(0, 0, "x"))
	check("SACK", sent)
	r.chunk(sent, wire.TypeSACK)
	sent = from(dataChunk(&wire.Data{Flags: 3, TSN: r.tsn, Stream: 999}, "x"))
	check("ERROR", sent)
	r.chunk(sent, wire.TypeError)
	check("HEARTBEAT ACK", from(wire.AppendHeartbeat(nil, []byte("x"))))
	check("SHUTDOWN ACK", from(wire.AppendShutdown(nil, r.said.TSN-1)))
	sent = from(sack(r.said.TSN+10, 0))
	check("ABORT", sent)
	r.chunk(sent, wire.TypeAbort)
	r.gone()

	// COOKIE ECHO, sent again to an address that the INIT ACK has listed.
	r = newRig(t, socket.Config{})
	r.offer.Params = r.offer.Params.AppendAddress(otherAddr.Addr())
	r.dial()
	r.initAck()
	check("COOKIE ECHO", r.advance(time.Minute))
}

// Section 5.4: an address that never answers is given up without an event, and does
// the association no harm.
func TestListedAddressThatNeverAnswers(t *testing.T) {
	r := newRig(t, socket.Config{PathRetransmissions: 2, AssocRetransmissions: 1, Heartbeat: -1})
	r.offer.Params = r.offer.Params.AppendAddress(otherAddr.Addr())
	r.accepted()
	beats := 0
	for _, p := range r.advance(time.Hour) {
		require.Equal(t, otherAddr, p.to)
		beats++
	}
	assert.LessOrEqual(t, beats, 4)
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())
	_, runs := r.Deadline()
	assert.False(t, runs)
}

// Section 8.3: an idle path is tested about every Heartbeat interval, one that carries
// data is not.
func TestHeartbeatsTestIdlePaths(t *testing.T) {
	r := newRig(t, socket.Config{Heartbeat: 30 * time.Second, RTOMin: 5 * time.Second}).dialed()
	beats := 0
	for _, p := range r.advance(29 * time.Second) {
		assert.NotContains(t, p.types(), wire.TypeHeartbeat)
	}
	for r.now < 10*time.Minute {
		for _, p := range r.advance(time.Second) {
			info, err := wire.ParseHeartbeat(p.chunks[0])
			require.NoError(t, err)
			r.say(wire.AppendHeartbeatAck(nil, info))
			beats++
		}
	}
	assert.InDelta(t, 17, beats, 2)

	r = newRig(t, socket.Config{Heartbeat: 30 * time.Second}).dialed()
	for n := range wire.TSN(600) {
		sent := append(r.send(text(0, "x")), r.say(sack(r.said.TSN+n, 1<<20))...)
		sent = append(sent, r.advance(time.Second)...)
		for _, p := range sent {
			require.NotContains(t, p.types(), wire.TypeHeartbeat)
		}
	}
}

// Section 5.4, HB.Max.Burst: of many addresses that a peer lists only one is tested in a timeout,
// so that the peer cannot have many packets sent to other hosts. When one answers the next has its
// turn.
func TestListedAddressesAreTestedOneByOne(t *testing.T) {
	const listed = 15
	r := newRig(t, socket.Config{PathRetransmissions: 2, Heartbeat: -1, RTOMax: time.Second})
	for i := range listed {
		r.offer.Params = r.offer.Params.AppendAddress(netip.AddrFrom4([4]byte{198, 51, 100, byte(1 + i)}))
	}
	beats := func(sent []sentPacket) (listed []sentPacket) {
		for _, p := range sent {
			if p.to != r.from {
				require.Equal(t, []wire.ChunkType{wire.TypeHeartbeat}, p.types())
				listed = append(listed, p)
			}
		}
		return listed
	}
	sent := r.say(wire.AppendCookieEcho(nil, r.cookie()))
	r.isUp()
	first := beats(append(sent, r.advance(0)...))
	assert.Len(t, first, 1)
	assert.LessOrEqual(t, len(beats(r.advance(5*time.Second))), 6)

	// No address answers: each has been tested three times in the end.
	all := 1 + 6 + len(beats(r.advance(time.Hour)))
	assert.LessOrEqual(t, all, 3*listed+1)
	assert.GreaterOrEqual(t, all, 3*listed)
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())

	// All answer: no test waits for a timeout.
	r = newRig(t, socket.Config{})
	for i := range listed {
		r.offer.Params = r.offer.Params.AppendAddress(netip.AddrFrom4([4]byte{198, 51, 100, byte(1 + i)}))
	}
	sent = r.say(wire.AppendCookieEcho(nil, r.cookie()))
	r.isUp()
	sent = beats(append(sent, r.advance(0)...))
	for range listed {
		require.Len(t, sent, 1)
		info, err := wire.ParseHeartbeat(sent[0].chunks[0])
		require.NoError(t, err)
		to := sent[0].to
		r.now += time.Millisecond
		sent = r.give(to, r.pack(r.said.Tag, wire.AppendHeartbeatAck(nil, info)))
		sent = beats(append(sent, r.advance(0)...))
	}
	status, err := r.Status(r.assoc)
	require.NoError(t, err)
	for _, p := range status.Paths {
		assert.True(t, p.Confirmed, p.Addr)
	}
}
