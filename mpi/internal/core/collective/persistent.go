package collective

import (
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// A persistent operation keeps its schedule and runs it each time that it is started (MPI 4.1, section 6.13). It has a
// Space of its own, which numbers its runs: so persistent operations may be started in any order, and in different ones
// on different ranks, and what is said about one of them never meets another. The call that makes it is a collective
// operation too, of the communicator's Space, in which the ranks agree on the terms and on the Space of the new one.

// Keep returns a persistent operation with the terms, memory and schedule of o, which have been set. Move is to give it a
// Space. o has no schedule any more: what the ranks exchange when they make the new operation is to be its schedule.
func (o *Operation) Keep() *Operation {
	k := o.space.process.operation()
	k.op, k.elements, k.terms, k.mark, k.pairwise = o.op, o.elements, o.runs, o.runs.mark(), false
	k.In, k.Out, k.Combine, k.Safe = o.In, o.Out, o.Combine, o.Safe
	k.Images, o.Images = o.Images, nil
	k.blocks, o.blocks = o.blocks, k.blocks
	k.builder, o.builder = o.builder, k.builder
	k.kept, k.blocking, k.schedule, k.space = true, false, k.builder.Schedule(), o.space
	return k
}

// Pairwise tells, before the ranks agree, that a rank which exchanges nothing may not know what the others do. Two ranks agree by the
// messages from one to the other. So in the call that makes a persistent operation, in which each rank meets all others, they agree on
// the routine alone.
func (o *Operation) Pairwise() { o.pairwise = o.persistent }

// Move gives a persistent operation its Space, which it has alone.
func (o *Operation) Move(s *Space) { o.space = s }

// Renew makes a persistent operation ready for a run, and returns the request that completes when that has ended. It does
// not wait.
func (o *Operation) Renew() *rpi.Request {
	o.reset()
	s := o.space
	s.mu.Lock()
	defer s.mu.Unlock()
	s.enter(o)
	return &o.whole
}

// StartAgain begins the run for which Renew has made it ready.
func (o *Operation) StartAgain() {
	o.agree()
	o.Start()
}

// AllowsReuse reports whether another operation can have the Space of this one when all ranks have ended it.
func (s *Space) AllowsReuse() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.broken
}
