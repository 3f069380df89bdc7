// Package matching decides which message a receive gets. It is a pure data
// structure: no I/O, no goroutines, no clock and no locks; the caller
// serialises.
//
// # The rules
//
// The messages from one process to another in one context carry sequence
// numbers. Those of one tag arrive in order; those of different tags may
// overtake each other, because they travel on different streams. MPI promises
// that messages do not overtake for any receive that could match both (MPI
// 4.1, section 3.5), so:
//
//   - a receive with a concrete tag may take a message at once, even when
//     messages sent earlier with other tags are still missing, unless an
//     any-tag receive that could take it was posted before;
//   - an any-tag receive takes a message only when everything sent before it
//     has arrived, and then the one that was sent first;
//   - receives that match the same message take it in the order in which they
//     were posted; a probe looks as a receive posted now would;
//   - of messages from different sources, the one that came first is taken.
//
// # The structure
//
// A receive is kept under its pattern, wildcards included; an unexpected
// message under each of the four patterns that cover it. So both a message
// looking for its receive and a receive looking for its message look at the
// heads of at most four lists, whatever their number.
package matching

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
)

// Receive is a posted receive. The caller owns it, and may use it again when
// it has been matched or cancelled; the engine allocates nothing for it.
type Receive struct {
	Context Context
	Source  Rank // or AnySource
	Tag     Tag  // or AnyTag
	// Owner is the caller's.
	Owner any
	// Message is what the receive got.
	Message *Message

	order      uint64 // of posting
	node       *node  // where it is posted
	prev, next *Receive
}

func (r *Receive) key() key { return key{r.Context, r.Source, r.Tag} }

// Message is a message that has arrived, or been announced. The caller owns
// it as it does a Receive.
type Message struct {
	Envelope
	Source Rank
	// Body and Owner are the caller's.
	Body  []byte
	Owner any

	arrival          uint64
	trc, tag, source *node // where it is unexpected
	links            [orders]messageLinks
}

// Engine matches the messages of one process. Its zero value is ready to use.
// Its memory is bounded by the posted receives and unexpected messages that
// there have been at one time, and by the sources and contexts in use.
type Engine struct {
	table   table
	clock   uint64      // counts posts and arrivals
	posted  [shapes]int // receives by shape
	waiting int         // unexpected messages
	matched receiveList // not yet returned by Next
}

// Post gives r the message it is entitled to, or posts it and returns nil.
func (e *Engine) Post(r *Receive) *Message {
	k := r.key()
	n := e.table.get(k)
	r.prev, r.next, r.node, r.Message = nil, nil, nil, nil
	if m := e.candidate(n); m != nil {
		r.Message = m
		e.unlink(m)
		return m
	}
	e.clock++
	r.order, r.node = e.clock, n
	n.posted.push(r)
	e.posted[k.shape()]++
	return nil
}

// Probe returns the message that a receive posted now would take, nil if
// there is none.
func (e *Engine) Probe(c Context, source Rank, t Tag) *Message {
	n := e.table.find(key{c, source, t})
	if n == nil {
		return nil
	}
	return e.candidate(n)
}

// candidate returns the message that a receive with the pattern of n, posted
// now, may take.
func (e *Engine) candidate(n *node) *Message {
	switch n.key.shape() {
	case anyTag:
		if len(n.sequence.runs) == 0 {
			return nil
		}
		return n.sequence.runs[0].unmatched.head
	case anyBoth:
		return n.unexpected.head
	}
	for m := n.unexpected.head; m != nil; m = m.links[ofTag].next {
		if !e.blocked(m) {
			return m
		}
		if n.key.source != AnySource {
			break
		}
	}
	return nil
}

// blocked reports whether a posted any-tag receive has a claim to m that
// cannot be decided yet.
func (e *Engine) blocked(m *Message) bool {
	if e.posted[anyTag] == 0 && e.posted[anyBoth] == 0 || m.source.sequence.ready(m.Seq) {
		return false
	}
	return m.source.posted.head != nil || m.source.context.posted.head != nil
}

