package core

import (
	"sync"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/agree"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// agreements are those of a communicator, one after the other. Their numbers begin at 1. Three are kept: the current agreement, which is
// not decided yet; the last one, for ranks that have not heard its result; and the next one, for messages of ranks that have begun it.
type agreements struct {
	process  *process
	context  matching.Context
	me, size int
	members  *group.Group

	mu      sync.Mutex // guards what follows
	number  uint32     // of the one that is not decided
	states  map[uint32]*agree.State
	waiting []*accord // that the program has begun; the first has been proposed
	out     []parcel
}

// parcel is a message to be sent.
type parcel struct {
	to     int
	number uint32
	m      agree.Message
}

func newAgreements(c *Comm) *agreements {
	all := c.ranks()
	members := c.group
	if c.union != nil {
		members = c.union
	}
	return &agreements{
		process: c.process, context: c.context, me: all.Me, size: all.Size, members: members,
		number: 1, states: make(map[uint32]*agree.State),
	}
}

// state returns the agreement with a number, nil if nothing is known of it, or any more. mu is held.
func (g *agreements) state(number uint32) *agree.State {
	if s := g.states[number]; s != nil || number != g.number && number != g.number+1 {
		return s
	}
	s := agree.New(g.me, g.size, g.gone(), func(to int, m agree.Message) {
		g.out = append(g.out, parcel{to, number, m})
	})
	g.states[number] = s
	return s
}

// gone are the ranks that are dead or have finalized.
func (g *agreements) gone() (set agree.Set) {
	d := &g.process.deaths
	d.mu.Lock()
	defer d.mu.Unlock()
	for peer := range d.gone {
		if rank := g.members.Rank(peer); rank >= 0 {
			set.Add(rank)
		}
	}
	return set
}

// begin begins an agreement of the program.
func (g *agreements) begin(a *accord) {
	g.change(func() {
		if g.waiting = append(g.waiting, a); len(g.waiting) == 1 {
			g.propose(a)
		}
	})
	if g.process.expelled.Load() != nil {
		g.end()
	}
}

// end ends the agreements that the program has begun, as this process has been expelled.
func (g *agreements) end() {
	g.mu.Lock()
	open := g.waiting
	g.waiting = nil
	g.mu.Unlock()
	for _, a := range open {
		a.err = g.process.outside(a.op)
		a.whole.Complete(a.err)
	}
}

// propose makes the proposal of the next agreement. mu is held.
func (g *agreements) propose(a *accord) { g.state(g.number).Begin(a.proposal) }

// receive takes in a message. It does not listen to a rank that it takes for dead: that one may live, and take others for dead.
func (g *agreements) receive(l letter) {
	m, err := agree.Parse(l.body, g.size)
	from := g.members.Rank(l.from)
	if err != nil || from < 0 {
		return // no rank of this library sends such a message
	}
	if g.process.deaths.isDead(l.from) {
		return
	}
	if m.Value.Failed.Has(g.me) {
		g.process.castOut()
		return
	}
	g.change(func() {
		s := g.state(l.number)
		if s == nil {
			return
		}
		s.Receive(from, m)
	})
	for rank := range m.Value.Failed.Ranks() {
		if peer := g.members.Member(rank); rank != g.me && !g.process.deaths.isGone(peer) {
			g.process.transport.GiveUp(peer, reported(l.from))
		}
	}
}

// mourn takes in which processes have gone.
func (g *agreements) mourn() {
	g.change(func() {
		gone := g.gone()
		for number := g.number; number <= g.number+1; number++ {
			if s := g.states[number]; s != nil {
				for rank := range gone.Ranks() {
					s.Died(rank)
				}
			}
		}
	})
}

// change makes a change, ends the agreements that are decided then, and sends the messages that follow.
func (g *agreements) change(do func()) {
	var decided []*accord
	g.mu.Lock()
	do()
	for len(g.waiting) > 0 {
		v, ok := g.state(g.number).Outcome()
		if !ok {
			break
		}
		a := g.waiting[0]
		a.result = v
		decided = append(decided, a)
		g.waiting = g.waiting[1:]
		delete(g.states, g.number-1)
		if g.number++; len(g.waiting) > 0 {
			g.propose(g.waiting[0])
		}
	}
	out := g.out
	g.out = nil
	g.mu.Unlock()
	for _, x := range out {
		g.process.service.send(g.members.Member(x.to), g.context, x.number, func(b []byte) []byte {
			return agree.Append(b, &x.m, g.size)
		})
	}
	for _, a := range decided {
		a.decided()
	}
}

// accord is an agreement that the program has begun, as the Work of a Request.
type accord struct {
	comm     *Comm
	op       string
	whole    rpi.Request
	proposal agree.Value
	result   agree.Value
	then     func(*accord) // runs when it is decided, before the request completes
	err      error
}

// What ranks agree for: they must do so for the same.
const (
	forFlags = 1 << iota
	forShrink
)

// accord begins an agreement. then, which may be nil, runs when it is decided, and sets the error.
func (c *View) accord(op string, kind uint32, flags, choice uint64, then func(*accord)) *Request {
	a := &accord{comm: c.Comm, op: op, then: then}
	g := c.process.service.agreementsOf(c.Comm, c.context)
	a.whole.Op, a.whole.Context = rpi.OpRecv, c.context|rpi.Internal
	acked, dead := c.acked.Load(), c.process.deaths.list()
	a.proposal = agree.Value{Kinds: kind, Flags: flags, Choice: choice}
	for i, peer := range dead {
		if rank := g.members.Rank(peer); rank >= 0 {
			a.proposal.Failed.Add(rank)
			if int64(i) < acked {
				a.proposal.Acked.Add(rank)
			}
		}
	}
	r := c.NewRequest(op, &a.whole, a)
	g.begin(a)
	return r
}

// decided ends the agreement.
func (a *accord) decided() {
	v := &a.result
	switch {
	case v.Kinds != a.proposal.Kinds:
		a.err = mpierr.Invalid(a.op, rpi.ErrOther, "other ranks called another of Agree, Shrink and Finalize: all ranks must call the same in the same order")
	case a.then != nil:
		a.then(a)
	}
	a.whole.Complete(a.err)
}

// unacknowledged is the error of an agreement in which a rank has not acknowledged all deaths that some rank knows of, nil if all have.
func (a *accord) unacknowledged() error {
	g := a.comm.process.service.agreementsOf(a.comm, a.comm.context)
	for rank := range a.result.Failed.Ranks() {
		if !a.result.Acked.Has(rank) {
			job := g.members.Member(rank)
			return mpierr.Invalid(a.op, rpi.ErrProcFailed, "the ranks have agreed, but %s is gone, which not all have acknowledged with AckFailed", a.comm.name(job)).
				About(a.comm.rankOf(job))
		}
	}
	return nil
}

// Outcome implements Work.
func (a *accord) Outcome() (Status, error) { return EmptyStatus, a.err }

// Cancel implements Work.
func (a *accord) Cancel(op string) error {
	return mpierr.Invalid(op, rpi.ErrRequest, "an agreement cannot be cancelled")
}

// Release implements Work.
func (a *accord) Release() {}

// Agree returns the bitwise and of the flags of all living ranks, when all have called it.
func (c *View) Agree(flags uint64) (uint64, error) {
	result := flags
	r, err := c.agreeing("mpi.Agree", flags, func(all uint64) { result = all })
	if err != nil {
		return flags, err
	}
	_, err = r.Wait(c.ctx)
	return result, err
}

// IAgree is Agree that does not wait. The flags must stay until the request has completed, which changes them.
func (c *View) IAgree(flags *uint64) (*Request, error) {
	return c.IAgreeThen(*flags, func(all uint64) { *flags = all })
}

// IAgreeThen is IAgree that calls then with the result, on any goroutine, before the request completes.
func (c *View) IAgreeThen(flags uint64, then func(all uint64)) (*Request, error) {
	return c.agreeing("mpi.IAgree", flags, then)
}

func (c *View) agreeing(op string, flags uint64, then func(all uint64)) (*Request, error) {
	if err := c.usable(op); err != nil {
		return nil, err
	}
	return c.accord(op, forFlags, flags, 0, func(a *accord) {
		then(a.result.Flags)
		a.err = a.unacknowledged()
	}), nil
}
