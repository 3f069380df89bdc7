package ring

import "sync/atomic"

// A ring: its control line, and the parts of a frame's first slot.
const (
	formatOffset  = 0
	takenOffset   = 1 * wordSize
	starvedOffset = 2 * wordSize
	closedOffset  = 3 * wordSize

	headerOffset = wordSize
	bodyOffset   = headerOffset + HeaderSize
)

// InLine is the longest body of a frame that takes one slot, in bytes.
const InLine = LineSize - bodyOffset

// The word of a frame: the lowest bits are the body's length, then one bit that is always set, then the position of the
// slot, of which the rest are lost. The memory that nothing has been written to is no frame's word.
const lengthBits = 24

func frameWord(position uint64, length int) uint64 {
	return (position<<1|1)<<lengthBits | uint64(length)
}

// isAt reports whether w is the word of a frame whose first slot has the position.
func isAt(w, position uint64) bool { return (w^frameWord(position, 0))>>lengthBits == 0 }

func lengthOf(w uint64) int { return int(w & (1<<lengthBits - 1)) }

// slotsFor is how many slots a frame with a body of length bytes takes.
func slotsFor(length int) int { return (bodyOffset + length + LineSize - 1) / LineSize }

// Format makes a ring of mem, which must be zero and begin at a multiple of LineSize. One process does it, before another
// one can use the ring. Errors: ErrMemory.
func Format(mem []byte) error {
	if err := checkRing(mem); err != nil {
		return err
	}
	wordAt(mem, formatOffset).Store(ringFormat | uint64(len(mem)))
	return nil
}

func checkRing(mem []byte) error {
	size := min(max(roundUp(len(mem), LineSize), MinRingSize), MaxRingSize)
	return check(mem, size)
}

// ring is what both ends know of a ring. None of it changes.
type ring struct {
	lines                  []byte // the slots
	taken, starved, closed *atomic.Uint64
	slots                  int // how many
	limit                  int // of a body, in bytes
}

func open(mem []byte) (ring, error) {
	if err := checkRing(mem); err != nil {
		return ring{}, err
	}
	if err := checkFormat(mem, ringFormat|uint64(len(mem))); err != nil {
		return ring{}, err
	}
	slots := len(mem)/LineSize - 1
	return ring{
		lines: mem[LineSize:len(mem):len(mem)],
		taken: wordAt(mem, takenOffset), starved: wordAt(mem, starvedOffset), closed: wordAt(mem, closedOffset),
		slots: slots, limit: slots/2*LineSize - bodyOffset,
	}, nil
}

// Limit is the longest body of a frame, in bytes.
func (r *ring) Limit() int { return r.limit }

// advance is the offset of the slot that comes a number of slots, at most all, after the one at an offset.
func (r *ring) advance(at, slots int) int {
	at += slots * LineSize
	if at >= len(r.lines) {
		at -= len(r.lines)
	}
	return at
}
