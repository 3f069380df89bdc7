package schedule

import (
	"fmt"
	"slices"
)

// Buffer names a piece of memory that a schedule works on.
type Buffer uint32

// The buffers. In is what the rank gives, Out where its result goes; the runner knows where they are.
// Scratch is memory that the runner provides, of Schedule.Scratch bytes. Where blocks are apart from each other in memory, each is a
// buffer: Blocks is the first, and numbers count on from there.
const (
	In Buffer = iota
	Out
	Scratch
	Blocks
)

func (b Buffer) String() string {
	if b >= Blocks {
		return fmt.Sprint("block ", uint32(b-Blocks))
	}
	return [...]string{"in", "out", "scratch"}[b]
}

// Part is Length bytes of a buffer, from Offset on. Offset may be negative where the runner's buffer begins before its address.
type Part struct {
	Buffer         Buffer
	Offset, Length int
}

// Sub returns length bytes of p, from offset on.
func (p Part) Sub(offset, length int) Part {
	return Part{p.Buffer, p.Offset + offset, length}
}

// Kind is what a step does.
type Kind uint8

// The kinds. Send sends A to Peer; Recv receives A from Peer; Copy copies B to A; Combine makes A the
// combination of A and B, in this order; Call calls a function of the runner; Join does nothing: it stands for the steps that it waits for.
const (
	Join Kind = iota
	Send
	Recv
	Copy
	Combine
	Call
)

func (k Kind) String() string {
	return [...]string{"join", "send", "recv", "copy", "combine", "call"}[k]
}

// Step is one step of a schedule.
type Step struct {
	Kind Kind
	Peer int32 // rank in the communicator, of Send and Recv
	A, B Part
	// Waits is the number of steps that must be complete before this one begins.
	Waits int32
	// Follow is the next step with the same kind and peer, 0 if there is none: it must not start before this one has.
	// Behind tells that there is such a step before this one.
	Follow int32
	Behind bool
	// next is where the steps that wait for this one begin in Schedule.next.
	next int32
}

// Schedule is what one rank does in a collective operation.
type Schedule struct {
	Steps []Step
	// Scratch is how many bytes of scratch memory the steps use.
	Scratch int
	next    []int32
}

// Clone returns a copy, which lasts.
func (s *Schedule) Clone() *Schedule {
	return &Schedule{Steps: slices.Clone(s.Steps), Scratch: s.Scratch, next: slices.Clone(s.next)}
}

// Next returns the steps that wait for step i.
func (s *Schedule) Next(i int) []int32 {
	end := int32(len(s.next))
	if i+1 < len(s.Steps) {
		end = s.Steps[i+1].next
	}
	return s.next[s.Steps[i].next:end]
}
