package rx

import (
	"cmp"
	"slices"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/list"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// message is a message in part, or one whose turn has not come.
type message struct {
	stream *stream
	seq    uint32
	mid    wire.MID
	flags  wire.DataFlags // FlagUnordered or none
	ppid   socket.PPID
	// known: the first fragment has arrived. next is then the position after
	// those that have arrived without a gap, the last of which may be the end:
	// then the message is complete.
	known, complete bool
	next            uint32
	// ended: the last fragment has arrived; end is its position.
	ended bool
	end   uint32
	// begun: delivery has.
	begun bool
	// prefix are the fragments up to next that have not been delivered, later
	// those beyond it, by position.
	prefix list.List[fragment]
	later  []*fragment
}

// before is the order of positions and message numbers that lie within half of
// the number space: negative if a comes before b.
func before(a, b uint32) int { return cmp.Compare(int32(a-b), 0) }

// search finds a position among fragments.
func search(fragments []*fragment, pos uint32) (int, bool) {
	if n := len(fragments); n == 0 || before(fragments[n-1].pos, pos) < 0 {
		return n, false
	}
	return slices.BinarySearchFunc(fragments, pos, func(f *fragment, pos uint32) int { return before(f.pos, pos) })
}

// check validates a further fragment of a message.
func (m *message) check(c *chunk) error {
	last := m.next - 1 // of the positions taken
	if n := len(m.later); n > 0 {
		last = m.later[n-1].pos
	}
	i, found := search(m.later, c.pos)
	switch {
	case found || m.known && before(c.pos, m.next) < 0 || m.known && c.begin():
		return ErrOverlap
	case c.begin() && i > 0:
		return ErrFragmentOrder
	case m.ended && (c.end() || before(m.end, c.pos) < 0):
		return ErrAfterEnd
	case c.end() && before(c.pos, last) < 0:
		return ErrAfterEnd
	}
	return nil
}

// expects reports whether c goes on where all before it has arrived.
func (m *message) expects(c *chunk) bool { return c.begin() || m.known && c.pos == m.next }

// completes reports whether c, which m expects, is all that is missing.
func (m *message) completes(c *chunk) bool {
	return c.end() || m.ended && uint32(len(m.later)) == m.end-c.pos
}

// add takes a fragment that has been checked.
func (m *message) add(f *fragment) {
	begin, end := f.flags&wire.FlagBegin != 0, f.flags&wire.FlagEnd != 0
	if end {
		m.ended, m.end = true, f.pos
	}
	switch {
	case begin:
		m.known, m.ppid = true, f.ppid
	case !m.known || f.pos != m.next:
		i, _ := search(m.later, f.pos)
		m.later = slices.Insert(m.later, i, f)
		return
	}
	m.append(f)
	m.later = cut(m.later, 0, m.drain(m.later))
}

// append puts a fragment at the end of the prefix.
func (m *message) append(f *fragment) {
	f.mid, f.ppid = m.mid, m.ppid
	m.prefix.Push(f, &f.link)
	m.next = f.pos + 1
	m.complete = f.flags&wire.FlagEnd != 0
}

// drain appends as many of the fragments, which come after the prefix, as follow
// it without a gap, and returns how many.
func (m *message) drain(fragments []*fragment) int {
	for n, f := range fragments {
		if m.complete || f.pos != m.next {
			return n
		}
		m.append(f)
	}
	return len(fragments)
}
