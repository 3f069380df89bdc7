package endpoint

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// shutdown has the Endpoint's user end the association, and returns the packets.
func (r *rig) shutdown() []sentPacket {
	r.t.Helper()
	require.NoError(r.t, r.Shutdown(r.now, r.assoc))
	return r.run()
}

// Section 9.2: SHUTDOWN waits until all that was queued has been acknowledged.
func TestShutdownWaitsForTheData(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	first := r.send(text(0, strings.Repeat("x", 20_000)))
	sent := r.shutdown()
	assert.Empty(t, sent)
	n := wire.TSN(len(first))
	for range 100 {
		sent = r.say(sack(r.said.TSN+n-1, 1<<20))
		if len(sent) == 1 && sent[0].chunks[0].Type == wire.TypeShutdown {
			break
		}
		require.NotEmpty(t, sent)
		for _, p := range sent {
			require.Equal(t, wire.TypeData, p.chunks[0].Type)
			n += wire.TSN(len(p.chunks))
		}
	}
	cumulative, err := wire.ParseShutdown(r.chunk(sent, wire.TypeShutdown))
	require.NoError(t, err)
	assert.Equal(t, r.offer.TSN-1, cumulative)
	sent = r.say(wire.AppendShutdownAck(nil))
	assert.Equal(t, [][]wire.ChunkType{{wire.TypeShutdownComplete}}, typesOf(sent))
	assert.False(t, sent[0].chunks[0].Reflected())
	assert.Equal(t, []socket.Kind{socket.Up, socket.Closed}, r.happened())
	r.gone()
}

// Section 9.2: in SHUTDOWN-SENT what the peer still sends is delivered, and answered
// with SACK and SHUTDOWN.
func TestDataInShutdownSent(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	r.shutdown()
	for n := range wire.SSN(3) {
		sent := r.say(r.data(0, n, "late"))
		assert.Equal(t, [][]wire.ChunkType{{wire.TypeSACK, wire.TypeShutdown}}, typesOf(sent))
		cumulative, err := wire.ParseShutdown(r.chunk(sent, wire.TypeShutdown))
		require.NoError(t, err)
		assert.Equal(t, r.tsn-1, cumulative)
		assert.Equal(t, "late", string(r.lastEvent().Payload))
	}
}

// Section 9.2: in SHUTDOWN-RECEIVED this end sends what was queued, and then
// SHUTDOWN ACK. SHUTDOWN acknowledges like a SACK.
func TestShutdownReceivedSendsTheRest(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	r.send(lent(0, "one"), lent(0, "two"))
	assert.Empty(t, r.say(wire.AppendShutdown(nil, r.said.TSN-1)))
	assert.Equal(t, []socket.Kind{socket.Up, socket.PeerShutdown}, r.happened())
	_, err := r.Send(r.now, r.assoc, []socket.Message{text(0, "x")})
	assert.ErrorIs(t, err, socket.ErrShutdown)
	assert.Empty(t, r.say(wire.AppendShutdown(nil, r.said.TSN)))
	sent := r.say(wire.AppendShutdown(nil, r.said.TSN+1))
	assert.Equal(t, [][]wire.ChunkType{{wire.TypeShutdownAck}}, typesOf(sent))
	assert.Empty(t, r.say(wire.AppendShutdownComplete(nil, false)))
	assert.Equal(t, []socket.Kind{socket.Up, socket.PeerShutdown, socket.Released, socket.Released, socket.Closed}, r.happened())
	r.gone()
}

// Section 9.2: when both ends shut down, both send SHUTDOWN ACK, and whoever gets one
// is done. Until then the user knows that the peer has nothing more to say.
func TestBothEndsShutDown(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	r.shutdown()
	sent := r.say(wire.AppendShutdown(nil, r.said.TSN-1))
	assert.Equal(t, [][]wire.ChunkType{{wire.TypeShutdownAck}}, typesOf(sent))
	assert.Equal(t, []socket.Kind{socket.Up, socket.PeerShutdown}, r.happened())
	sent = r.say(wire.AppendShutdownAck(nil))
	assert.Equal(t, [][]wire.ChunkType{{wire.TypeShutdownComplete}}, typesOf(sent))
	assert.Equal(t, []socket.Kind{socket.Up, socket.PeerShutdown, socket.Closed}, r.happened())
	r.gone()

	p := newPair(t, socket.Config{Heartbeat: -1})
	id := p.connect()
	p.send(p.a, id, text(0, "from a"))
	p.send(p.b, p.seenB[0].Assoc, text(0, "from b"))
	p.a.do(func(now time.Duration) { require.NoError(t, p.a.Shutdown(now, id)) })
	p.b.do(func(now time.Duration) { require.NoError(t, p.b.Shutdown(now, p.seenB[0].Assoc)) })
	p.until("all ends", p.net.Idle)
	assert.Equal(t, socket.Closed, p.seenA[len(p.seenA)-1].Kind)
	assert.Equal(t, socket.Closed, p.seenB[len(p.seenB)-1].Kind)
	assert.Equal(t, []string{"from a"}, p.dataB)
	assert.Equal(t, []string{"from b"}, p.dataA)
	p.gone()
}

