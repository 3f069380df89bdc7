package rpi

import (
	"cmp"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
)

// SnapshotLimit bounds each list of a Snapshot.
const SnapshotLimit = 64

// Snapshot is what a transport had to do at one time. It answers the question why a
// program does not go on.
type Snapshot struct {
	// Waits are the operations that an MPI call waits for, Open those that none waits for.
	// An operation that several goroutines wait for is there once for each. MoreWaits and
	// MoreOpen count those for which there is no room.
	Waits, Open         []Operation
	MoreWaits, MoreOpen int
	// Unexpected are the messages that no receive has taken. MoreUnexpected counts those for
	// which there is no room.
	Unexpected     []Unexpected
	MoreUnexpected int
	// Refused are the messages that this process has refused so far: see Transport.Refuse.
	Refused     []Unexpected
	MoreRefused int
	// Sent and Received count what this process has told others, and has heard of them: each
	// message, and each answer to one, but not the bodies of long messages. If both sums are
	// equal over all processes of a job, nothing is under way.
	Sent, Received uint64
}

// Operation is one that has not completed.
type Operation struct {
	Op      Op
	Mode    Mode
	Context matching.Context
	Peer    matching.Rank // in the job, or matching.AnySource
	Tag     matching.Tag
	Length  uint64 // of what a send sends, in bytes
	Stage   Stage

	// What follows is set if an MPI call waits for the operation. Since says since when it
	// has been blocked; zero: it has not. Limited: it may end by its context. Site is its call
	// stack if that has been asked for: see Waiter.Ask.
	Waiter  *Waiter
	Since   time.Time
	Limited bool
	Site    []uintptr
}

// Stage says what an open operation needs.
type Stage uint8

const (
	// Unmatched: nobody has sent what is received, or received what is sent.
	Unmatched Stage = iota
	// Connecting: there is no connection with the peer yet.
	Connecting
	// Moving: the message is under way.
	Moving
)

// Unexpected are messages with the same source, tag and context that no receive has taken.
type Unexpected struct {
	Context  matching.Context
	Source   matching.Rank // in the job
	Tag      matching.Tag
	Type     matching.Type // of the first
	Messages int
	Bytes    uint64
}

// Add adds r, which has been started and has not completed. Only the transport calls it, and
// sees to it that r does not complete meanwhile.
func (s *Snapshot) Add(r *Request, stage Stage) {
	if r.Transport.Owned || r.Context&Internal != 0 {
		return // the program has done with it, or knows nothing of it
	}
	o := Operation{Op: r.Op, Mode: r.Mode, Context: r.Context, Peer: r.Peer, Tag: r.Tag, Stage: stage}
	if r.Op == OpSend {
		o.Length = uint64(len(r.Buf))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiters) == 0 {
		if len(s.Open) < SnapshotLimit {
			s.Open = append(s.Open, o)
		} else {
			s.MoreOpen++
		}
	}
	for _, w := range r.waiters {
		if len(s.Waits) == SnapshotLimit {
			s.MoreWaits++
			continue
		}
		o.Waiter, o.Since, o.Limited, o.Site = w, w.blocked(), w.limited.Load(), w.where()
		s.Waits = append(s.Waits, o)
	}
}

// AddMessage adds an unexpected message. Those of one source, tag and context come one after
// the other.
func (s *Snapshot) AddMessage(m *matching.Message) {
	last := max(0, len(s.Unexpected)-1)
	s.MoreUnexpected += add(&s.Unexpected, last, m)
}

// add adds m to what list has from an index on, and returns 1 if there is no room for it.
func add(list *[]Unexpected, from int, m *matching.Message) (more int) {
	i := from + slices.IndexFunc((*list)[from:], func(u Unexpected) bool { return u.has(m) })
	switch {
	case m.Context&Internal != 0:
		return 0
	case i >= from:
	case len(*list) == SnapshotLimit:
		return 1
	default:
		i = len(*list)
		*list = append(*list, Unexpected{Context: m.Context, Source: m.Source, Tag: m.Tag, Type: m.Type})
	}
	(*list)[i].Messages++
	(*list)[i].Bytes += m.Length
	return 0
}

// Lost keeps account of messages that nobody will receive. Its zero value has none.
type Lost struct {
	list []Unexpected
	more int
}

// Add adds a message.
func (l *Lost) Add(m *matching.Message) { l.more += add(&l.list, 0, m) }

// Among adds the messages to a list of a Snapshot.
func (l *Lost) Among(list *[]Unexpected, more *int) {
	room := min(len(l.list), SnapshotLimit-len(*list))
	*list = append(*list, l.list[:room]...)
	*more += l.more
	for _, u := range l.list[room:] {
		*more += u.Messages
	}
}

func (u *Unexpected) has(m *matching.Message) bool {
	return u.Context == m.Context && u.Source == m.Source && u.Tag == m.Tag
}

// Unreceived are the messages that no receive has taken, and how many more there are: those that are
// unexpected, and those that were refused.
func (s *Snapshot) Unreceived() (list []Unexpected, more int) {
	list = slices.Clone(s.Unexpected)
	for _, u := range s.Refused {
		i := slices.IndexFunc(list, func(o Unexpected) bool {
			return u.Context == o.Context && u.Source == o.Source && u.Tag == o.Tag
		})
		if i < 0 {
			list = append(list, u)
			continue
		}
		list[i].Messages += u.Messages
		list[i].Bytes += u.Bytes
	}
	return list, s.MoreUnexpected + s.MoreRefused
}

// Messages is how many messages no receive has taken.
func (s *Snapshot) Messages() int {
	list, n := s.Unreceived()
	for _, u := range list {
		n += u.Messages
	}
	return n
}

// Sort puts the lists in an order that depends on what is in them. The longest waits come first, behind those
// that have only begun.
func (s *Snapshot) Sort() {
	byEnvelope := func(a, b Operation) int {
		return cmp.Or(cmp.Compare(a.Context, b.Context), cmp.Compare(a.Op, b.Op), cmp.Compare(a.Peer, b.Peer), cmp.Compare(a.Tag, b.Tag))
	}
	slices.SortFunc(s.Waits, func(a, b Operation) int { return cmp.Or(a.Since.Compare(b.Since), byEnvelope(a, b)) })
	slices.SortFunc(s.Open, byEnvelope)
	for _, list := range [][]Unexpected{s.Unexpected, s.Refused} {
		slices.SortFunc(list, func(a, b Unexpected) int {
			return cmp.Or(cmp.Compare(a.Context, b.Context), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Tag, b.Tag))
		})
	}
}
