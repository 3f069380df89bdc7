package rx

import (
	"cmp"
	"slices"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/list"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// stream is an inbound stream.
type stream struct {
	id    socket.StreamID
	bytes int // held for it
	// next is the number of the ordered message whose turn it is.
	next uint32
	// ordered and unordered are messages in part, the ordered ones and those
	// that wait for their turn too, by number. Unordered messages of DATA chunks
	// have none and are in Reassembly.unordered.
	ordered, unordered lane
	// floor is what the numbers of unordered messages start at: those before it
	// are over. It is moved by skipping, and so as to stay within reach.
	floor uint32
	// ready are fragments to be delivered; a stream that has any is in a line: that
	// of those onHold, or that of those whose turn comes.
	ready  list.List[fragment]
	onHold bool
	place  list.Link[stream]
	credit *credit // nil until something has been read that the peer must know of
}

// reach is how far ahead of floor a number may be before floor follows. A message
// in part stays less than 65,536 behind, or its TSN could not arrive any more.
const reach = 1 << 30

// raiseFloor makes floor follow a number, but not past a message in part.
func (s *stream) raiseFloor(seq uint32) {
	floor := seq - reach
	if before(s.floor, floor) < 0 && (len(s.unordered) == 0 || before(floor, s.unordered[0].seq) <= 0) {
		s.floor = floor
	}
}

// lane holds messages of a stream by number, as counted from a base that the
// caller knows: an order that holds for whatever numbers a peer makes up.
type lane []*message

// find returns where in the lane the message seq is or belongs.
func (l lane) find(seq, base uint32) (int, bool) {
	if n := len(l); n == 0 || l[n-1].seq-base < seq-base {
		return n, false
	}
	return slices.BinarySearchFunc(l, seq-base, func(m *message, ahead uint32) int {
		return cmp.Compare(m.seq-base, ahead)
	})
}

// spare is how long a list's memory may be to be kept when the list is empty.
const spare = 16

// cut takes those from i up to but not including j away. Memory for many is given
// up with the last, so that not all that ever had many keep it.
func cut[S ~[]E, E any](list S, i, j int) S {
	if j-i == len(list) && cap(list) > spare {
		return nil
	}
	return slices.Delete(list, i, j)
}
