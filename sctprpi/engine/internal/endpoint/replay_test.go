package endpoint

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Section 5.1.5: nothing is kept of an association that has ended. So its COOKIE ECHO, late or
// recorded by an attacker on the path, makes another one while the cookie lives. That one gets
// nothing more from the peer: the peer answers its first packet with an ABORT chunk (section 8.4),
// or heartbeats find that there is no peer.
func TestCookieAfterTheEndOfItsAssociation(t *testing.T) {
	for name, end := range map[string]func(r *rig){
		"the peer answers": func(r *rig) {
			b := r.pack(r.offer.Tag, wire.AppendAbort(nil, true, nil))
			assert.Empty(r.t, r.give(r.from, b))
			assert.Equal(r.t, socket.Aborted, r.lastEvent().Kind)
		},
		"no answer": func(r *rig) {
			r.advance(time.Hour)
			assert.Equal(r.t, socket.Lost, r.lastEvent().Kind)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, socket.Config{CookieLife: time.Minute, MaxAssociations: 1})
			echo := wire.AppendCookieEcho(nil, r.cookie())
			r.say(echo)
			r.isUp()
			r.shutdown()
			r.say(wire.AppendShutdownAck(nil))
			r.gone()

			for range 3 {
				r.chunk(r.say(echo), wire.TypeCookieAck)
			}
			assert.Equal(t, 1, r.Associations())
			end(r)
			r.gone()

			r.now += time.Minute + time.Millisecond
			assert.Equal(t, []wire.CauseCode{wire.CauseStaleCookie}, r.causes(r.say(echo), wire.TypeError))
			r.gone()
		})
	}
}

// What an association was told while it lived does nothing to the next one with the
// same peer, at the same address and port.
func TestPacketsOfAnEarlierAssociation(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	old := r.said.Tag
	data, abort := r.pack(old, r.data(0, 0, "old")), r.pack(old, wire.AppendAbort(nil, false, nil))
	beat, shutdown := r.pack(old, wire.AppendHeartbeat(nil, []byte("old"))), r.pack(old, wire.AppendShutdown(nil, r.said.TSN-1))
	require.NoError(t, r.Abort(r.assoc, ""))
	r.run()
	r.gone()
	r.forget()
	r.accepted()
	seen := len(r.events)
	for _, b := range [][]byte{data, beat, shutdown, abort} {
		assert.Empty(t, r.give(r.from, b))
	}
	assert.Len(t, r.events, seen)
	r.chunk(r.say(r.data(0, 0, "new")), wire.TypeSACK)
}
