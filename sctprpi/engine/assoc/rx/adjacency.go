package rx

import "github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"

// adjacency checks that chunks with consecutive TSNs can follow one another: the
// fragments of a message have consecutive TSNs (RFC 9260, section 6.9). It keeps
// what it needs of each chunk until both its neighbours have arrived, 12 bytes, in
// a table that is as long as the TSNs that may arrive are apart, 65,536 at most.
type adjacency struct {
	slots []neighbour // a power of two of places; a TSN's is its low bits
	// lenient: the peer may abandon messages, and go on with the next message in
	// place of the rest of one.
	lenient bool
	// past: TSNs up to here will not arrive any more.
	past wire.TSN
}

// neighbour is what is kept of a chunk.
type neighbour struct {
	tsn    wire.TSN
	stream wire.StreamID
	ssn    wire.SSN
	flags  wire.DataFlags // B, E and U
	set    bool
	// left and right: the chunk before and after has arrived.
	left, right bool
}

const minAdjacency = 64

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
	n := neighbourOf(d)
	if before := a.get(d.TSN - 1); before != nil {
		before.right, n.left = true, true
	}
	if after := a.get(d.TSN + 1); after != nil {
		after.left, n.right = true, true
	}
	a.skip(d.TSN - maxAhead - 1) // else this would be Beyond
	for a.needed(a.slot(d.TSN)) && len(a.slots) <= maxAhead {
		a.grow()
	}
	*a.slot(d.TSN) = n
}

// needed reports whether a neighbour of n may still arrive.
func (a *adjacency) needed(n *neighbour) bool {
	left := !n.left && a.past.Less(n.tsn-1)
	right := !n.right && a.past.LessEqual(n.tsn)
	return n.set && (left || right)
}

func (a *adjacency) grow() {
	old := a.slots
	a.slots = make([]neighbour, 2*len(old))
	for i := range old {
		if a.needed(&old[i]) {
			*a.slot(old[i].tsn) = old[i]
		}
	}
}

// skip says that TSNs up to tsn will not arrive any more.
func (a *adjacency) skip(tsn wire.TSN) {
	if a.past.Less(tsn) {
		a.past = tsn
	}
}
