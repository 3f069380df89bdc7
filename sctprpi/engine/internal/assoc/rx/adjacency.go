package rx

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// adjacency checks that chunks with consecutive TSNs can follow one another: the
// fragments of a message have consecutive TSNs (RFC 9260, section 6.9). It keeps
// what it needs of each chunk until both its neighbours have arrived, 12 bytes, in
// a table that is as long as the TSNs that may arrive are apart, 65,536 at most, and
// gets short again when none is missing. When the last one ends a message too, as is
// usual, the table is empty.
type adjacency struct {
	slots []neighbour // a power of two of places; a TSN's is its low bits
	// lenient: the peer may abandon messages, and go on with the next message in
	// place of the rest of one.
	lenient bool
	// past: TSNs up to here will not arrive any more. ended: its chunk has arrived and
	// ends a message, which is all that is kept of it.
	past  wire.TSN
	ended bool
	// open counts the slots that are set.
	open int
}

// neighbour is what is kept of a chunk.
type neighbour struct {
	tsn    wire.TSN
	stream socket.StreamID
	ssn    wire.SSN
	flags  wire.DataFlags // B, E and U
	set    bool
	// left and right: the chunk before and after has arrived or never will. When
	// both have, nothing is kept.
	left, right bool
}

// The least places in the table, and the most, which take 12 KiB, that it keeps when
// no chunk but the next one is missing.
const (
	minAdjacency  = 8
	keptAdjacency = 1024
)

func newAdjacency(initial wire.TSN, lenient bool) adjacency {
	return adjacency{slots: make([]neighbour, minAdjacency), lenient: lenient, past: initial - 1}
}

func (a *adjacency) slot(tsn wire.TSN) *neighbour { return &a.slots[int(tsn)&(len(a.slots)-1)] }

// get returns what is kept of a TSN, or nil.
func (a *adjacency) get(tsn wire.TSN) *neighbour {
	if n := a.slot(tsn); n.set && n.tsn == tsn {
		return n
	}
	return nil
}

func neighbourOf(d *wire.Data) neighbour {
	return neighbour{
		tsn: d.TSN, stream: d.Stream, ssn: d.SSN, set: true,
		flags: d.Flags & (whole | wire.FlagUnordered),
	}
}

// check validates a chunk against its neighbours.
func (a *adjacency) check(d *wire.Data) error {
	switch {
	case a.ended && d.TSN == a.past+1 && d.Flags&wire.FlagBegin == 0:
		return ErrFragmentOrder
	case a.open == 0:
		return nil
	}
	n := neighbourOf(d)
	if before := a.get(d.TSN - 1); before != nil && !a.mayFollow(before, &n) {
		return ErrFragmentOrder
	}
	if after := a.get(d.TSN + 1); after != nil && !a.mayFollow(&n, after) {
		return ErrFragmentOrder
	}
	return nil
}

func (a *adjacency) mayFollow(n, next *neighbour) bool {
	if next.flags&wire.FlagBegin != 0 {
		return n.flags&wire.FlagEnd != 0 || a.lenient
	}
	unordered := n.flags & wire.FlagUnordered
	return n.flags&wire.FlagEnd == 0 && n.stream == next.stream &&
		unordered == next.flags&wire.FlagUnordered && (unordered != 0 || n.ssn == next.ssn)
}

// put keeps a chunk that has been taken.
func (a *adjacency) put(d *wire.Data) {
	ends := d.Flags&wire.FlagEnd != 0
	if ends && a.open == 0 && d.TSN == a.past+1 {
		a.past, a.ended = d.TSN, true
		return
	}
	if uint32(d.TSN-a.past) > 2*maxAhead {
		a.skip(d.TSN - maxAhead - 1) // else this would be Beyond
	}
	n := neighbourOf(d)
	n.left = (d.TSN - 1).LessEqual(a.past)
	if before := a.get(d.TSN - 1); before != nil {
		n.left = true
		a.meet(before, false, true)
	}
	if after := a.get(d.TSN + 1); after != nil {
		n.right = true
		a.meet(after, true, false)
	}
	switch {
	case ends && a.open == 0 && n.left: // so none is missing, and none is beyond
		a.past, a.ended = d.TSN, true
	case !n.left || !n.right:
		a.keep(n)
	}
	a.shrink()
}

// shrink gives up most of a long table when no chunk but the next one is missing.
func (a *adjacency) shrink() {
	if a.open <= 1 && len(a.slots) > keptAdjacency {
		a.resize(keptAdjacency)
	}
}

// keep adds n to the table.
func (a *adjacency) keep(n neighbour) {
	for a.slot(n.tsn).set && len(a.slots) <= maxAhead {
		a.resize(2 * len(a.slots))
	}
	slot := a.slot(n.tsn)
	if !slot.set {
		a.open++
	}
	*slot = n
}

// meet notes that a neighbour of what is kept needs no checking any more.
func (a *adjacency) meet(n *neighbour, left, right bool) {
	n.left, n.right = n.left || left, n.right || right
	if n.left && n.right {
		n.set = false
		a.open--
	}
}

// resize moves what is kept, which must fit without a collision.
func (a *adjacency) resize(n int) {
	old := a.slots
	a.slots = make([]neighbour, n)
	for i := range old {
		if old[i].set {
			*a.slot(old[i].tsn) = old[i]
		}
	}
}

// skip says that TSNs up to tsn will not arrive any more. It takes time for their
// number, or that of the slots if they are fewer.
func (a *adjacency) skip(tsn wire.TSN) {
	if !a.past.Less(tsn) {
		return
	}
	first := a.past // whose right neighbour is the first that is skipped
	a.past, a.ended = tsn, false
	for i := range min(tsn.Sub(first)+2, len(a.slots)) {
		if n := a.slot(first + wire.TSN(i)); n.set {
			a.meet(n, (n.tsn - 1).LessEqual(tsn), n.tsn.Less(tsn))
		}
	}
	a.shrink()
}
