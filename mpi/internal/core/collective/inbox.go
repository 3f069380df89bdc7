package collective

import (
	"errors"
	"slices"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// state is a bit in the type of a notice, in place of alarm. It says that the
// sender is or was in the call whose mark is the rest of the type. The notice is a
// question, from a rank that waits for the receiver, or the answer of a rank that
// is in a later call.
const state matching.Type = 1 << 30

// A notice with state has one of these where an alarm has the class of its error.
const (
	question mpierr.Class = 1 + iota
	answer
)

// inbox is where a communicator gets notices: messages of its collective operations that are not part
// of an algorithm, which are alarms and questions. A receive for them is always there.
type inbox struct {
	space   *Space
	receive rpi.Request
	queued  atomic.Bool // in Continuations
	closed  atomic.Bool

	// The following are guarded by the mu of Space. early are notices about calls that have not been made yet.
	early []notice
	marks [64]matching.Type // of the last calls, by their numbers
}

// notice is a notice that has come.
type notice struct {
	tag    matching.Tag
	word   matching.Type
	status rpi.Status
}

// maxEarly bounds the notices that are kept for later calls. More of them stay in
// the transport, within its bounds.
const maxEarly = 64

// listen starts the receive, with mu: what completes it must not use it again before Start has returned.
func (s *Space) listen() {
	r := &s.inbox.receive
	r.Op, r.Context, r.Peer, r.Tag, r.Then = rpi.OpRecv, s.context|Notices, matching.AnySource, matching.AnyTag, &s.inbox
	s.process.Transport.Start(r)
}

// Completed implements rpi.Continuation.
func (b *inbox) Completed(*rpi.Request) {
	if !b.closed.Load() && !b.queued.Swap(true) {
		b.space.process.Continuations.Add(b)
	}
}

// Whole implements rpi.Continuation.
func (b *inbox) Whole() *rpi.Request { return &b.receive }

// Run implements rpi.Runner.
func (b *inbox) Run(bool) {
	b.queued.Store(false)
	b.space.collect()
}

// collect takes the notices that have come, and keeps those about later calls.
func (s *Space) collect() {
	b := &s.inbox
	var replies []reply
	s.mu.Lock()
	for len(b.early) < maxEarly && b.receive.Completed() && !b.closed.Load() {
		r := &b.receive
		var other *rpi.TypeError
		if !errors.As(r.Err, &other) {
			break // all others are gone, or this process is
		}
		n := notice{r.Status.Tag, other.Sent, r.Status}
		if mine := s.take(n); mine != 0 && !alike(n.word&^state, mine) {
			replies = append(replies, reply{n.status.Source, n.tag, mine})
		}
		r.Reset()
		s.listen()
	}
	s.mu.Unlock()
	s.answer(replies)
}

// take hands a notice to the operation that it is about, or keeps the notice. A notice can be a question about a call that is over here, or
// that this process will never make: then take returns the mark of this rank's call, as the answer. Otherwise it returns 0.
func (s *Space) take(n notice) (mine matching.Type) {
	b := &s.inbox
	for _, o := range s.open {
		if o.agreed && o.mine(n) && o.notify(n) {
			return 0
		}
	}
	next := matching.Tag(s.calls & MaxTag)
	begun := rpi.Before(n.tag, next) && !slices.ContainsFunc(s.open, func(o *Operation) bool { return o.tag == n.tag && !o.agreed })
	switch {
	case s.neverCalled(n):
		return finalizeMark
	case !begun || n.finalize():
		if !slices.Contains(b.early, n) { // questions are repeated
			b.early = append(b.early, n)
		}
	case n.question() && (next-n.tag)&MaxTag <= matching.Tag(len(b.marks)):
		return b.marks[int(n.tag)%len(b.marks)]
	}
	return 0
}

// mine reports whether a notice is about the operation. Finalize is about all calls.
func (o *Operation) mine(n notice) bool {
	return o.tag == n.tag || o.routine == Finalize && n.finalize()
}

// question reports whether a notice asks for an answer.
func (n *notice) question() bool { return n.word&alarm == 0 && mpierr.Class(n.status.Elem) == question }

// finalize reports whether a notice says that Finalize has failed at its sender.
func (n *notice) finalize() bool { return n.word&alarm != 0 && RoutineOf(n.word) == Finalize }

// about takes the notices about an operation that have come early.
func (s *Space) about(o *Operation) (found []notice) {
	b := &s.inbox
	b.early = slices.DeleteFunc(b.early, func(n notice) bool {
		mine := o.mine(n)
		if mine {
			found = append(found, n)
		}
		return mine
	})
	return found
}

// taken notes that this many of the early notices have been taken, so that there is room for more.
func (b *inbox) taken(n int) {
	if n > 0 && b.receive.Completed() {
		b.Completed(nil)
	}
}

// reply is an answer to a rank that waits for this one in vain: this rank's call with that number was, or is, another one.
type reply struct {
	to   matching.Rank
	tag  matching.Tag
	mine matching.Type // the mark of this rank's call
}

// answer sends answers.
func (s *Space) answer(replies []reply) {
	for _, r := range replies {
		s.ring(Notices, r.to, r.tag, state|r.mine, answer)
	}
}

// handle handles a notice about this call: an alarm fails it, and a mark of another
// call shows that the ranks disagree.
func (o *Operation) handle(n notice) {
	theirs := n.word &^ (alarm | disagree)
	switch {
	case o.err != nil:
	case n.tag != o.tag: // Finalize failed at the sender, in an earlier call
		o.space.mu.Lock()
		mine := o.space.inbox.marks[int(n.tag)%len(o.space.inbox.marks)]
		o.space.mu.Unlock()
		o.err = o.other(n.status.Source, Finalize, RoutineOf(mine))
	case n.word&alarm != 0:
		o.told = true
		o.unusable(n.word, n.status)
	case !alike(theirs, o.mark) && !o.accepts(theirs, &o.elements):
		o.err = o.difference(theirs, n.status)
		o.tellDisagreement()
	}
}

// alike reports whether two marks are of the same call.
func alike(a, b matching.Type) bool {
	return a == b || (a^b)&^rpi.Optional == 0 && (a&rpi.Optional == 0 || b&rpi.Optional == 0)
}
