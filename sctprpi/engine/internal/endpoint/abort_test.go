package endpoint

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Section 9.1: the peer is told the reason, of which the first 1,000 bytes are sent.
func TestAbortGivesItsReason(t *testing.T) {
	for _, reason := range []string{"", "that is enough", strings.Repeat("x", 5000)} {
		p := newPair(t, socket.Config{Heartbeat: -1})
		id := p.connect()
		p.a.do(func(time.Duration) { require.NoError(t, p.a.Abort(id, reason)) })
		p.until("all ends", p.net.Idle)
		want := reason[:min(len(reason), 1000)]
		for _, c := range []struct {
			seen   []socket.Event
			remote bool
		}{{p.seenA, false}, {p.seenB, true}} {
			require.Equal(t, []socket.Kind{socket.Up, socket.Aborted}, kinds(c.seen))
			var abort *socket.AbortError
			require.ErrorAs(t, c.seen[1].Err, &abort)
			assert.Equal(t, socket.AbortError{Remote: c.remote, Cause: uint16(wire.CauseUserAbort), Reason: want}, *abort)
		}
		p.gone()
	}
}

// Abort ends an association in each state, with an ABORT for a peer that knows of it.
func TestAbortInEachState(t *testing.T) {
	for name, c := range map[string]struct {
		enter func(r *rig)
		told  bool
	}{
		"COOKIE-WAIT":       {func(r *rig) { r.dial() }, false},
		"COOKIE-ECHOED":     {func(r *rig) { r.dial(); r.initAck() }, true},
		"ESTABLISHED":       {func(r *rig) { r.accepted() }, true},
		"SHUTDOWN-PENDING":  {func(r *rig) { r.accepted(); r.send(text(0, "x")); r.shutdown() }, true},
		"SHUTDOWN-SENT":     {func(r *rig) { r.accepted(); r.shutdown() }, true},
		"SHUTDOWN-RECEIVED": {func(r *rig) { r.accepted(); r.send(text(0, "x")); r.say(wire.AppendShutdown(nil, r.said.TSN-1)) }, true},
		"SHUTDOWN-ACK-SENT": {func(r *rig) { r.accepted(); r.say(wire.AppendShutdown(nil, r.said.TSN-1)) }, true},
	} {
		r := newRig(t, socket.Config{})
		c.enter(r)
		require.Equal(t, name, r.byID[r.assoc].State().String())
		require.NoError(t, r.Abort(r.assoc, "why not"))
		sent := r.run()
		if c.told {
			require.Equal(t, [][]wire.ChunkType{{wire.TypeAbort}}, typesOf(sent), name)
			assert.Equal(t, r.offer.Tag, sent[0].Tag)
		} else {
			assert.Empty(t, sent)
		}
		assert.Equal(t, socket.Aborted, r.lastEvent().Kind, name)
		assert.ErrorIs(t, r.Abort(r.assoc, "again"), socket.ErrAssoc)
		assert.ErrorIs(t, r.Shutdown(r.now, r.assoc), socket.ErrAssoc)
		_, err := r.Send(r.now, r.assoc, []socket.Message{text(0, "x")})
		assert.ErrorIs(t, err, socket.ErrAssoc)
		_, err = r.Status(r.assoc)
		assert.ErrorIs(t, err, socket.ErrAssoc)
		assert.Empty(t, r.advance(time.Hour))
		r.gone()
	}
}

// An association that has ended, and whose last event has not been read, takes nothing.
func TestCallsBetweenTheEndAndItsEvent(t *testing.T) {
	r := newRig(t, socket.Config{})
	r.unread = true
	r.accepted()
	r.say(wire.AppendAbort(nil, false, nil))
	_, err := r.Send(r.now, r.assoc, []socket.Message{text(0, "x")})
	assert.ErrorIs(t, err, socket.ErrAssoc)
	assert.ErrorIs(t, r.Shutdown(r.now, r.assoc), socket.ErrAssoc)
	assert.ErrorIs(t, r.Abort(r.assoc, ""), socket.ErrAssoc)
	assert.ErrorIs(t, r.SetStreamValue(r.assoc, 0, 1), socket.ErrAssoc)
	assert.ErrorIs(t, r.Hold(r.assoc, 0, true), socket.ErrAssoc)
	status, err := r.Status(r.assoc)
	require.NoError(t, err)
	assert.False(t, status.Established)
	assert.Equal(t, 1, r.Associations())
	r.unread = false
	r.run()
	r.gone()
}

// What Send refuses, in each state in which it can.
func TestSendRefuses(t *testing.T) {
	check := func(r *rig) {
		for _, c := range []struct {
			m    socket.Message
			want error
		}{
			{socket.Message{}, socket.ErrEmpty},
			{socket.Message{Data: [][]byte{{}, nil}}, socket.ErrEmpty},
			{text(10, "x"), socket.ErrStream},
			{text(65535, "x"), socket.ErrStream},
			{text(0, strings.Repeat("x", 100_000)), socket.ErrTooLong},
		} {
			n, err := r.Send(r.now, r.assoc, []socket.Message{text(0, "taken"), c.m, text(0, "not taken")})
			assert.Equal(t, 1, n)
			assert.ErrorIs(t, err, c.want)
		}
		n, err := r.Send(r.now, 999, []socket.Message{text(0, "x")})
		assert.Zero(t, n)
		assert.ErrorIs(t, err, socket.ErrAssoc)
	}
	r := newRig(t, socket.Config{Streams: 10, SendBuffer: 50_000})
	r.dial()
	check(r)
	r = newRig(t, socket.Config{Streams: 10, SendBuffer: 50_000}).accepted()
	check(r)
}

// Close tells all peers.
func TestCloseAbortsAll(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	r.from = stranger
	r.offer.Tag++
	r.accepted()
	r.say(r.data(0, 0, "never read"))
	var b packet.Batch
	r.Close(r.now, &b)
	aborts := 0
	for i := range b.Packets() {
		for _, part := range b.Parts(&b.Packets()[i]) {
			if len(part) > wire.HeaderSize && firstTypeOf(part) == wire.TypeAbort {
				aborts++
			}
		}
	}
	assert.Equal(t, 2, aborts)
	r.Discard()
	r.gone()
	_, runs := r.Deadline()
	assert.False(t, runs)
	assert.False(t, r.Ready())
}
