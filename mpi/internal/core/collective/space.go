package collective

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Process is what the collective operations of a process share. Set its fields before use.
type Process struct {
	Transport     rpi.Transport
	Continuations *rpi.Continuations
	// Known lists element types, by which ranks that differ in them can tell in which.
	Known func(yield func(Elements) bool)
	// FewMessages: few messages are better than few steps, as ranks share processors. All ranks say the same.
	FewMessages bool
	// Looks is how often a short operation looks before it waits as others do, for no longer than it takes to begin that.
	Looks int

	// Begins, unless nil, is called when an operation is about to run. It may set Then.
	Begins func(o *Operation)

	watch      watch
	finalizing atomic.Bool // see SetFinalizing
	operations sync.Pool
	steps      sync.Pool
}

// Elements are what vectors consist of.
type Elements struct {
	Sig   matching.Type              // the same on all ranks; Any matches all
	Exact matching.Type              // what it would be if it were not Any
	Size  int                        // in bytes
	Type  interface{ Name() string } // in errors
}

// Any is a signature that matches all.
const Any matching.Type = 0

// Communicator is what a Space asks of its communicator.
type Communicator interface {
	// JobRank translates a rank, RankOf a rank of the job.
	JobRank(rank int) matching.Rank
	RankOf(job matching.Rank) int
	// PeerName names a process in errors.
	PeerName(job matching.Rank) string
	// Failure is the error of r, which has failed. GivenUp is that of r if it was cancelled because of cause.
	Failure(op string, r *rpi.Request) *mpierr.Error
	GivenUp(op string, r *rpi.Request, cause error) *mpierr.Error
	// Elsewhere is the error of an operation that has failed with a class at the process origin, as the process by has told.
	Elsewhere(op string, class mpierr.Class, origin, by matching.Rank) *mpierr.Error
	// Revoked reports whether operations on it fail, those under way too.
	Revoked() bool
}

// Space is the collective operations of one communicator.
type Space struct {
	process    *Process
	comm       Communicator
	context    matching.Context
	rank, size int
	inbox      inbox

	mayShare bool    // see MayShare
	memory   *Memory // for short operations, nil if there is none

	mu       sync.Mutex   // held in calls of enter, listen, tries and neverCalled
	calls    uint32       // begun so far
	blocking bool         // a blocking operation is under way
	open     []*Operation // under way, in the order of their numbers
	// failed: the messages up to the one with the tag discard are not wanted, but operations before it are under way.
	failed  bool
	discard matching.Tag
	broken  bool // an operation has failed
}

// MaxTag is the largest number of a call as its messages have it; then it begins again at 0.
const MaxTag = 1<<31 - 1

// Contexts of a communicator beside that of its other messages: those of the messages of collective operations, and
// of messages about them.
const (
	Messages = rpi.InOrder
	Notices  = rpi.InOrder | rpi.Internal
)

// Open returns the Space of a communicator of size ranks, of which this process has one. context is that of its
// other messages.
func (p *Process) Open(c Communicator, context matching.Context, rank, size int) *Space {
	s := &Space{process: p, comm: c, context: context, rank: rank, size: size}
	if size > 1 {
		s.inbox.space = s
		s.mu.Lock()
		s.listen()
		s.mu.Unlock()
		p.watch.add(s)
	}
	return s
}

// Close ends the Space. No operation is under way.
func (s *Space) Close() {
	if s.size == 1 {
		return
	}
	s.process.watch.remove(s)
	s.mu.Lock() // while notices are taken the receive may be started again, and afterwards it is not
	s.inbox.closed.Store(true)
	s.mu.Unlock()
	if r := &s.inbox.receive; !r.Completed() {
		s.process.Transport.Cancel(r)
	}
	if s.memory != nil {
		s.memory.close()
	}
}

