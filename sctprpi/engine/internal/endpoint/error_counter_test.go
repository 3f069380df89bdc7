package endpoint

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// timeOut lets T3-rtx run out so many times, and returns what is sent meanwhile.
func (r *rig) timeOut(n uint64) (sent []sentPacket) {
	r.t.Helper()
	before, err := r.Status(r.assoc)
	require.NoError(r.t, err)
	for now := before; err == nil && now.Timeouts < before.Timeouts+n; now, err = r.Status(r.assoc) {
		at, runs := r.Deadline()
		require.True(r.t, runs)
		sent = append(sent, r.advance(at-r.now)...)
	}
	return sent
}

// confirmOther has the peer's second address confirmed.
func (r *rig) confirmOther() {
	r.t.Helper()
	r.offer.Params = r.offer.Params.AppendAddress(otherAddr.Addr())
	sent := r.say(wire.AppendCookieEcho(nil, r.cookie()))
	r.isUp()
	sent = append(sent, r.advance(0)...)
	for _, p := range sent {
		if p.to == otherAddr {
			info, err := wire.ParseHeartbeat(p.chunks[0])
			require.NoError(r.t, err)
			r.give(otherAddr, r.pack(r.said.Tag, wire.AppendHeartbeatAck(nil, info)))
		}
	}
	status, err := r.Status(r.assoc)
	require.NoError(r.t, err)
	require.Len(r.t, status.Paths, 2)
	require.True(r.t, status.Paths[1].Up)
}

// An acknowledgement of data that has been acknowledged says nothing new, and what does
// not acknowledge data, a DATA chunk of the peer's for instance, nothing of the way
// there (section 8.1).
func TestOtherPacketsDoNotClearTheErrorCounter(t *testing.T) {
	r := newRig(t, socket.Config{AssocRetransmissions: 3, PathRetransmissions: 100, Heartbeat: -1, RTOMax: time.Second}).accepted()
	r.deaf = true
	r.send(text(0, "x"))
	for ssn := range wire.SSN(4) {
		r.say(sack(r.said.TSN-1, 1<<20), wire.AppendHeartbeat(nil, []byte("x")), wire.AppendHeartbeatAck(nil, make([]byte, 12)), r.data(0, ssn, "x"))
		r.timeOut(1)
	}
	assert.Equal(t, []socket.Kind{socket.Up, socket.Lost}, r.happened())
	r.gone()
}

// Section 8.1: timeouts on all paths count for the association, which may be lost before
// any of its paths is down. Section 6.4.1: what has timed out goes to another path.
func TestErrorsOfAllPathsCountForTheAssociation(t *testing.T) {
	const limit = 4
	r := newRig(t, socket.Config{AssocRetransmissions: limit, PathRetransmissions: 3, Heartbeat: -1, RTOMax: time.Second})
	r.confirmOther()
	r.send(text(0, "x"))
	to := make(map[string]int)
	for _, p := range r.timeOut(limit) {
		to[p.to.Addr().String()]++
	}
	assert.Len(t, to, 2, "both paths have been tried: %v", to)
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())
	r.timeOut(1)
	assert.Equal(t, []socket.Kind{socket.Up, socket.Lost}, r.happened())
	r.gone()
}

// Section 6.4: an answer goes where the packet came from.
func TestAnswersGoWhereThePacketCameFrom(t *testing.T) {
	r := newRig(t, socket.Config{})
	r.confirmOther()
	for name, b := range map[string][]byte{
		"SACK": r.data(0, 0, "x"), "HEARTBEAT ACK": wire.AppendHeartbeat(nil, []byte("x")),
		"ERROR": {0xFE, 0, 0, 4}, "SACK again": dataChunk(&wire.Data{Flags: 3, TSN: r.tsn - 1}, "x"),
	} {
		for _, from := range []bool{true, false} {
			at := r.from
			if from {
				at = otherAddr
			}
			for _, p := range r.give(at, r.pack(r.said.Tag, b)) {
				assert.Equal(t, at, p.to, name)
			}
		}
	}
}
