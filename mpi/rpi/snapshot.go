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
	last := len(s.Unexpected) - 1
	switch {
	case m.Context&Internal != 0:
		return
	case last >= 0 && s.Unexpected[last].has(m):
	case len(s.Unexpected) == SnapshotLimit:
		s.MoreUnexpected++
		return
	default:
		s.Unexpected = append(s.Unexpected, Unexpected{Context: m.Context, Source: m.Source, Tag: m.Tag, Type: m.Type})
		last++
	}
	s.Unexpected[last].Messages++
	s.Unexpected[last].Bytes += m.Length
}

func (u *Unexpected) has(m *matching.Message) bool {
	return u.Context == m.Context && u.Source == m.Source && u.Tag == m.Tag
}

// Messages is how many messages no receive has taken.
func (s *Snapshot) Messages() int {
	n := s.MoreUnexpected
	for _, u := range s.Unexpected {
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
	slices.SortFunc(s.Unexpected, func(a, b Unexpected) int {
		return cmp.Or(cmp.Compare(a.Context, b.Context), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Tag, b.Tag))
	})
}
