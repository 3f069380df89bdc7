package core

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/agree"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// service is where a process gets what others tell it about the state of communicators: that one has been revoked, and the messages
// of agreements. All communicators share one context and one receive, which is always there, in Finalize too.
type service struct {
	process *process
	receive rpi.Request
	// restart is held while receive is started: what it has received may be dealt with before Start has returned.
	restart sync.Mutex
	queued  atomic.Bool // in Continuations

	mu sync.Mutex // guards what follows, and Comm.told
	// groups are the agreements of communicators, closed those of them that have been released, the oldest first.
	groups map[matching.Context]*agreements
	closed []matching.Context
	// early are notices about communicators that this process does not have yet, or not any more, the oldest first.
	early []letter
}

// serviceContext has a number that newContext never reaches.
const serviceContext = matching.Context((1<<contextNumberBits-1)<<contextFlagBits) | rpi.InOrder | rpi.Internal

// Bounds of what a process keeps about communicators that it does not have.
const (
	maxEarlyLetters = 4096
	maxClosedGroups = 64
)

// letter is a notice. About is the context of the communicator, number that of the agreement, 0 if the communicator has been revoked.
type letter struct {
	from   matching.Rank
	about  matching.Context
	number uint32
	body   []byte
}

const letterHeader = 8 + 4

// listen starts the receive.
func (s *service) listen() {
	if s.process.size == 1 {
		return
	}
	s.restart.Lock()
	defer s.restart.Unlock()
	r := &s.receive
	r.Op, r.Context, r.Peer, r.Tag, r.Then = rpi.OpRecv, serviceContext, matching.AnySource, matching.AnyTag, s
	r.Type, r.Elem, r.Buf = serviceType, 1, make([]byte, letterHeader+agree.Length(s.process.size))
	s.process.transport.Start(r)
}

// serviceType is the type of all notices: bytes.
const serviceType matching.Type = 1

// Completed implements rpi.Continuation.
func (s *service) Completed(*rpi.Request) {
	if !s.queued.Swap(true) {
		s.process.collectives.Continuations.Add(s)
	}
}

// Whole implements rpi.Continuation.
func (s *service) Whole() *rpi.Request { return nil }

// Run implements rpi.Runner.
func (s *service) Run(bool) {
	s.restart.Lock()
	r := &s.receive
	var l letter
	ok := r.Err == nil && r.Status.Length >= letterHeader
	if ok {
		b := r.Buf[:r.Status.Length]
		l = letter{r.Status.Source, matching.Context(binary.LittleEndian.Uint64(b)), binary.LittleEndian.Uint32(b[8:]), b[letterHeader:]}
	} else if errors.Is(r.Err, rpi.ErrClosed) || errors.Is(r.Err, rpi.ErrDeserted) {
		s.restart.Unlock()
		return // this process has left its job, or all others have; a sender that has died amid a notice is no reason
	}
	r.Reset()
	s.queued.Store(false)
	s.restart.Unlock()
	s.listen()
	if ok {
		s.take(l)
	}
}

// send sends a notice, without waiting until it has left.
func (s *service) send(to matching.Rank, about matching.Context, number uint32, body func(b []byte) []byte) {
	b := binary.LittleEndian.AppendUint64(nil, uint64(about))
	b = binary.LittleEndian.AppendUint32(b, number)
	if body != nil {
		b = body(b)
	}
	s.process.transport.Start(&rpi.Request{Op: rpi.OpSend, Context: serviceContext, Peer: to, Type: serviceType, Elem: 1, Buf: b, Then: unheeded{}})
}

// unheeded follows when a notice has left: nothing.
type unheeded struct{}

func (unheeded) Completed(*rpi.Request) {}
func (unheeded) Whole() *rpi.Request    { return nil }

// take takes in a notice.
func (s *service) take(l letter) {
	s.mu.Lock()
	c := s.process.ready(l.about)
	g := s.groups[l.about]
	if c == nil && g == nil {
		if len(s.early) == maxEarlyLetters {
			s.early = slices.Delete(s.early, 0, 1)
		}
		s.early = append(s.early, l)
	}
	s.mu.Unlock()
	switch {
	case l.number == 0 && c != nil:
		c.revoke()
	case l.number != 0 && (c != nil || g != nil):
		s.agreementsOf(c, l.about).receive(l)
	}
}

// opened takes in what has been said of a communicator before this process had it.
func (s *service) opened(c *Comm) {
	s.mu.Lock()
	var mine []letter
	s.early = slices.DeleteFunc(s.early, func(l letter) bool {
		if l.about == c.context {
			mine = append(mine, l)
		}
		return l.about == c.context
	})
	s.mu.Unlock()
	for _, l := range mine {
		s.take(l)
	}
}

// spread tells other ranks that a communicator has been revoked: those 1, 2, 4, … places before and behind this one, or if they are dead
// the next ones. Each rank that hears it for the first time does the same, and again when it learns that one has died. So
// all living ranks hear it, the ones next to each other in any case.
func (s *service) spread(c *Comm) {
	all := c.ranks()
	var to []matching.Rank
	s.mu.Lock()
	for step := 1; step < all.Size; step *= 2 {
		for _, direction := range [...]int{1, all.Size - 1} {
			rank := (all.Me + step*direction) % all.Size
			for rank != all.Me && s.process.deaths.isGone(c.JobRank(rank)) {
				rank = (rank + direction) % all.Size
			}
			if rank != all.Me && !c.told.Has(rank) {
				c.told.Add(rank)
				to = append(to, c.JobRank(rank))
			}
		}
	}
	s.mu.Unlock()
	for _, peer := range to {
		s.send(peer, c.context, 0, nil)
	}
}

// mourn does what follows when processes have gone. A process that has been expelled does nothing: it would agree with itself alone.
func (s *service) mourn() {
	if s.process.expelled.Load() != nil {
		return
	}
	for _, c := range s.process.all() {
		if c.revoked.Load() {
			s.spread(c)
		}
	}
	for _, g := range s.all() {
		g.mourn()
	}
}

// end ends all agreements, as this process has been expelled.
func (s *service) end() {
	for _, g := range s.all() {
		g.end()
	}
}

// all are the agreements of all communicators.
func (s *service) all() []*agreements {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.groups))
}

// agreementsOf returns the agreements of a communicator, which is nil if it has been released.
func (s *service) agreementsOf(c *Comm, id matching.Context) *agreements {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.groups[id]
	if g == nil {
		g = newAgreements(c)
		s.groups[id] = g
	}
	return g
}

// released notes that nothing of this process uses a communicator any more. What it has agreed on is kept for a while, for
// ranks that have not heard of it as others have died.
func (s *service) released(id matching.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.groups[id] == nil {
		return
	}
	if s.closed = append(s.closed, id); len(s.closed) > maxClosedGroups {
		delete(s.groups, s.closed[0])
		s.closed = slices.Delete(s.closed, 0, 1)
	}
}

// ready returns the communicator with this context, nil if there is none.
func (p *process) ready(id matching.Context) *Comm {
	p.commsMu.Lock()
	defer p.commsMu.Unlock()
	if c := p.comms[id]; c != nil && c.context == id {
		return c
	}
	return nil
}

// all are the communicators of the process.
func (p *process) all() []*Comm {
	p.commsMu.Lock()
	defer p.commsMu.Unlock()
	all := make([]*Comm, 0, len(p.comms))
	for id, c := range p.comms {
		if id == c.context {
			all = append(all, c)
		}
	}
	return all
}
