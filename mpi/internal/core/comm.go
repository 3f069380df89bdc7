package core

import (
	"context"
	"runtime"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/failure"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/window"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Comm is a communicator, whatever face it is seen through.
type Comm struct {
	process *process
	// context separates the point-to-point messages of this communicator from
	// all others; context|collective.Messages is that of its collectives.
	context matching.Context
	rank    int
	// group is the processes of the communicator, peers those with which this one exchanges messages.
	group, peers *group.Group
	bridge

	collectives *collective.Space
	failures    *failure.State
	kept        keptSpaces
	parts       partContexts
	session     *Session                    // that it comes from, nil if it comes from MPI's world
	buffered    atomic.Pointer[rpi.Account] // nil: buffered sends count on the account of the session or the process
	levels      levels
	object      object
	state       atomic.Uint32 // a commState
	arranged
	// refs counts the requests that are not known to be complete, plus one
	// until Free; the last one releases the contexts.
	refs atomic.Int64
	// window is that for whose messages it was made, nil if there is none.
	window atomic.Pointer[window.Window]
	// made is where it was made: the call stack.
	made []uintptr
	stop func(*rpi.Request) error // failures.Interrupted: made once, as an argument for each wait would take memory
}

// commState is what becomes of a communicator.
type commState = uint32

const (
	making commState = iota // it has no context yet
	ready
	freed
)

// newComm makes a communicator with a context that no other has.
func newComm(p *process, id matching.Context, g *group.Group) *Comm {
	c := makeComm(p, g)
	c.context = id
	c.open()
	return c
}

// makeComm makes a communicator that has no context yet. When it has, open makes it ready.
func makeComm(p *process, g *group.Group) *Comm {
	c := &Comm{process: p, rank: g.Rank(matching.Rank(p.rank)), group: g, peers: g, failures: new(failure.State), made: make([]uintptr, 16)}
	c.made = c.made[:runtime.Callers(2, c.made)]
	c.stop = c.failures.Interrupted
	c.refs.Store(1)
	return c
}

func (c *Comm) open() {
	c.collectives = c.openSpace(c.context)
	if c.mayShare() {
		c.collectives.MayShare()
	}
	if c.asserts(unordered) {
		c.process.transport.AllowOvertaking(c.context, true)
	}
	c.process.enlist(c)
	c.process.failures.Open(c.failures, c.context, c.members(), c.peers, c.revoke)
	c.state.Store(ready)
}

// openSpace opens a context for the processes of the communicator, and its collective operations.
func (c *Comm) openSpace(id matching.Context) *collective.Space {
	if c.union != nil {
		c.process.transport.Scope(id, c.peers.Union(group.Of([]matching.Rank{matching.Rank(c.process.rank)})).Members())
	} else if !c.group.IsFirst(c.process.size) {
		c.process.transport.Scope(id, c.group.Members())
	}
	all := c.ranks()
	return c.process.collectives.Open(c, id, all.Me, all.Size)
}

// View is a communicator whose blocking operations give up when a context ends.
// It is the same communicator: ranks, messages and the order of collectives are
// shared. A nil View, and one of no communicator, is the null communicator:
// operations on it fail with ErrComm.
type View struct {
	*Comm
	ctx context.Context
}

// View returns a view of c; a nil ctx never ends.
func (c *Comm) View(ctx context.Context) View {
	return View{Comm: c, ctx: orBackground(ctx)}
}

// Null reports whether there is no communicator.
func (c *View) Null() bool { return c == nil || c.Comm == nil }

// Rank is the rank of this process in the communicator, from 0
// (MPI_COMM_RANK); Undefined if c is nil, as Split returns it to some.
func (c *View) Rank() int {
	if c.Null() {
		return Undefined
	}
	return c.rank
}

// Size is the number of processes of the communicator (MPI_COMM_SIZE); 0 if c
// is nil.
func (c *View) Size() int {
	if c.Null() {
		return 0
	}
	return c.group.Size()
}

// Transport is the name of the transport that carries the messages, with "shm + " before it once this
// process shares memory with peers of its host; empty if c is nil.
func (c *View) Transport() string {
	if c.Null() {
		return ""
	}
	name := c.process.transport.Name()
	if c.Usage().SharedPeers > 0 {
		name = "shm + " + name
	}
	return name
}

// Usage returns what the transport takes of the operating system, to compare transports. It
// stands for MPI's performance variables (MPI 4.1, section 15.3.7). All is 0 if c is nil or
// the transport does not count.
func (c *View) Usage() rpi.Usage {
	if c.Null() {
		return rpi.Usage{}
	}
	return c.process.usage()
}

func (p *process) usage() rpi.Usage {
	if m, ok := bare(p.transport).(rpi.Metered); ok {
		return m.Usage()
	}
	return rpi.Usage{}
}

// Pending returns what the process has to do and has not received, and how many messages it has moved: for performance
// variables of tools too. It visits each operation, so do not call it often. All is 0 if c is nil.
func (c *View) Pending() rpi.Snapshot {
	if c.Null() {
		return rpi.Snapshot{}
	}
	return c.process.transport.Pending()
}

// orBackground is ctx, which may be nil.
func orBackground(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// usable says why no operation can be started on c, nil if one can.
func (c *View) usable(op string) error {
	switch {
	case c.Null():
		return mpierr.Invalid(op, rpi.ErrComm, "the communicator is nil")
	case c.state.Load() != ready:
		return c.notReady(op)
	}
	return c.process.usable(op)
}

func (c *View) notReady(op string) error {
	if c.state.Load() == making {
		return mpierr.Invalid(op, rpi.ErrComm, "%s is not complete yet: wait for the request of its Idup", c.title())
	}
	return mpierr.Invalid(op, rpi.ErrComm, "%s has been freed", c.title())
}

// hold takes a reference, and reports false if the communicator has been released.
func (c *Comm) hold() bool {
	for n := c.refs.Load(); n > 0; n = c.refs.Load() {
		if c.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
	return false
}

// release gives up one reference.
func (c *Comm) release() {
	if c.refs.Add(-1) == 0 {
		c.failures.Close()
		c.closeSpace(c.context, c.collectives)
		c.kept.close(c)
		c.process.transport.Release(c.context | rpi.Internal)
		c.closeParts()
	}
}

// closeSpace closes what openSpace has opened, and delists the communicator by this context.
func (c *Comm) closeSpace(id matching.Context, s *collective.Space) {
	s.Close()
	c.process.delist(id)
	c.process.transport.Release(id)
	c.process.transport.Release(id | collective.Messages)
	c.process.transport.Release(id | collective.Notices)
}
