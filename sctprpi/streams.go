package sctprpi

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// control is the stream of the handshake and of control frames.
const control socket.StreamID = 0

// layout says what the outbound streams of an association are for: 0 for control,
// then those of matching, then those of bodies, as far as there are enough. With one
// stream it carries everything, with two the second carries all but control.
type layout struct {
	matching, bodies int
}

// bodyStreams is how many streams the bodies of long messages have at most. Each
// takes the fragments of one message in order, and messages take streams in turn: a
// lost packet holds up one in so many of the long messages under way. More would
// gain little, and take from the streams where order matters to latency.
const bodyStreams = 16

func newLayout(streams int) layout {
	bodies := min(max(streams/4, 1), bodyStreams)
	if streams < 3 {
		bodies = 0
	}
	return layout{matching: max(streams-1-bodies, 0), bodies: bodies}
}

// of returns the stream of a frame that is not a body. A request to forget a message
// must not overtake it. Messages that come in order whatever their tags have one stream
// for all: what is kept of a stream would not stay in the cache with each call's own.
func (l layout) of(k matching.Kind, tag matching.Tag, context matching.Context) socket.StreamID {
	if l.matching == 0 || !k.Matches() && k != matching.Retract {
		return control
	}
	if context&rpi.InOrder != 0 {
		tag = 0
	}
	return socket.StreamID(1 + hash(tag, context)%uint64(l.matching))
}

// body returns the stream of the nth long message.
func (l layout) body(n uint) socket.StreamID {
	switch {
	case l.bodies > 0:
		return socket.StreamID(1 + l.matching + int(n%uint(l.bodies)))
	case l.matching > 0:
		return 1
	}
	return control
}

// hash mixes a tag and a context, of which programs use small neighbouring numbers
// (the finalizer of SplitMix64).
func hash(tag matching.Tag, context matching.Context) uint64 {
	x := uint64(context)*0x9e3779b97f4a7c15 + uint64(tag)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
