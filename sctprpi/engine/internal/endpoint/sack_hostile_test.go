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

// Section 6.2.1: a SACK that says what cannot be is a protocol violation.
func TestImpossibleSacksEndTheAssociation(t *testing.T) {
	for name, make := range map[string]func(first wire.TSN) []byte{
		"of what was never sent":     func(f wire.TSN) []byte { return sack(f+4, 1<<20) },
		"far ahead":                  func(f wire.TSN) []byte { return sack(f+1<<30, 1<<20) },
		"gap of what was never sent": func(f wire.TSN) []byte { return sack(f-1, 1<<20, wire.GapBlock{Start: 3, End: 5}) },
		"gaps that overlap": func(f wire.TSN) []byte {
			return sack(f-1, 1<<20, wire.GapBlock{Start: 2, End: 3}, wire.GapBlock{Start: 3, End: 4})
		},
		"gaps out of order": func(f wire.TSN) []byte {
			return sack(f-1, 1<<20, wire.GapBlock{Start: 4, End: 4}, wire.GapBlock{Start: 2, End: 2})
		},
		"gap that ends before it starts": func(f wire.TSN) []byte { return sack(f-1, 1<<20, wire.GapBlock{Start: 3, End: 2}) },
		"gap at 0":                       func(f wire.TSN) []byte { return sack(f-1, 1<<20, wire.GapBlock{Start: 0, End: 2}) },
		"gap at the cumulative TSN":      func(f wire.TSN) []byte { return sack(f-1, 1<<20, wire.GapBlock{Start: 1, End: 2}) },
		"more gaps than there are": func(f wire.TSN) []byte {
			b := sack(f-1, 1<<20)
			b[13] = 200
			return b
		},
		"shorter than its fields": func(wire.TSN) []byte { return []byte{byte(wire.TypeSACK), 0, 0, 8, 1, 2, 3, 4} },
	} {
		r := newRig(t, socket.Config{}).accepted()
		r.send(lent(0, "1"), lent(0, "2"), lent(0, "3"), lent(0, "4"))
		sent := r.say(make(r.said.TSN))
		assert.Equal(t, []wire.CauseCode{wire.CauseProtocolViolation}, r.causes(sent, wire.TypeAbort), name)
		assert.Equal(t, socket.Aborted, r.lastEvent().Kind, name)
		assert.Len(t, r.events, 6, "up, four messages that come back, aborted")
		r.gone()
	}
}

// An old SACK, overtaken by a newer one, changes nothing.
func TestSackThatWasOvertaken(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	r.send(lent(0, "1"), lent(0, "2"))
	r.say(sack(r.said.TSN+1, 1<<20))
	assert.Equal(t, []socket.Kind{socket.Up, socket.Released, socket.Released}, r.happened())
	assert.Empty(t, r.say(sack(r.said.TSN-1, 0, wire.GapBlock{Start: 2, End: 2})))
	status, err := r.Status(r.assoc)
	require.NoError(t, err)
	assert.Equal(t, 1<<20, status.PeerWindow)
	assert.True(t, status.Established)
}

// A peer that takes back what it has acknowledged by gaps gets it again, as often as it
// likes, and in the end all is well.
func TestPeerThatReneges(t *testing.T) {
	r := newRig(t, socket.Config{AssocRetransmissions: 1000, PathRetransmissions: 1000, RTOMax: time.Second}).accepted()
	r.send(lent(0, "1"), lent(0, "2"), lent(0, "3"))
	for range 50 {
		r.say(sack(r.said.TSN-1, 1<<20, wire.GapBlock{Start: 2, End: 3}))
		r.say(sack(r.said.TSN-1, 1<<20))
		r.advance(100 * time.Millisecond)
	}
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())
	status, err := r.Status(r.assoc)
	require.NoError(t, err)
	assert.Equal(t, 3, status.Outstanding)
	r.say(sack(r.said.TSN+2, 1<<20))
	assert.Len(t, r.events, 4)
	assert.Equal(t, socket.Acknowledged, r.lastEvent().Outcome)
}

// A peer that acknowledges before it has received makes this end send no faster than
// what it has acknowledged: what it acknowledges must have been sent.
func TestOptimisticAcknowledgement(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	big := text(0, string(make([]byte, 200_000)))
	sent := r.send(big)
	before := len(sent)
	assert.LessOrEqual(t, before, 12, "the initial window")
	r.t.Logf("%d packets in the initial window", before)
	next := r.said.TSN + wire.TSN(before) + 3 // not sent yet
	assert.Equal(t, []wire.CauseCode{wire.CauseProtocolViolation}, r.causes(r.say(sack(next, 1<<20)), wire.TypeAbort))
}

