package core

import (
	"cmp"
	"context"
	"hash/fnv"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/info"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Session is a library's own way to MPI (MPI 4.1, section 11.3): it has sets of processes, and makes communicators of groups of
// them without a communicator that exists already.
type Session struct {
	process   *process
	ctx       context.Context
	finalized atomic.Bool
	buffered  atomic.Pointer[rpi.Account] // nil: buffered sends count on the account of the process
}

// sessions are those of a process, which all use one communicator to agree on others.
type sessions struct {
	open    atomic.Int32
	unseen  atomic.Bool // sessions have made the process a member of its job, and the program has not called Init
	world   *Comm       // nil in RunLocal
	once    sync.Once
	founder *Comm
}

// sessionContext is number 0 of rank 1. Ranks number the contexts that they make from 1 on, so that no other communicator has it.
const sessionContext matching.Context = 1 << (contextNumberBits + contextFlagBits)

// counting is held while sessions of this process are opened, or counted at their end.
var counting sync.Mutex

// OpenSession returns a session of this process. If it is in no job yet it becomes a member of the one that its launcher has started.
func OpenSession(op string, s *startup.Settings) (*Session, error) {
	counting.Lock()
	defer counting.Unlock()
	world := resident.Load()
	if world == nil {
		var err error
		if world, err = start(op, s, true); err != nil {
			return nil, err
		}
	}
	view := world.View(s.Context)
	return view.OpenSession(op)
}

// OpenSession returns a session of the process that has this communicator.
func (c *View) OpenSession(op string) (*Session, error) {
	if err := c.usable(op); err != nil {
		return nil, err
	}
	p := c.process
	p.sessions.once.Do(func() {
		name := "sessions"
		p.sessions.founder = newComm(p, sessionContext, p.everyone)
		p.sessions.founder.object.name.Store(&name)
	})
	p.sessions.open.Add(1)
	return &Session{process: p, ctx: c.ctx}, nil
}

func (s *Session) usable(op string) error {
	switch {
	case s == nil:
		return mpierr.Invalid(op, rpi.ErrSession, "the session is nil")
	case s.finalized.Load():
		return mpierr.Invalid(op, rpi.ErrSession, "the session has been finalized")
	}
	return s.process.usable(op)
}

// Finalize ends the session. The last one ends the part of the process in its job, unless the program has a world too.
func (s *Session) Finalize() error {
	if err := s.usable("mpi.Session.Finalize"); err != nil {
		return err
	}
	if !s.close() {
		return nil
	}
	p := s.process
	world := p.sessions.world.View(s.ctx)
	err := world.finalize()
	if err != nil && !p.left.Load() { // the process is still in its job
		p.sessions.unseen.Store(true)
		p.sessions.open.Add(1)
		s.finalized.Store(false)
	}
	return err
}

// close counts the session out, and reports whether the process has to leave its job.
func (s *Session) close() (last bool) {
	counting.Lock()
	defer counting.Unlock()
	if s.finalized.Swap(true) {
		return false
	}
	all := &s.process.sessions
	return all.open.Add(-1) == 0 && all.unseen.CompareAndSwap(true, false)
}

// The process sets. MPI reserves mpi:// for its own.
const (
	worldSet  = "mpi://WORLD"
	selfSet   = "mpi://SELF"
	sharedSet = "mpix://SHARED" // the processes of this host
)

// ProcessSets are the names of the process sets.
func (s *Session) ProcessSets() ([]string, error) {
	if err := s.usable("mpi.Session.ProcessSets"); err != nil {
		return nil, err
	}
	return []string{worldSet, selfSet, sharedSet}, nil
}

// ProcessSetInfo is what is known of a process set.
func (s *Session) ProcessSetInfo(set string) (*info.Info, error) {
	const op = "mpi.Session.ProcessSetInfo"
	g, err := s.group(op, set)
	if err != nil {
		return nil, err
	}
	known := new(info.Info)
	return known, known.Set(op, "mpi_size", strconv.Itoa(g.Size()))
}

// Group is the group of a process set.
func (s *Session) Group(set string) (*Group, error) { return s.group("mpi.Session.Group", set) }

func (s *Session) group(op, set string) (*Group, error) {
	if err := s.usable(op); err != nil {
		return nil, err
	}
	p := s.process
	switch set {
	case worldSet:
		return &Group{p, p.everyone}, nil
	case selfSet:
		return &Group{p, group.Of([]matching.Rank{matching.Rank(p.rank)})}, nil
	case sharedSet:
		var members []matching.Rank
		for rank := range p.size {
			if rank == p.rank || p.hosts != nil && p.hosts[rank] == p.hosts[p.rank] {
				members = append(members, matching.Rank(rank))
			}
		}
		return &Group{p, group.Of(members)}, nil
	}
	return nil, mpierr.Invalid(op, rpi.ErrArg, "there is no process set %q: ProcessSets says which there are", set)
}

// maxStringTag bounds the tags of CreateFromGroup (MPI_MAX_STRINGTAG_LEN, without the end that C needs).
const maxStringTag = 255

// CreateFromGroup makes a communicator of the processes of a group, which all call it. It is nil if the group is empty.
func (s *Session) CreateFromGroup(g *Group, tag string, hints *info.Info) (*Comm, error) {
	const op = "mpi.Session.CreateFromGroup"
	if err := s.usable(op); err != nil {
		return nil, err
	}
	known, refusal := acceptedFor(op, hints)
	made, err := s.create(op, g.members(), tag, refusal)
	if made != nil {
		made.hint(known)
	}
	return made, err
}

// create is CreateFromGroup for an operation of this name, without hints. All processes of the group fail if this one cannot go on,
// because of refusal.
func (s *Session) create(op string, set *group.Group, tag string, refusal error) (*Comm, error) {
	switch {
	case len(tag) > maxStringTag:
		return nil, mpierr.Invalid(op, rpi.ErrTag, "a tag of %d bytes; the limit is %d", len(tag), maxStringTag)
	case set.Size() == 0:
		return nil, nil
	case !set.Has(matching.Rank(s.process.rank)):
		return nil, mpierr.Invalid(op, rpi.ErrArg, "this process is not in the group: only those call it that are")
	}
	founder := s.process.sessions.founder.View(s.ctx)
	number, hash := tagOf(tag)
	id, err := founder.agree(op, set, number, sum(set)^hash, refusal)
	if err != nil {
		return nil, err
	}
	made := newComm(s.process, id, set)
	made.session = s
	return made, nil
}

// tagOf makes a number of a tag, and a longer one: if two tags have the same number calls at the same time fail, and do not mix.
func tagOf(tag string) (number int, hash uint64) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(tag))
	return int(h.Sum64() % (MaxTag + 1)), h.Sum64()
}

