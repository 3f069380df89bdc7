package collective

import (
	"math/bits"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/near"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Memory is what the ranks of a communicator share for its short operations.
type Memory struct {
	sharer rpi.MemorySharer
	board  *near.Board
	others []matching.Rank // all but this one, by their ranks in the job
	close  func()
}

// NewMemory returns the Memory of a communicator with this board. close gives the board back.
func NewMemory(sharer rpi.MemorySharer, board *near.Board, others []matching.Rank, close func()) *Memory {
	return &Memory{sharer: sharer, board: board, others: others, close: close}
}

// Ranks cannot tell each other by memory whether all of them have it. So some calls take more messages: ranks learn where the memory is,
// and make connections with all others, as they are to wake each other. Each rank that has the memory and is so connected says so there.
// Then they wait for each other. Afterwards they decide, in the memory, by what all have said there. If a rank fails in the call, for
// whatever reason, it decides against it. The first rank that decides does so for all. If it is against, there is another call that tries.
// Which calls do depends on nothing but their numbers and routines, as ranks may have failed in any of those before.

// TryAt says which calls try to make the memory, if they are of a routine that can be short: a few now and then, as a program may call
// others regularly between, and none of the first, as a communicator may soon be freed. Tests change it, before a process begins.
var TryAt = func(number uint32) bool {
	const first, tries = 16, 4
	last := number &^ (tries - 1)
	return last >= first && last&(last-1) == 0 && bits.TrailingZeros32(last)%2 == 0 // powers of 4
}

// MayShare says that the ranks of the communicator are to try to make a Memory. Call it before the first operation, on all ranks or none.
func (s *Space) MayShare() { s.mayShare = true }

// tries reports whether a call tries to make the memory.
func (s *Space) tries(r Routine, f Form, number uint32) bool {
	return s.mayShare && s.memory == nil && f == Blocking && CanBeShort(r) && TryAt(number)
}

// Tries reports whether the call tries to make the memory.
func (o *Operation) Tries() bool { return o.making }

// Share has the following operations use memory, which the Space closes.
func (s *Space) Share(m *Memory) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.memory = m
}

// Shares reports whether operations use memory.
func (s *Space) Shares() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.memory != nil
}
