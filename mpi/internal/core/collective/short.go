package collective

import (
	"context"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/near"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// A short operation takes no messages, but memory that all ranks share: see package near. All else about it is as with messages. Its call
// has a number and a mark; ranks that wait for long ask others; alarms are notices. While a rank waits there is a receive from one of
// those that it waits for, the guard, as if a message of the call were to come from there. None comes. But the guard fails as such a receive
// would: because that rank is gone, has called something else, or has failed, or because the communicator has been revoked. And a report of
// what this rank waits for finds the guard.

// pattern is which ranks give something in an operation, and which get something.
type pattern uint8

const (
	allToAll pattern = iota
	fromRoot
	toRoot
)

// shortTable says which operations can be short, and for how many bytes that is better than messages.
var shortTable = [routineEnd]struct {
	pattern pattern
	limit   int
}{
	Barrier:   {allToAll, near.Limit},
	Bcast:     {fromRoot, near.Limit},
	Reduce:    {toRoot, near.Limit},
	Allreduce: {allToAll, near.Limit},
}

// CanBeShort reports whether calls of a routine can be short.
func CanBeShort(r Routine) bool { return shortTable[r].limit > 0 }

// short is what an operation has that is.
type short struct {
	memory  *Memory // nil: it takes messages
	pattern pattern
	in, out schedule.Part

	posted   bool // what this rank gives
	watched  bool // the transport has the operation watched
	starving bool // it waits to post
	guard    *step
}

// Short reports whether the operation is short. Then it needs no schedule. The ranks have agreed. in is what this rank gives, out what it
// gets: nothing if it does not.
func (o *Operation) Short(in, out schedule.Part) bool {
	m, row := o.space.memory, &shortTable[o.routine]
	if m == nil || !o.blocking || o.persistent || max(in.Length, out.Length) > row.limit {
		return false
	}
	o.short = short{memory: m, pattern: row.pattern, in: in, out: out}
	return true
}

func (o *Operation) gives() bool { return o.short.pattern != fromRoot || o.space.rank == o.root }

func (o *Operation) gets() bool {
	return o.short.pattern == allToAll || (o.short.pattern == toRoot) == (o.space.rank == o.root)
}

// missing is a rank for which this one waits, -1 if there is none.
func (o *Operation) missing() int {
	s, board := &o.short, o.short.memory.board
	switch {
	case !s.posted && o.gives():
		return board.Reader(o.number)
	case !o.gets():
		return -1
	case s.pattern != fromRoot:
		return board.Missing(o.number)
	case board.Posted(o.root, o.number):
		return -1
	}
	return o.root
}

// meet does of a short operation what can be done.
func (o *Operation) meet(inCall bool) {
	s := &o.short
	if o.err != nil || o.left == 0 {
		return
	}
	if !s.posted && o.gives() {
		if o.mustWait() {
			return
		}
		o.post()
	}
	switch {
	case o.mustWait():
	case !o.sameTerms():
		o.abandon()
	case !inCall && !o.Safe && o.gets() && s.pattern != fromRoot && s.in.Length > 0:
		o.held = append(o.held[:0], 0) // until a call of the program runs it
	default:
		o.get()
		o.left = 0
		o.unguard()
	}
}

// seek posts what this rank gives, if it can, and looks for what it waits for. Most waits end by that: then it is not watched, and no guard
// is posted.
func (o *Operation) seek(ctx context.Context) {
	s, p := &o.short, o.space.process
	if !s.posted && o.gives() {
		if o.missing() >= 0 {
			return // for others to read what is in its slot
		}
		o.post()
	}
	for range p.Looks {
		if o.missing() < 0 {
			return
		}
	}
	if o.missing() >= 0 {
		o.whole.Looked = s.memory.sharer.Look(ctx, (*quarry)(o))
	}
}

// quarry is what a short operation looks for.
type quarry Operation

func (q *quarry) Completed() bool    { return (*Operation)(q).missing() < 0 }
func (q *quarry) Stirred() bool      { return q.Completed() }
func (q *quarry) Kind() rpi.WaitKind { return q.whole.Kind() }

// mustWait looks for what the operation waits for, and reports whether it goes on waiting. Then it is woken.
func (o *Operation) mustWait() bool {
	s := &o.short
	rank := o.missing()
	if rank >= 0 && !s.watched {
		o.endCalls(o.number - 1) // there may be some that have failed before they were short
		if s.starving = !s.posted && o.gives(); s.starving {
			s.memory.board.Starve(true)
		}
		s.watched = true
		s.memory.sharer.Watch(o)
		rank = o.missing() // what came before that wakes nothing
	}
	if rank < 0 {
		o.unwatch()
		return false
	}
	o.guardFrom(o.lost(rank))
	return true
}

// lost is a rank for which this one waits and which is gone, or else the given one.
func (o *Operation) lost(rank int) int {
	s := &o.short
	if s.pattern == fromRoot && s.posted || s.memory.sharer.Lost() == 0 {
		return rank
	}
	for other := range o.space.size {
		if other != o.space.rank && o.lacks(other) && !s.memory.sharer.HasMemory(o.space.comm.JobRank(other)) {
			return other
		}
	}
	return rank
}

// lacks reports whether this rank waits for another one.
func (o *Operation) lacks(rank int) bool {
	s, board := &o.short, o.short.memory.board
	switch {
	case !s.posted && o.gives():
		return board.Reads(rank, o.number)
	case s.pattern == fromRoot && rank != o.root:
		return false
	}
	return !board.Posted(rank, o.number)
}

// unwatch ends what mustWait has begun.
func (o *Operation) unwatch() {
	s := &o.short
	if s.watched {
		s.watched = false
		s.memory.sharer.Unwatch(o)
	}
	if s.starving {
		s.starving = false
		s.memory.board.Starve(false)
	}
}

// Arrived implements rpi.Watched.
func (o *Operation) Arrived() bool { return o.missing() < 0 }

// Take implements rpi.Watched.
func (o *Operation) Take() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.came = true
	o.wake()
}