// Section 9.2: a SHUTDOWN that comes again in SHUTDOWN-ACK-SENT says that the answer
// was lost.
func TestShutdownAckIsSentAgain(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	for range 3 {
		sent := r.say(wire.AppendShutdown(nil, r.said.TSN-1))
		assert.Equal(t, [][]wire.ChunkType{{wire.TypeShutdownAck}}, typesOf(sent))
	}
	assert.Equal(t, []socket.Kind{socket.Up, socket.PeerShutdown}, r.happened())
}

// A SHUTDOWN that acknowledges what was never sent is a violation, as a SACK would be.
func TestShutdownOfWhatWasNeverSent(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	sent := r.say(wire.AppendShutdown(nil, r.said.TSN))
	assert.Equal(t, []wire.CauseCode{wire.CauseProtocolViolation}, r.causes(sent, wire.TypeAbort))
	r.gone()
}

// Section 9.2: a peer that vanishes meanwhile is given up, and one that is there and
// never finishes is aborted by T5 after five times RTO.Max.
func TestShutdownThatThePeerDoesNotFinish(t *testing.T) {
	r := newRig(t, socket.Config{RTOMax: 2 * time.Second}).accepted()
	r.shutdown()
	sent := r.advance(time.Hour)
	assert.Equal(t, []socket.Kind{socket.Up, socket.Aborted}, r.happened(), "T5 comes first")
	r.chunk(sent, wire.TypeAbort)
	r.gone()

	r = newRig(t, socket.Config{AssocRetransmissions: 3, PathRetransmissions: 5}).accepted()
	r.say(wire.AppendShutdown(nil, r.said.TSN-1))
	r.advance(time.Hour)
	assert.Equal(t, []socket.Kind{socket.Up, socket.PeerShutdown, socket.Lost}, r.happened())
	r.gone()

	r = newRig(t, socket.Config{RTOMax: 2 * time.Second}).accepted()
	r.shutdown()
	started := r.now
	for ssn := wire.SSN(0); len(r.happened()) == 1; ssn++ {
		require.Less(t, r.now-started, time.Minute)
		r.advance(100 * time.Millisecond)
		r.say(r.data(0, ssn, "I have not finished")) // which the peer may
	}
	assert.Equal(t, []socket.Kind{socket.Up, socket.Aborted}, r.happened())
	assert.InDelta(t, 10, (r.now - started).Seconds(), 0.2)
	r.gone()
}

// Section 8.3: no HEARTBEAT once SHUTDOWN or SHUTDOWN ACK has been sent.
func TestNoHeartbeatsAfterShutdown(t *testing.T) {
	for _, received := range []bool{false, true} {
		r := newRig(t, socket.Config{Heartbeat: time.Second, RTOMax: 60 * time.Second}).accepted()
		beat := r.advance(3 * time.Second)
		info, err := wire.ParseHeartbeat(r.chunk(beat, wire.TypeHeartbeat))
		require.NoError(t, err)
		if received {
			r.say(wire.AppendShutdown(nil, r.said.TSN-1))
		} else {
			r.shutdown()
		}
		sent := r.say(wire.AppendHeartbeatAck(nil, info))
		sent = append(sent, r.advance(20*time.Second)...)
		for _, p := range sent {
			assert.NotContains(t, p.types(), wire.TypeHeartbeat)
		}
	}
}

// Shutdown before the association is up takes effect when it is, after what was sent.
func TestShutdownBeforeUp(t *testing.T) {
	p := newPair(t, socket.Config{Heartbeat: -1})
	p.a.do(func(now time.Duration) {
		id, err := p.a.Connect(now, p.b.addr()...)
		require.NoError(t, err)
		_, err = p.a.Send(now, id, []socket.Message{text(0, "only this")})
		require.NoError(t, err)
		require.NoError(t, p.a.Shutdown(now, id))
		_, err = p.a.Send(now, id, []socket.Message{text(0, "too late")})
		require.ErrorIs(t, err, socket.ErrShutdown)
	})
	p.until("all ends", p.net.Idle)
	assert.Equal(t, []string{"only this"}, p.dataB)
	assert.Equal(t, []socket.Kind{socket.Up, socket.Closed}, kinds(p.seenA))
	assert.Equal(t, []socket.Kind{socket.Up, socket.PeerShutdown, socket.Closed}, kinds(p.seenB))
	p.gone()
}
