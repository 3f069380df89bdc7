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
//     any-tag receive that could take it was posted before and still is;
//   - an any-tag receive takes a message only when everything sent before it
//     has arrived, and then the one that was sent first;
//   - receives that match the same message take it in the order in which they
//     were posted; a probe looks as a receive posted now would;
//   - of messages from different sources that it may take, a receive takes the
//     one that arrived first, or, with any tag, the one for which everything
//     sent before it had arrived first.
//
// # The structure
//
// A receive waits under its pattern, wildcards included; an unexpected message
// under each of the four patterns that cover it. So both a message looking for
// its receive and a receive looking for its message look at the heads of at
// most four queues, however long these are.
//
// A message is ready when everything sent before it has arrived. One that is
// not, and that no receive may take yet, is held; only held messages can
// become eligible later, when they become ready or when an any-tag receive
// that stood before others leaves. The work that this takes grows with the
// number of held messages, and is done only if a receive with a concrete tag
// was posted behind the one that left. Where no message overtakes another, as
// on one TCP connection, nothing is ever held.
package matching

import "errors"

// Engine matches the messages of one process with its receives. Its zero
// value is ready to use.
//
// It allocates nothing for a receive or a message, which the caller owns, and
// keeps no more queues than the posted receives and unexpected messages needed
// at one time. Bounding the unexpected messages is up to the caller. What a
// peer can make the engine keep beside them is bounded by MaxContexts and
// MaxGaps.
type Engine struct {
	table      table
	clock      uint64 // counts posts and arrivals
	posted     int
	unexpected int
	matched    receiveList  // not yet returned by Next
	contexts   map[Rank]int // in which the rank is known as a source
}

// Post gives r the message that it is entitled to, or posts it and returns
// nil. It panics if r is posted already or waits to be returned by Next.
func (e *Engine) Post(r *Receive) *Message {
	if r.state != idle {
		panic("matching: Post of a receive that is still in use")
	}
	k := key{r.Context, r.Source, r.Tag}
	q := e.table.find(k)
	if q == nil {
		q = e.open(k)
	} else if m := q.candidate(); m != nil {
		e.unlink(m)
		r.Message = m
		return m
	}
	r.Message = nil
	e.enqueue(r, q)
	return nil
}

// Probe returns the message that a receive posted now would take, nil if
// there is none. The message stays where it is.
func (e *Engine) Probe(c Context, source Rank, t Tag) *Message {
	q := e.table.find(key{c, source, t})
	if q == nil {
		return nil
	}
	return q.candidate()
}

var errWildcard = errors.New("a message has a concrete source and tag, not negative ones")

// Arrive hands in a message. It is matched, or kept as unexpected; Next
// returns the receives that matched in consequence. Messages of one TRC must
// arrive in the order of their sequence numbers.
//
// After an error the message is not in the engine, and nothing has changed:
// a *SequenceError if its sequence number has come before or is out of range,
// or one that wraps ErrGaps or ErrContexts. Arrive panics if m is an unexpected message already.
func (e *Engine) Arrive(m *Message) error {
	if m.trc != nil {
		panic("matching: Arrive of a message that is unexpected already")
	}
	if m.Source < 0 || m.Tag < 0 {
		return errWildcard
	}
	trc := e.table.find(key{m.Context, m.Source, m.Tag})
	src, err := e.sender(m.Context, m.Source, trc)
	if err != nil {
		return err
	}
	ready, at := m.Seq == src.arrived.next, 0
	if !ready {
		if at, err = src.arrived.locate(m.Seq); err != nil {
			return e.refuse(err, src, m.Seq)
		}
	}
	var tag *queue
	if src.context.tagged > 0 {
		tag = e.table.find(key{m.Context, AnySource, m.Tag})
	}
	r := receiver(src, trc, tag, ready)
	if r == nil {
		e.keep(m, trc, src, ready)
	}
	switch {
	case ready:
		src.arrived.next++
	case r == nil:
		src.arrived.add(at, m.Seq, m)
	default:
		src.arrived.add(at, m.Seq, nil)
	}
	if r != nil {
		e.match(r, m)
	}
	if ready {
		e.settle(src)
	}
	return nil
}

// Skip notes that sequence number s of a source will never carry a message
// (see Void). Its consequences and errors are those of Arrive.
func (e *Engine) Skip(c Context, from Rank, s Seq) error {
	if from < 0 {
		return errWildcard
	}
	src, err := e.sender(c, from, nil)
	if err != nil {
		return err
	}
	if s == src.arrived.next {
		src.arrived.next++
		e.settle(src)
		return nil
	}
	at, err := src.arrived.locate(s)
	if err != nil {
		return e.refuse(err, src, s)
	}
	src.arrived.add(at, s, nil)
	return nil
}

// Next returns the next receive that Arrive, Skip or Cancel has given its
// message, and nil when there are none. Those that one call has matched come in
// the order in which the rules gave them their messages; that need not be the
// order in which the messages were sent.
func (e *Engine) Next() *Receive {
	r := e.matched.head
	if r != nil {
		e.matched.remove(r)
		r.state = idle
	}
	return r
}

// Cancel withdraws a posted receive; Next returns the receives that matched
// in consequence. It reports false, and does nothing, if r is not posted: it
// has matched, even if Next has not returned it.
func (e *Engine) Cancel(r *Receive) bool {
	if r.state != posted {
		return false
	}
	src := r.queue.source
	e.withdraw(r)
	if r.Tag == AnyTag {
		e.unblock(r, src)
	}
	return true
}

// Take removes an unexpected message: a matched probe took it, or its sender
// wants it back. It reports false if m is not unexpected. No receive matches
// in consequence: the sequence number of m stays arrived.
func (e *Engine) Take(m *Message) bool {
	if m.trc == nil {
		return false
	}
	e.unlink(m)
	return true
}

// Awaited reports whether receives are posted that a message from a source could match:
// one that names its tag, and one that takes any.
func (e *Engine) Awaited(c Context, from Rank, t Tag) (byTag, anyTag bool) {
	return e.receives(c, from, t) || e.receives(c, AnySource, t), e.receives(c, from, AnyTag) || e.receives(c, AnySource, AnyTag)
}

// receives reports whether a receive is posted with a pattern.
func (e *Engine) receives(c Context, source Rank, t Tag) bool {
	q := e.table.find(key{c, source, t})
	return q != nil && q.receives.head != nil
}

// Depth returns the numbers of posted receives and of unexpected messages.
func (e *Engine) Depth() (posted, unexpected int) {
	return e.posted, e.unexpected
}