// Busy reports whether an operation is under way, other than Free, that has not failed, and is not about to.
func (s *Space) Busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.comm.Revoked() && slices.ContainsFunc(s.open, func(o *Operation) bool { return o.routine != Free && !o.abandoned.Load() })
}

// Busy is Space.Busy for the communicators of the process that have more than one rank.
func (p *Process) Busy() bool { return p.watch.busy() }

// Begin begins an operation, whose elements may have no size if it has none. It takes the number of the call even if
// the call then fails because of its arguments, so that the next calls of all ranks still belong together. The calls of a
// communicator come one after the other: while one is in an operation that waits, as all but the nonblocking ones do, all
// others fail.
func (s *Space) Begin(r Routine, e Elements, f Form) (*Operation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.blocking {
		return nil, mpierr.Invalid(r.Op(), rpi.ErrComm, "another collective operation on this communicator is under way in this process")
	}
	o := s.process.operation()
	o.space, o.op, o.elements, o.blocking = s, f.name(r), e, f != Nonblocking
	o.terms = terms{routine: r, sig: e.Sig}
	o.persistent, o.pairwise = f == Persistent, false
	o.making = s.tries(r, f, s.calls)
	s.blocking = o.blocking
	s.enter(o)
	return o, nil
}

// enter gives o its number and takes it among those that are under way.
func (s *Space) enter(o *Operation) {
	o.number, o.tag = s.calls, matching.Tag(s.calls&MaxTag)
	o.whole.Op, o.whole.Context, o.whole.Tag = rpi.OpRecv, s.context|Messages, o.tag
	s.calls++
	s.open = append(s.open, o)
}

// leave takes o, which has ended, out of those that are under way.
func (s *Space) leave(o *Operation) {
	s.mu.Lock()
	for i, other := range s.open {
		if other == o {
			s.open = append(s.open[:i], s.open[i+1:]...)
			break
		}
	}
	if o.blocking {
		s.blocking = false
	}
	s.broken = s.broken || o.err != nil
	if o.err != nil && (!s.failed || rpi.Before(s.discard, o.tag)) {
		s.failed, s.discard = true, o.tag
	}
	unwanted, some := s.discard, s.failed
	if some && len(s.open) > 0 {
		// What the operations that are under way still get has these tags or later ones.
		first := s.open[0].tag
		unwanted = earlier(unwanted, (first-1)&MaxTag)
		s.failed = unwanted != s.discard
	} else {
		s.failed = false
	}
	s.mu.Unlock()
	if some {
		s.process.Transport.Discard(s.context|Messages, unwanted)
	}
}

// earlier returns the earlier of two tags.
func earlier(a, b matching.Tag) matching.Tag {
	if rpi.Before(a, b) {
		return a
	}
	return b
}

// openBefore is how many of the tags before tag messages of this process may still have: rpi.Request.OpenTags.
func (s *Space) openBefore(tag matching.Tag) matching.Tag {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.open) == 0 {
		return 0
	}
	if first := s.open[0].tag; rpi.Before(first, tag) {
		return (tag - first) & MaxTag
	}
	return 0
}

// ring sends a message about a call, without waiting until it has left. An alarm has one element, of as many bytes as the
// number of its class.
func (s *Space) ring(context matching.Context, to matching.Rank, tag matching.Tag, word matching.Type, class mpierr.Class) {
	n := min(max(int(class), 1), len(noticeBody))
	s.process.Transport.Start(&rpi.Request{
		Op: rpi.OpSend, Context: s.context | context, Peer: to, Tag: tag, OpenTags: s.openBefore(tag),
		Type: word, Elem: n, Buf: noticeBody[:n], Then: nothing{},
	})
}

var noticeBody [64]byte

// nothing follows when a message about a call has left. The call may have ended long before, if the connection was not there
// yet, and so such messages do not count among what the program has left open.
type nothing struct{}

func (nothing) Completed(*rpi.Request) {}
func (nothing) Whole() *rpi.Request    { return nil }