// Section 8.3: HEARTBEAT ACKs that answer no heartbeat of ours do nothing, however
// they look.
func TestHeartbeatAcksThatAnswerNothing(t *testing.T) {
	r := newRig(t, socket.Config{Heartbeat: 10 * time.Second, PathRetransmissions: 1, AssocRetransmissions: 3}).accepted()
	sent := r.advance(20 * time.Second)
	info, err := wire.ParseHeartbeat(r.chunk(sent, wire.TypeHeartbeat))
	require.NoError(t, err)
	forged := func(i int, by byte) []byte {
		b := append([]byte(nil), info...)
		b[i] ^= by
		return wire.AppendHeartbeatAck(nil, b)
	}
	for _, b := range [][]byte{
		forged(0, 1), forged(7, 1), forged(8, 1), forged(8, 255), forged(9, 3),
		wire.AppendHeartbeatAck(nil, nil), wire.AppendHeartbeatAck(nil, info[:11]), wire.AppendHeartbeatAck(nil, append(info, 0)),
		wire.AppendHeartbeatAck(nil, make([]byte, 12)),
		{byte(wire.TypeHeartbeatAck), 0, 0, 4}, {byte(wire.TypeHeartbeatAck), 0, 0, 8, 0, 1, 0, 0}, {byte(wire.TypeHeartbeatAck), 0, 0, 8, 0, 1, 0, 200},
	} {
		assert.Empty(t, r.say(b))
	}
	r.advance(10 * time.Minute)
	assert.Equal(t, []socket.Kind{socket.Up, socket.PathDown, socket.Lost}, r.happened())
	r.gone()
}

// A peer that shows every second chunk in one SACK and the others in the next, takes back
// what it has shown, and names each TSN as a duplicate, over and over, makes nothing grow
// and nothing be lost.
func TestSacksWithAbsurdGapBlocks(t *testing.T) {
	r := newRig(t, socket.Config{AssocRetransmissions: 10_000, PathRetransmissions: 10_000, RTOMax: time.Second}).accepted()
	messages := make([]socket.Message, 1000)
	for i := range messages {
		messages[i] = lent(socket.StreamID(i%10), "x")
	}
	sent := 0
	for _, p := range r.send(messages...) {
		sent += len(p.chunks)
	}
	var odd, even wire.GapBlocks
	for i := uint16(2); int(i)+1 <= sent; i += 2 {
		odd, even = odd.Append(wire.GapBlock{Start: i, End: i}), even.Append(wire.GapBlock{Start: i + 1, End: i + 1})
	}
	require.Greater(t, odd.Len(), 100)
	var duplicates wire.Numbers[wire.TSN]
	for i := range 10_000 {
		duplicates = duplicates.Append(r.said.TSN + wire.TSN(i))
	}
	absurd := func(gaps wire.GapBlocks) []byte {
		return r.pack(r.said.Tag, wire.AppendSACK(nil, &wire.SACK{
			CumulativeTSN: r.said.TSN - 1, Window: 1 << 20, GapBlocks: gaps, Duplicates: duplicates,
		}))
	}
	packets := [][]byte{absurd(odd), absurd(even)}
	before := heaptest.InUse()
	resent := 0
	for i := range 500 {
		resent += len(r.give(r.from, packets[i%2]))
	}
	assert.Less(t, heaptest.InUse()-before, 512<<10)
	t.Logf("%d chunks, %d packets in answer to 500", sent, resent)
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())

	// An honest SACK brings it all to an end.
	for n := 0; len(r.events) < 1+len(messages); n++ {
		require.Less(t, n, 100)
		for _, p := range r.advance(time.Second) {
			sent = max(sent, lastChunk(r, &p))
		}
		for _, p := range r.say(sack(r.said.TSN-1+wire.TSN(sent), 1<<20)) {
			sent = max(sent, lastChunk(r, &p))
		}
	}
	for _, e := range r.events[1:] {
		require.Equal(t, socket.Acknowledged, e.Outcome)
	}
}

// lastChunk returns how many TSNs have been sent up to the last one in a packet.
func lastChunk(r *rig, p *sentPacket) (n int) {
	for _, c := range p.chunks {
		if c.Type == wire.TypeData {
			d, err := wire.ParseData(c)
			require.NoError(r.t, err)
			n = d.TSN.Sub(r.said.TSN - 1)
		}
	}
	return n
}
