package endpoint

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Section 5.1.1: the number of streams is the lower of what one side wants and the
// other allows, in each direction.
func TestStreamsAreNegotiatedDown(t *testing.T) {
	for _, dials := range []bool{false, true} {
		r := newRig(t, socket.Config{Streams: 100})
		r.offer.OutStreams, r.offer.InStreams = 300, 7
		if dials {
			r.dialed()
		} else {
			r.accepted()
		}
		status, err := r.Status(r.assoc)
		require.NoError(t, err)
		assert.Equal(t, 7, status.Outbound)
		assert.Equal(t, 100, status.Inbound)
		_, err = r.Send(r.now, r.assoc, []socket.Message{text(7, "x")})
		assert.ErrorIs(t, err, socket.ErrStream)
	}
}

// A message for a stream that the peer turns out not to offer cannot be sent. The association ends,
// because the error can be reported in no other way, and all messages come back.
func TestEarlyMessageForAStreamThatThePeerDoesNotOffer(t *testing.T) {
	r := newRig(t, socket.Config{})
	r.offer.InStreams = 4
	r.dial()
	lend := func(stream socket.StreamID) socket.Message {
		m := text(stream, "x")
		m.ZeroCopy, m.Owner = true, stream
		return m
	}
	r.send(lend(1), lend(4), lend(2))
	r.initAck()
	sent := r.say(wire.AppendCookieAck(nil))
	assert.Equal(t, []wire.CauseCode{wire.CauseUserAbort}, r.causes(sent, wire.TypeAbort))
	assert.Equal(t, []socket.Kind{socket.Up, socket.Released, socket.Released, socket.Released, socket.Aborted}, r.happened())
	for _, e := range r.events[1:4] {
		assert.Equal(t, socket.Unsent, e.Outcome)
	}
	r.gone()
}