// post gives what this rank gives. The last rank that does wakes those that get it.
func (o *Operation) post() {
	s, m := &o.short, o.short.memory
	m.board.Post(o.number, uint32(o.mark), o.memory(s.in))
	s.posted = true
	switch {
	case s.pattern != fromRoot && m.board.Missing(o.number) >= 0:
	case s.pattern != toRoot:
		m.sharer.Rouse(m.others)
	case o.space.rank != o.root:
		root := o.root
		if root > o.space.rank {
			root--
		}
		m.sharer.Rouse(m.others[root : root+1])
	}
}

// get takes what this rank gets.
func (o *Operation) get() {
	s, board := &o.short, o.short.memory.board
	switch {
	case !o.gets():
		return
	case s.pattern == fromRoot:
		board.Read(o.memory(s.out), o.root, o.number)
		return
	}
	board.Met(o.number)
	if s.in.Length == 0 {
		return
	}
	if words := near.ScratchSize(s.in.Length, o.space.size) / 8; cap(o.scratch) < words {
		o.scratch = make([]uint64, words)
	}
	c := near.Combination{Board: board, Number: o.number, Function: o.Combine, Copies: !o.Safe, Scratch: bytesOf(o.scratch[:cap(o.scratch)])}
	if s.pattern == toRoot {
		c.Reduce(o.memory(s.out))
	} else {
		c.Allreduce(o.memory(s.out))
	}
}

// sameTerms checks the marks of those from which this rank gets something. It reports false if one is another: then the operation has
// failed.
func (o *Operation) sameTerms() bool {
	s := &o.short
	if !o.gets() {
		return true
	}
	if s.pattern == fromRoot {
		return o.sameTermsAs(o.root)
	}
	for rank := range o.space.size {
		if !o.sameTermsAs(rank) {
			return false
		}
	}
	return true
}

func (o *Operation) sameTermsAs(rank int) bool {
	mark, length := o.short.memory.board.Terms(rank, o.number)
	theirs := matching.Type(mark)
	if theirs == o.mark || o.accepts(theirs, &o.elements) {
		return true
	}
	o.err = o.difference(theirs&^(alarm|disagree), rpi.Status{Source: o.space.comm.JobRank(rank), Length: uint64(length)})
	o.tellDisagreement()
	return false
}

// endShort ends this rank's part of a short operation.
func (o *Operation) endShort() {
	o.unwatch()
	o.endCalls(o.number)
}

// endCalls says that this rank reads nothing any more of calls up to one, which may be what others wait for.
func (o *Operation) endCalls(number uint32) {
	m := o.short.memory
	m.board.End(number)
	if m.board.Starving() {
		m.sharer.Rouse(m.others)
	}
}

// abandonShort tells others that the operation has failed, if they wait for this rank. Those that wait for a rank that is gone notice that
// themselves, as this one has.
func (o *Operation) abandonShort() {
	o.unwatch()
	switch {
	case o.told || o.short.posted || !o.gives():
	case o.err.Class == rpi.ErrProcFailed:
		for _, peer := range o.short.memory.others {
			o.raise(peer)
		}
	default:
		o.tellAll()
	}
}

// guarding is what a guard is a step of.
var guarding = schedule.Schedule{Steps: []schedule.Step{{Kind: schedule.Recv}}}

// guardFrom makes a receive from this rank the guard.
func (o *Operation) guardFrom(rank int) {
	peer := o.space.comm.JobRank(rank)
	if g := o.short.guard; g != nil {
		if g.Peer == peer {
			return
		}
		o.unguard()
	}
	g := o.newStep(0, peer)
	g.Type, g.Elem = o.mark, 1
	o.short.guard, o.requests = g, append(o.requests[:0], g)
	o.underWay++
	o.space.process.Transport.Start(&g.Request)
}

// unguard ends the guard.
func (o *Operation) unguard() {
	if g := o.short.guard; g != nil {
		o.short.guard, o.requests = nil, o.requests[:0]
		o.space.process.Transport.Cancel(&g.Request)
	}
}

// takeGuard takes the outcome of the guard, or of one that has been.
func (o *Operation) takeGuard(g *step) {
	o.underWay--
	if g == o.short.guard {
		o.short.guard, o.requests = nil, o.requests[:0]
		if o.err == nil && o.left > 0 && o.lacks(o.space.comm.RankOf(g.Peer)) { // else it is of no interest any more
			o.guardFailed(&g.Request)
		}
	}
	o.put(g)
}

// guardFailed fails the operation as its guard has.
func (o *Operation) guardFailed(r *rpi.Request) {
	switch {
	case r.Err != nil:
		o.failed(r, &guarding.Steps[0])
	case !r.Status.Cancelled:
		o.err = mpierr.Invalid(o.op, rpi.ErrIntern, "%s sends messages of a call that goes by shared memory here", o.space.comm.PeerName(r.Peer))
	}
}
