package rpi

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
)

// SnapshotLimit bounds each list of a Snapshot.
const SnapshotLimit = 64

// Snapshot is what a transport had to do at one time. It shows what a program that does not go on
// is waiting for.
type Snapshot struct {
	// Waits are the operations that an MPI call waits for, Open the others. If several goroutines
	// wait for an operation it is listed once for each. MoreWaits and MoreOpen count the operations
	// for which there is no room in the lists.
	Waits, Open         []Operation
	MoreWaits, MoreOpen int
	// Unexpected are the messages that no receive has taken. MoreUnexpected counts those for which
	// there is no room in the list.
	Unexpected     []Unexpected
	MoreUnexpected int
	// Undeliverable are the messages that this process has returned to their senders so far: see Transport.StopReceiving.
	Undeliverable     []Unexpected
	MoreUndeliverable int
	// Sent and Received count what this process has sent to others and received from them: each message, each answer to
	// one, and each farewell, but not the bodies of long messages. If the sums
	// of both over all processes of a job are equal, no message is on its way. SentToDead and ReceivedFromDead are those of
	// them that have gone to peers, or come from peers, that are dead by now.
	Sent, Received               uint64
	SentToDead, ReceivedFromDead uint64
	// MessagesSent are those that sends to others have begun and that were not cancelled, MessagesReceived those from others that
	// receives have taken: what programs and collective operations exchange, each message once. BytesSent and BytesReceived are
	// theirs, without envelopes.
	MessagesSent, MessagesReceived uint64
	BytesSent, BytesReceived       uint64
	// Lengths are theirs, nil without Config.Statistics.
	Lengths *Lengths
	// MostUnexpected is how many messages that no receive had taken there were at one time, at most. Those of collective
	// operations, and those of the process to itself, are among them.
	MostUnexpected int
}

// Operation is an operation that has not completed.
type Operation struct {
	Op      Op
	Mode    Mode
	Context matching.Context
	Peer    matching.Rank // in the job, or matching.AnySource
	Tag     matching.Tag
	Length  uint64 // of what a send sends, in bytes
	Stage   Stage

	// The fields below are set if an MPI call waits for the operation. Since is the time at which
	// the call blocked, zero if it has not. Limited: the call's context may end the wait. Site is
	// its call stack, if Waiter.Ask has asked for it.
	Waiter  *Waiter
	Since   time.Time
	Limited bool
	Site    []uintptr
}

// Stage is what an open operation waits for.
type Stage uint8

const (
	// Unmatched: a send whose message no receive has matched, or a receive that has no message.
	Unmatched Stage = iota
	// Connecting: there is no connection with the peer yet.
	Connecting
	// Moving: the message is on its way.
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

// Add adds r, which has been started and has not completed. Only the transport calls it, and makes
// sure that r does not complete meanwhile.
func (s *Snapshot) Add(r *Request, stage Stage) {
	if r.Transport.Owned {
		return // a buffered send has ended for the program
	}
	internal := r.Context&Internal != 0 // not the program's, but a call may wait for what it is part of
	o := Operation{Op: r.Op, Mode: r.Mode, Context: r.Context, Peer: r.Peer, Tag: r.Tag, Stage: stage}
	if r.Op == OpSend {
		o.Length = uint64(len(r.Buf))
	}
	if r.Then != nil {
		if r = r.Then.Whole(); r == nil {
			return
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiters) == 0 && !internal {
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

// AddMessage adds an unexpected message. The messages with one source, tag and context must be
// added one after the other.
func (s *Snapshot) AddMessage(m *matching.Message) {
	last := max(0, len(s.Unexpected)-1)
	s.MoreUnexpected += add(&s.Unexpected, last, m)
}

// add counts m in the entry of list, from index from on, that has its source, tag and context. It
// returns 1 if the list has no room for a new entry.
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

// Lost counts messages that no receive will ever take. The zero Lost has none.
type Lost struct {
	list []Unexpected
	more int
}

// Add adds a message.
func (l *Lost) Add(m *matching.Message) { l.more += add(&l.list, 0, m) }

// Among adds the messages to a list of a Snapshot, and those that find no room to more.
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

// Unreceived returns the messages that no receive has taken, the unexpected and the undeliverable ones
// together, and how many more there are than the lists have room for.
func (s *Snapshot) Unreceived() (list []Unexpected, more int) {
	list = slices.Clone(s.Unexpected)
	for _, u := range s.Undeliverable {
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
	return list, s.MoreUnexpected + s.MoreUndeliverable
}

// Messages returns how many messages no receive has taken.
func (s *Snapshot) Messages() int {
	list, n := s.Unreceived()
	for _, u := range list {
		n += u.Messages
	}
	return n
}

// Sort puts the lists in an order that depends only on what is in them. Waits that have not blocked come
// first, then the longest ones.
func (s *Snapshot) Sort() {
	byEnvelope := func(a, b *Operation) int {
		return cmp.Or(cmp.Compare(a.Context, b.Context), cmp.Compare(a.Op, b.Op), cmp.Compare(a.Peer, b.Peer), cmp.Compare(a.Tag, b.Tag))
	}
	// By package sort: slices would have some 20 KiB of code in each program, for these types alone.
	sort.Slice(s.Waits, func(i, k int) bool {
		a, b := &s.Waits[i], &s.Waits[k]
		return cmp.Or(a.Since.Compare(b.Since), byEnvelope(a, b)) < 0
	})
	sort.Slice(s.Open, func(i, k int) bool { return byEnvelope(&s.Open[i], &s.Open[k]) < 0 })
	for _, list := range [][]Unexpected{s.Unexpected, s.Undeliverable} {
		sort.Slice(list, func(i, k int) bool {
			a, b := &list[i], &list[k]
			return cmp.Or(cmp.Compare(a.Context, b.Context), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Tag, b.Tag)) < 0
		})
	}
}
