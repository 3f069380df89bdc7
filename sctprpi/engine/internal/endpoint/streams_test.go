package endpoint

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// A stream number of the user's is looked at before it is used, in each direction's own
// range, as the peer's are.
func TestStreamNumbersOfTheUserAreChecked(t *testing.T) {
	r := newRig(t, socket.Config{Streams: 8})
	r.offer.InStreams, r.offer.OutStreams = 4, 6 // outbound and inbound here
	r.accepted()
	var events [1]socket.Event
	for _, c := range []struct {
		stream  socket.StreamID
		out, in bool
	}{{3, true, true}, {4, false, true}, {5, false, true}, {6, false, false}, {64, false, false}, {65_535, false, false}} {
		check := func(what string, err error, exists bool) {
			if exists {
				assert.NoError(t, err, "%s %d", what, c.stream)
			} else {
				assert.ErrorIs(t, err, socket.ErrStream, "%s %d", what, c.stream)
			}
		}
		_, err := r.Send(r.now, r.assoc, []socket.Message{text(c.stream, "x")})
		check("Send", err, c.out)
		check("SetStreamValue", r.SetStreamValue(r.assoc, c.stream, 1), c.out)
		check("Hold", r.Hold(r.assoc, c.stream, true), c.in)
		_, err = r.StreamReady(r.assoc, c.stream)
		check("StreamReady", err, c.in)
		_, err = r.PollStream(r.assoc, c.stream, events[:])
		check("PollStream", err, c.in)
	}
}

// Before the peer's numbers are known there are no streams to receive from.
func TestStreamNumbersBeforeUp(t *testing.T) {
	r := newRig(t, socket.Config{Streams: 8})
	r.dial()
	var events [1]socket.Event
	n, err := r.PollStream(r.assoc, 0, events[:])
	assert.Zero(t, n)
	assert.ErrorIs(t, err, socket.ErrStream)
	assert.Error(t, r.Hold(r.assoc, 0, true))
	assert.Error(t, r.SetStreamValue(r.assoc, 0, 1))
	ready, _ := r.StreamReady(r.assoc, 0)
	assert.False(t, ready)
	streams, err := r.ReadyStreams(r.assoc, nil)
	require.NoError(t, err)
	assert.Empty(t, streams)
}
