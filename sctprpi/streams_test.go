package sctprpi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// TestStreamsHaveOnePurpose, as far as there are enough: control, matching, bodies.
func TestStreamsHaveOnePurpose(t *testing.T) {
	for streams := 3; streams <= 1<<16-1; streams = streams*3/2 + 1 {
		l := newLayout(streams)
		require.Equal(t, streams, 1+l.matching+l.bodies)
		require.Positive(t, l.matching)
		require.LessOrEqual(t, l.bodies, bodyStreams)
		assert.Equal(t, control, l.of(header.Credit, 0, 0))
		for n := range uint(1000) {
			s := l.of(header.Eager, matching.Tag(n), matching.Context(n%7))
			require.Greater(t, s, control)
			require.LessOrEqual(t, int(s), l.matching)
			b := l.body(n)
			require.Greater(t, int(b), l.matching)
			require.Less(t, int(b), streams)
		}
	}
}

// TestFewStreams carry everything all the same.
func TestFewStreams(t *testing.T) {
	one, two := newLayout(1), newLayout(2)
	assert.Equal(t, control, one.of(header.Eager, 1, 2))
	assert.Equal(t, control, one.body(5))
	assert.Equal(t, socket.StreamID(1), two.of(header.Eager, 1, 2))
	assert.Equal(t, socket.StreamID(1), two.body(5))
	assert.Equal(t, control, two.of(header.CTS, 0, 0))
}

// TestRetractionFollowsItsMessage, which it must not overtake.
func TestRetractionFollowsItsMessage(t *testing.T) {
	l := newLayout(1024)
	for tag := range matching.Tag(100) {
		require.Equal(t, l.of(header.Eager, tag, 9), l.of(header.Retract, tag, 9))
	}
}

// TestCollectivesHaveOneStream, whatever their tags: they come in order.
func TestCollectivesHaveOneStream(t *testing.T) {
	l := newLayout(1024)
	for tag := range matching.Tag(100) {
		require.Equal(t, l.of(header.Eager, 0, 8|rpi.InOrder), l.of(header.RTS, tag, 8|rpi.InOrder))
	}
	assert.NotEqual(t, l.of(header.Eager, 0, 8|rpi.InOrder), l.of(header.Eager, 0, 10|rpi.InOrder))
}

// TestTagsSpread over the streams, though programs use small neighbouring ones.
func TestTagsSpread(t *testing.T) {
	l := newLayout(1024)
	used := map[socket.StreamID]bool{}
	for tag := range matching.Tag(100) {
		for c := range matching.Context(10) {
			used[l.of(header.Eager, tag, 2*c)] = true
		}
	}
	// A thousand at random leave about 1/e of the streams empty.
	assert.Greater(t, len(used), l.matching/2)
}

// TestUsedStreams are counted once each, without that of control.
func TestUsedStreams(t *testing.T) {
	u := newUsedStreams(1024)
	for _, s := range []socket.StreamID{control, 1, 63, 64, 64, 1023} {
		u.add(s)
	}
	assert.Equal(t, 4, u.count())
	assert.Zero(t, usedStreams(nil).count(), "there is no association yet")
}
