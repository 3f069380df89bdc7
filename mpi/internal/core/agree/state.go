package agree

// State is one agreement at one rank. It takes in messages before Begin too, from ranks that have begun.
type State struct {
	me, size int
	dead     Set
	send     func(to int, m Message)

	begun    bool
	own      Value
	asked    int // the coordinator that has got the own proposal, -1: none
	proposed Set // the ranks whose proposals have come here
	combined Value
	// accepted is the value that this rank has accepted last, from coordinator by; -1: none.
	accepted Value
	by       int
	agreed   Set // the ranks that have accepted the value of this coordinator
	leads    bool
	decided  bool
}

// New makes the state of rank me in an agreement among size ranks, of which those in dead are known to be dead. send is called
// for each message to another rank, and must not call back.
func New(me, size int, dead Set, send func(to int, m Message)) *State {
	return &State{me: me, size: size, dead: dead.Union(nil), send: send, asked: -1, by: -1}
}

// Begin makes a proposal. It is called once.
func (s *State) Begin(proposal Value) {
	s.begun, s.own = true, proposal
	s.take(s.me, proposal)
	s.move()
}

// Died notes that a rank is dead.
func (s *State) Died(rank int) {
	if rank != s.me && !s.dead.Has(rank) {
		s.dead.Add(rank)
		s.move()
	}
}

// Receive takes in a message from another rank.
func (s *State) Receive(from int, m Message) {
	if s.decided {
		if m.Kind != Accepted && m.Kind != Commit {
			s.send(from, Message{Commit, s.accepted})
		}
		return
	}
	switch m.Kind {
	case Query:
		s.learn(m.Value.Failed)
		if s.begun && s.asked != from {
			s.propose(from)
		}
	case Propose:
		s.learn(m.Value.Failed)
		s.take(from, m.Value)
	case Accept:
		if from >= s.by && !s.leads {
			s.accepted, s.by = m.Value, from
			s.send(from, Message{Kind: Accepted})
		}
	case Accepted:
		s.agreed.Add(from)
	case Commit:
		s.accepted = m.Value
		s.decide()
	}
	s.move()
}

// Outcome is the value that has been decided, if one has.
func (s *State) Outcome() (v Value, decided bool) { return s.accepted, s.decided }

// Dead are the ranks that are known to be dead, those too of which other ranks have said so.
func (s *State) Dead() Set { return s.dead }

// learn takes in which ranks another rank knows to be dead.
func (s *State) learn(dead Set) { s.dead = s.dead.Union(dead) }

// take combines a proposal with those that have come before.
func (s *State) take(from int, v Value) {
	if s.proposed == nil {
		s.combined = v
	} else if !s.proposed.Has(from) {
		s.combined = s.combined.with(v)
	}
	s.proposed.Add(from)
}

// propose sends the own proposal to a coordinator.
func (s *State) propose(to int) {
	s.asked = to
	v := s.own
	v.Failed = v.Failed.Union(s.dead)
	s.send(to, Message{Propose, v})
}

// move does what can be done now.
func (s *State) move() {
	if s.decided || !s.begun {
		return
	}
	if c := s.coordinator(); c != s.me {
		if c > s.asked {
			s.propose(c)
		}
		return
	}
	if !s.leads {
		s.leads = true
		if s.by < 0 {
			s.tell(Message{Query, Value{Failed: s.dead.Union(nil)}}) // which Died does not change
		}
	}
	if s.by != s.me {
		if s.by < 0 && !s.all(s.proposed) {
			return
		}
		s.choose()
	}
	if s.all(s.agreed) {
		s.decide()
	}
}

// decide takes the accepted value for decided. A coordinator tells the others: they may have been asked for no more than to accept it.
func (s *State) decide() {
	s.decided = true
	if s.leads {
		s.tell(Message{Commit, s.accepted})
	}
}

// choose has all ranks accept a value: the one that this rank has accepted, as it may have been decided, or the proposals combined.
func (s *State) choose() {
	if s.by < 0 {
		s.accepted = s.combined
		s.accepted.Choice = s.own.Choice
		s.accepted.Failed = s.accepted.Failed.Union(s.dead)
	}
	s.by = s.me
	s.agreed = SetOf(s.me)
	s.tell(Message{Accept, s.accepted})
}

// coordinator is the lowest living rank.
func (s *State) coordinator() int {
	rank := 0
	for rank != s.me && s.dead.Has(rank) {
		rank++
	}
	return rank
}

// all reports whether all living ranks are in a set.
func (s *State) all(set Set) bool {
	for rank := range s.size {
		if !set.Has(rank) && !s.dead.Has(rank) {
			return false
		}
	}
	return true
}

// tell sends a message to all other living ranks.
func (s *State) tell(m Message) {
	for rank := range s.size {
		if rank != s.me && !s.dead.Has(rank) {
			s.send(rank, m)
		}
	}
}
