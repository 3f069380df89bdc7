package failure

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/agree"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Agreement is one that the program begins.
type Agreement struct {
	Whole  rpi.Request // completes when it is decided
	Result agree.Value // then

	state    *State
	op       string
	proposal agree.Value
	then     func(*Agreement) error
	err      error
}

// What ranks agree for: they must do so for the same.
const (
	ForFlags uint32 = 1 << iota
	ForShrink
)

// parcel is a message of an agreement that is to be sent.
type parcel struct {
	to     int
	number uint32
	m      agree.Message
}

// Agreement returns an agreement on the bitwise and of all flags, on the choice of the lowest living rank, and on who is dead. op is the
// caller in errors. then runs when it is decided, before Whole completes, and returns its error.
func (s *State) Agreement(op string, kind uint32, flags, choice uint64, then func(*Agreement) error) *Agreement {
	a := &Agreement{state: s, op: op, then: then}
	a.Whole.Op, a.Whole.Context = rpi.OpRecv, s.context|rpi.Internal
	acked, dead := s.acked.Load(), s.process.deaths.list()
	a.proposal = agree.Value{Kinds: kind, Flags: flags, Choice: choice}
	for i, peer := range dead {
		if rank := s.members.Rank(peer); rank >= 0 {
			a.proposal.Failed.Add(rank)
			if int64(i) < acked {
				a.proposal.Acked.Add(rank)
			}
		}
	}
	return a
}

// Begin begins it, once.
func (a *Agreement) Begin() {
	s := a.state
	s.change(func() {
		if s.waiting = append(s.waiting, a); len(s.waiting) == 1 {
			s.agreement(s.number).Begin(a.proposal)
		}
	})
	if s.process.Expelled() {
		s.end()
	}
}

// Err is the error of an agreement that has completed.
func (a *Agreement) Err() error { return a.err }

// Unacknowledged returns a process whose death some rank knows of, and not all have acknowledged, AnySource if there is none.
func (a *Agreement) Unacknowledged() matching.Rank {
	for rank := range a.Result.Failed.Ranks() {
		if !a.Result.Acked.Has(rank) {
			return a.state.members.Member(rank)
		}
	}
	return matching.AnySource
}

// decided ends the agreement.
func (a *Agreement) decided() {
	if a.Result.Kinds != a.proposal.Kinds {
		a.err = mpierr.Invalid(a.op, rpi.ErrOther, "other ranks called another of Agree, Shrink and Finalize: all ranks must call the same in the same order")
	} else {
		a.err = a.then(a)
	}
	a.Whole.Complete(a.err)
}

// agreement returns the agreement with a number, nil if nothing is known of it, or any more. mu is held.
func (s *State) agreement(number uint32) *agree.State {
	if known := s.agreements[number]; known != nil || number != s.number && number != s.number+1 {
		return known
	}
	if s.agreements == nil {
		s.agreements = make(map[uint32]*agree.State)
	}
	made := agree.New(s.me, s.members.Size(), s.gone(), func(to int, m agree.Message) {
		s.out = append(s.out, parcel{to, number, m})
	})
	s.agreements[number] = made
	return made
}

// gone are the ranks that are dead or have finalized.
func (s *State) gone() (set agree.Set) {
	d := &s.process.deaths
	d.mu.Lock()
	defer d.mu.Unlock()
	for peer := range d.gone {
		if rank := s.members.Rank(peer); rank >= 0 {
			set.Add(rank)
		}
	}
	return set
}

// end ends the agreements that the program has begun, as this process has been expelled.
func (s *State) end() {
	s.mu.Lock()
	open := s.waiting
	s.waiting = nil
	s.mu.Unlock()
	for _, a := range open {
		a.err = s.process.Outside(a.op)
		a.Whole.Complete(a.err)
	}
}

// receive takes in a message. It does not listen to a rank that it takes for dead: that one may live, and take others for dead.
func (s *State) receive(n notice) {
	m, err := agree.Parse(n.body, s.members.Size())
	from := s.members.Rank(n.from)
	if err != nil || from < 0 {
		return // no rank of this library sends such a message
	}
	if s.process.deaths.isDead(n.from) {
		return
	}
	if m.Value.Failed.Has(s.me) {
		s.process.castOut()
		return
	}
	s.change(func() {
		if a := s.agreement(n.number); a != nil {
			a.Receive(from, m)
		}
	})
	for rank := range m.Value.Failed.Ranks() {
		if peer := s.members.Member(rank); !s.process.deaths.isGone(peer) {
			s.process.Transport.GiveUp(peer, fmt.Errorf("rank %d of the job has found it dead", n.from))
		}
	}
}

// mourn takes in which processes have gone.
func (s *State) mourn() {
	s.change(func() {
		gone := s.gone()
		for number := s.number; number <= s.number+1; number++ {
			if a := s.agreements[number]; a != nil {
				for rank := range gone.Ranks() {
					a.Died(rank)
				}
			}
		}
	})
}

// change makes a change, ends the agreements that are decided then, and sends the messages that follow.
func (s *State) change(do func()) {
	var decided []*Agreement
	s.mu.Lock()
	do()
	for len(s.waiting) > 0 {
		v, ok := s.agreement(s.number).Outcome()
		if !ok {
			break
		}
		a := s.waiting[0]
		a.Result = v
		decided = append(decided, a)
		s.waiting = s.waiting[1:]
		delete(s.agreements, s.number-1)
		if s.number++; len(s.waiting) > 0 {
			s.agreement(s.number).Begin(s.waiting[0].proposal)
		}
	}
	out := s.out
	s.out = nil
	s.mu.Unlock()
	for _, x := range out {
		s.process.send(s.members.Member(x.to), s.context, x.number, func(b []byte) []byte {
			return agree.Append(b, &x.m, s.members.Size())
		})
	}
	for _, a := range decided {
		a.decided()
	}
}