// Arrive hands in a message. It is matched, or kept as unexpected; Next
// returns the receives that matched in consequence. Messages of one TRC must
// arrive in the order of their sequence numbers. After an error, a
// *SequenceError or ErrGaps, the message is not in the engine.
func (e *Engine) Arrive(m *Message) error {
	src := e.sourceNode(m.Context, m.Source)
	released, err := src.sequence.add(m.Seq)
	if err != nil {
		return e.refuse(err, m.Context, m.Source, m.Seq)
	}
	e.clock++
	m.arrival, m.source = e.clock, src
	leaving := anyTagClaims{}
	if !e.offer(m, &leaving) {
		e.link(m)
	}
	e.release(src, released, &leaving)
	e.unblock(src, leaving)
	return nil
}

// Skip notes that sequence number s will never carry a message.
func (e *Engine) Skip(c Context, source Rank, s Seq) error {
	src := e.sourceNode(c, source)
	released, err := src.sequence.add(s)
	if err != nil {
		return e.refuse(err, c, source, s)
	}
	leaving := anyTagClaims{}
	e.release(src, released, &leaving)
	e.unblock(src, leaving)
	return nil
}

// Next returns the next receive that Arrive, Skip or Cancel has given its
// message, in the order in which that happened, and nil when there are none.
func (e *Engine) Next() *Receive {
	r := e.matched.head
	if r != nil {
		e.matched.remove(r)
	}
	return r
}

// Cancel withdraws a posted receive. It reports false, and does nothing, if
// the receive is not posted: it has matched, even if Next has not returned it.
func (e *Engine) Cancel(r *Receive) bool {
	if r.node == nil {
		return false
	}
	n := r.node
	e.withdraw(r)
	switch n.key.shape() {
	case anyTag:
		if n.context != nil {
			e.unblock(n, anyTagClaims{source: true})
		}
	case anyBoth:
		e.unblockContext(n, AnySource)
	default:
		e.table.tidy(n)
	}
	return true
}

// Take removes an unexpected message: a matched probe took it, or its sender
// wants it back. It reports false if m is not there.
func (e *Engine) Take(m *Message) bool {
	if m.trc == nil {
		return false
	}
	e.unlink(m)
	return true
}

// Release forgets a context. Receives that are still posted in it and
// messages that are unexpected are forgotten too. It looks at everything that
// the engine holds.
func (e *Engine) Release(c Context) {
	e.table.each(func(n *node) {
		if n.key.context != c {
			return
		}
		for r := n.posted.head; r != nil; r = n.posted.head {
			e.withdraw(r)
		}
		if n.key.shape() == exact {
			for m := n.unexpected.head; m != nil; {
				next := m.links[ofTRC].next
				m.trc, m.tag, m.source, m.links = nil, nil, nil, [orders]messageLinks{}
				e.waiting--
				m = next
			}
		}
		e.table.drop(n)
	})
}

// Receives lists the posted receives in the order of posting. It takes a
// snapshot: the engine may be changed while it is used.
func (e *Engine) Receives() iter.Seq[*Receive] {
	var all []*Receive
	e.table.each(func(n *node) {
		for r := n.posted.head; r != nil; r = r.next {
			all = append(all, r)
		}
	})
	slices.SortFunc(all, func(a, b *Receive) int { return cmp.Compare(a.order, b.order) })
	return slices.Values(all)
}

// Messages lists the unexpected messages in the order of arrival, as a
// snapshot.
func (e *Engine) Messages() iter.Seq[*Message] {
	var all []*Message
	e.table.each(func(n *node) {
		if n.key.shape() == exact {
			for m := n.unexpected.head; m != nil; m = m.links[ofTRC].next {
				all = append(all, m)
			}
		}
	})
	slices.SortFunc(all, func(a, b *Message) int { return cmp.Compare(a.arrival, b.arrival) })
	return slices.Values(all)
}

// Depth returns the numbers of posted receives and of unexpected messages.
func (e *Engine) Depth() (posted, unexpected int) {
	for _, n := range e.posted {
		posted += n
	}
	return posted, e.waiting
}

func (e *Engine) refuse(err error, c Context, source Rank, s Seq) error {
	if err == errTwice {
		return &SequenceError{Context: c, Source: source, Seq: s}
	}
	return fmt.Errorf("%w of rank %d in context %#x", err, source, c)
}