// CreateIntercommFromGroups makes an intercommunicator of two groups, whose processes all call it. It is nil if one of them is empty.
func (s *Session) CreateIntercommFromGroups(local *Group, leader int, remote *Group, remoteLeader int, tag string, hints *info.Info) (*Comm, error) {
	const op = "mpi.Session.CreateIntercommFromGroups"
	if err := s.usable(op); err != nil {
		return nil, err
	}
	near, far := local.members(), remote.members()
	switch {
	case near.Size() == 0 || far.Size() == 0:
		return nil, nil
	case leader < 0 || leader >= near.Size() || remoteLeader < 0 || remoteLeader >= far.Size():
		return nil, mpierr.Invalid(op, rpi.ErrRank, "the leaders %d and %d of groups of %d and %d", leader, remoteLeader, near.Size(), far.Size())
	case near.Intersection(far).Size() > 0:
		return nil, mpierr.Invalid(op, rpi.ErrArg, "the groups have processes in common")
	}
	known, refusal := acceptedFor(op, hints)
	founder, other := s.process.sessions.founder.View(s.ctx), int(far.Member(remoteLeader))
	number, _ := tagOf(tag)
	own, err := s.create(op, near, tag, refusal)
	if err != nil {
		if near.Rank(matching.Rank(s.process.rank)) == leader {
			founder.refuse(op, other, number, err)
		}
		return nil, err
	}
	group := own.View(s.ctx)
	made, err := group.CreateIntercomm(leader, &founder, other, number)
	if err = cmp.Or(err, group.Free()); err != nil {
		return nil, renamed(op, err)
	}
	made.hint(known)
	return made, nil
}
