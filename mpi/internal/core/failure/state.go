package failure

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/agree"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
)

// State is what a process knows of the failures in a communicator. Before Open nothing is revoked.
type State struct {
	process *Process
	context matching.Context
	// members are the processes of the communicator, senders those that can send to this one. me is the rank of this one among members.
	members, senders *group.Group
	me               int

	// acked is how many of the deaths that the process knows are acknowledged on the communicator, or do not matter to it.
	acked   atomic.Int64
	revoked atomic.Bool

	mu     sync.Mutex // guards what follows
	revoke func()     // see Open; nil when the communicator has been released
	told   agree.Set  // the ranks that this one has told that it has been revoked
	// Agreements follow each other. Their numbers begin at 1. Three are kept: the current one, which is not decided yet; the last one,
	// for ranks that have not heard its result; and the next one, for messages of ranks that have begun it.
	number     uint32 // of the one that is not decided
	agreements map[uint32]*agree.State
	waiting    []*Agreement // that the program has begun; the first has been proposed
	out        []parcel
}

// maxClosed is how many States are kept of communicators that have been released.
const maxClosed = 64

// Open opens the State of a communicator of these members, of which senders can send to this process, and takes in what others have said of
// it before. revoke ends the use of its contexts. It is called once at most, with no lock held.
func (p *Process) Open(s *State, context matching.Context, members, senders *group.Group, revoke func()) {
	s.process, s.context, s.members, s.senders, s.revoke = p, context, members, senders, revoke
	s.me, s.number = members.Rank(matching.Rank(p.Rank)), 1
	p.mu.Lock()
	if p.states == nil {
		p.states = make(map[matching.Context]*State)
	}
	p.states[context] = s
	early := p.earlyOf(context)
	p.mu.Unlock()
	for _, n := range early {
		p.take(n)
	}
}

// Close notes that nothing of this process uses the communicator any more. What it has agreed on is kept for a while, for ranks that
// have not heard of it as others have died.
func (s *State) Close() {
	p := s.process
	p.mu.Lock()
	defer p.mu.Unlock()
	s.mu.Lock()
	s.revoke = nil
	agreed := len(s.agreements) > 0
	s.mu.Unlock()
	if !agreed {
		delete(p.states, s.context)
		return
	}
	if p.closed = append(p.closed, s.context); len(p.closed) > maxClosed {
		delete(p.states, p.closed[0])
		p.closed = slices.Delete(p.closed, 0, 1)
	}
}

// all are the States, in the order of their contexts, so that histories in virtual time repeat.
func (p *Process) all() []*State {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.SortedFunc(maps.Values(p.states), func(a, b *State) int { return cmp.Compare(a.context, b.context) })
}
