// Package near has short collective operations of ranks that all share memory: they write what they give into a segment of their
// communicator, the board, and read there what others give. There are no messages.
//
// Each rank has a few slots on the board, which only it writes. A slot has a flag, the number of the call for which it was written last,
// the terms of that call, and a vector. A rank posts: it writes vector and terms, and then the flag. A rank that reads a flag with the
// number of its own call may read the rest: both are atomic (Go's memory model: the store of the flag is synchronized before the load that
// observes it). A slot is written again when all ranks have said that a call is over which is not before the one that it was written for.
//
// A peer that is broken, or hostile, can write anything anywhere on the board. So nothing that is read there is an index, an address or a
// length that memory is touched by: the worst is a wrong result, or a wait that does not end, as from a peer that sends wrong messages or
// none.
package near

import (
	"sync/atomic"
	"unsafe"
)

const (
	// Limit is the longest vector in bytes.
	Limit = 4 << 10
	// MaxRanks is how many ranks a board has at most: each reads what all give.
	MaxRanks = 32
	// Slots is how many each rank has: so many calls it can be ahead of the slowest.
	Slots = 8
	// inline is the longest vector that is in the line of its slot's flag.
	inline = line - 2*word
	line   = 64 // bytes that processors fetch at a time
	word   = 8

	control = line // of each rank: over, and whether it has joined
	each    = control + Slots*(line+Limit)
)

// Size is how many bytes a board of so many ranks takes.
func Size(ranks int) int { return line + ranks*each }

// Board is the board of a communicator as one rank sees it. One goroutine uses it at a time, but for Reader, Posted and Missing. Calls have
// numbers that all ranks count alike; they wrap around.
type Board struct {
	memory      []byte
	rank, ranks int

	written [Slots]uint64 // the flags that this rank has written last
	// passed is a number up to which all ranks are known to have said that calls are over, as a flag.
	passed uint64
}

// Open returns the board that memory is, all 0 at first: Size bytes, from a multiple of 8 on.
func Open(memory []byte, rank, ranks int) *Board {
	return &Board{memory: memory[:Size(ranks)], rank: rank, ranks: ranks}
}

// flag stands for a call. 0 stands for none.
func flag(number uint32) uint64 { return 1<<32 | uint64(number) }

// before reports whether a flag is of none, or of a call before another.
func before(a, b uint64) bool { return a == 0 || int32(uint32(a)-uint32(b)) < 0 }

func (b *Board) word(offset int) *atomic.Uint64 {
	return (*atomic.Uint64)(unsafe.Pointer((*[word]byte)(b.memory[offset:])))
}

// The words of the board, by where they are: what the ranks decide, how many of them wait for a slot, and for each rank up to which call
// it has ended all, whether it has joined, and its slots with their flags and terms.
func (b *Board) decision() *atomic.Uint64           { return b.word(0) }
func (b *Board) starving() *atomic.Uint64           { return b.word(word) }
func (b *Board) over(rank int) *atomic.Uint64       { return b.word(line + rank*each) }
func (b *Board) joined(rank int) *atomic.Uint64     { return b.word(line + rank*each + word) }
func (b *Board) flag(rank, slot int) *atomic.Uint64 { return b.word(header(rank, slot)) }
func (b *Board) terms(rank, slot int) *atomic.Uint64 {
	return b.word(header(rank, slot) + word)
}

func header(rank, slot int) int { return line + rank*each + control + slot*line }

func slotOf(number uint32) int { return int(number % Slots) }

// vector is so many bytes of a slot.
func (b *Board) vector(rank, slot, length int) []byte {
	at := header(rank, slot) + 2*word
	if length > inline {
		at = line + rank*each + control + Slots*line + slot*Limit
	}
	return b.memory[at : at+length : at+length]
}

// Reader returns a rank that may still read the slot which this rank is to write for a call, -1 if there is none.
func (b *Board) Reader(number uint32) int {
	last := b.written[slotOf(number)]
	if last == 0 || !before(b.passed, last) {
		return -1
	}
	for rank := range b.ranks {
		if b.Reads(rank, number) {
			return rank
		}
	}
	return -1
}

// Reads reports whether a rank may still read that slot.
func (b *Board) Reads(rank int, number uint32) bool {
	return rank != b.rank && before(b.over(rank).Load(), b.written[slotOf(number)])
}

// look finds out up to which call all ranks have ended theirs.
func (b *Board) look(number uint32) {
	least := flag(number - 1)
	for rank := range b.ranks {
		if over := b.over(rank).Load(); rank != b.rank && before(over, least) {
			least = over
		}
	}
	b.passed = least
}

// Starve says that this rank waits until its slot is free, or does so no more: then ranks that end a call find it Starving.
func (b *Board) Starve(waits bool) {
	if waits {
		b.starving().Add(1)
	} else {
		b.starving().Add(^uint64(0))
	}
}

// Starving reports whether a rank waits for a slot.
func (b *Board) Starving() bool { return b.starving().Load() != 0 }

// Post writes what this rank gives in a call, for which its slot is free: the mark of its terms, and a vector of at most Limit bytes.
func (b *Board) Post(number, mark uint32, vector []byte) {
	slot := slotOf(number)
	if last := b.written[slot]; last != 0 && before(b.passed, last) {
		b.look(number)
	}
	copy(b.vector(b.rank, slot, len(vector)), vector)
	b.terms(b.rank, slot).Store(uint64(mark)<<32 | uint64(len(vector)))
	b.written[slot] = flag(number)
	b.flag(b.rank, slot).Store(flag(number))
}

// Posted reports whether a rank has posted for a call.
func (b *Board) Posted(rank int, number uint32) bool {
	return b.flag(rank, slotOf(number)).Load() == flag(number)
}

// Missing returns the first rank that has not posted for a call, -1 if there is none.
func (b *Board) Missing(number uint32) int {
	slot, want := slotOf(number), flag(number)
	for rank := range b.ranks {
		if b.flag(rank, slot).Load() != want {
			return rank
		}
	}
	return -1
}

// Terms are those with which a rank has posted for a call: the mark, and the length of its vector as it says.
func (b *Board) Terms(rank int, number uint32) (mark, length uint32) {
	terms := b.terms(rank, slotOf(number)).Load()
	return uint32(terms >> 32), uint32(terms)
}

// Read copies what a rank has posted for a call, as many bytes as dst has, at most Limit.
func (b *Board) Read(dst []byte, rank int, number uint32) {
	copy(dst, b.vector(rank, slotOf(number), len(dst)))
}

// Met says that all ranks have posted for a call: they have ended all calls before it.
func (b *Board) Met(number uint32) { b.passed = flag(number - 1) }

// End says that this rank has ended a call, and all before it: it reads no slot of them any more.
func (b *Board) End(number uint32) { b.over(b.rank).Store(flag(number)) }

// Join says that this rank can use the board, and wake all others.
func (b *Board) Join() { b.joined(b.rank).Store(1) }

// Complete reports whether all ranks have joined.
func (b *Board) Complete() bool {
	for rank := range b.ranks {
		if b.joined(rank).Load() != 1 {
			return false
		}
	}
	return true
}

// The decisions.
const (
	use   = 1
	leave = 2
)

// Decide says whether the board is to be used, and returns what the first rank has said: all do the same.
func (b *Board) Decide(yes bool) bool {
	mine := uint64(leave)
	if yes {
		mine = use
	}
	return b.decision().CompareAndSwap(0, mine) && yes || b.decision().Load() == use
}
