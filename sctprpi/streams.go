package sctprpi

import (
	"math/bits"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// control is the stream of control frames.
const control = associations.Control

// layout says which outbound stream of an association a message takes. Stream 0 is for control. The
// next ones are for messages: those of a TRC, one tag and context, have the same stream, see of. The
// last ones are for the bodies of long messages. With one stream it carries everything. With two the
// second carries all but control.
type layout struct {
	matching, bodies int
}

// bodyStreams is the greatest number of streams for the bodies of long messages. Each stream
// carries the fragments of a message in order, and messages take streams in turn: a lost packet
// delays only a sixteenth of the long messages in progress. More streams would gain little, and
// leave fewer for short messages, whose order matters to latency.
const bodyStreams = 16

func newLayout(streams int) layout {
	bodies := min(max(streams/4, 1), bodyStreams)
	if streams < 3 {
		bodies = 0
	}
	return layout{matching: max(streams-1-bodies, 0), bodies: bodies}
}

// of returns the stream of a frame that is not a body. A Retract must not overtake the message that
// it retracts, so it has the same stream. All messages of a context with rpi.InOrder have one
// stream: the state of many streams would not stay in the cache.
func (l layout) of(k header.Kind, tag matching.Tag, context matching.Context) socket.StreamID {
	if l.matching == 0 || !k.Matches() && k != header.Retract {
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

// usedStreams notes which streams have been used, a bit for each.
type usedStreams []uint64

func newUsedStreams(streams int) usedStreams { return make(usedStreams, (streams+63)/64) }

func (u usedStreams) add(s socket.StreamID) { u[s/64] |= 1 << (s % 64) }

// count is how many there are beside that of control.
func (u usedStreams) count() (n int) {
	for i, set := range u {
		if i == 0 {
			set &^= 1 << control
		}
		n += bits.OnesCount64(set)
	}
	return n
}

// hash mixes a tag and a context, since programs use small neighbouring numbers (the finalizer of
// SplitMix64).
func hash(tag matching.Tag, context matching.Context) uint64 {
	x := uint64(context)*0x9e3779b97f4a7c15 + uint64(tag)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
