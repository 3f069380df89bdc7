package matching

import "errors"

// Engine matches the messages of one process with its receives. Its zero
// value is ready to use.
//
// Receives and messages belong to the caller, and the engine allocates nothing
// for them. It keeps as many queues as they have needed at one time. The caller
// bounds the unexpected messages. What else a peer can make the engine keep is
// bounded by MaxContexts and MaxGaps.
type Engine struct {
	// Gaps bounds the gaps that Arrive makes, of one source in one context. Skip may make twice as many. 0 stands for
	// MaxGaps in both.
	Gaps int

	table      table
	empty      *queue // of the TRC that has become empty last: see tidy
	clock      uint64 // counts posts and arrivals
	posted     int
	unexpected int
	most       int           // that unexpected has ever been
	matched    receiveList   // not yet returned by Next
	contexts   map[Rank]int  // the number of contexts in which a rank is known as a source
	unbounded  map[Rank]bool // see Unbind
}

// Post returns the message that r takes, and sets r.Message to it. If there is
// none it posts r and returns nil. It panics if r is posted already or waits to
// be returned by Next.
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

// Arrive hands in a message. The message is matched, or kept as unexpected. Next
// returns the receives that have matched because of it. Messages of one TRC must
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
	ready, at := src.context.overtaking || src.arrived.due(m.Seq), 0
	if ready {
		err = src.arrived.count(m.Seq)
	} else {
		at, err = src.arrived.locate(m.Seq, e.bound(m.Source, 1))
	}
	if err != nil {
		return e.refuse(err, src, m.Seq)
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
	case ready: // and counted
	case r == nil:
		src.arrived.add(at, m.Seq, m)
	default:
		src.arrived.add(at, m.Seq, nil)
	}
	if r != nil {
		e.match(r, m)
	}
	if ready {
		e.matchReady(src)
	}
	return nil
}

// Meet hands in a message from a rank, by its envelope, and returns the posted receive that gets it, which is as before Post then. It is for most
// messages: nil means that nothing has happened and that Arrive is to be called, as there is no such receive, or another message is
// missing, or has come out of order.
func (e *Engine) Meet(from Rank, env *Envelope) *Receive {
	trc := e.table.find(key{env.Context, from, env.Tag})
	of := trc
	if of == nil {
		if of = e.table.find(key{env.Context, from, AnyTag}); of == nil {
			return nil
		}
	}
	src := of.source
	if !src.inTurn(env.Seq) {
		return nil
	}
	all := src.context
	var r *Receive
	if all.tagged == 0 && src.receives.head == nil && all.any.receives.head == nil { // no wildcard
		if trc != nil {
			r = trc.receives.head
		}
	} else {
		r = receiver(src, trc, e.table.find(key{env.Context, AnySource, env.Tag}), true)
	}
	if r == nil {
		return nil
	}
	src.arrived.next++
	e.withdraw(r)
	return r
}

// Quiet reports whether a receive posted now for messages of one TRC would be the first that gets one, and none has come: there is no such message, nor a
// receive that takes one. It is false before the first message of the source in the context.
func (e *Engine) Quiet(c Context, from Rank, t Tag) bool {
	trc := e.table.find(key{c, from, t})
	of := trc
	if of == nil {
		if of = e.table.find(key{c, from, AnyTag}); of == nil {
			return false
		}
	} else if trc.receives.head != nil || trc.messages.head != nil {
		return false
	}
	src := of.source
	all := src.context
	return src.receives.head == nil && all.any.receives.head == nil && (all.tagged == 0 || !e.receives(c, AnySource, t))
}

// Pass notes a message from a rank that no posted receive gets, as the caller gives it to one that would have been posted first: see Quiet. As with
// Meet, false means that nothing has happened.
func (e *Engine) Pass(from Rank, env *Envelope) bool {
	of := e.table.find(key{env.Context, from, AnyTag})
	if of == nil || !of.source.inTurn(env.Seq) {
		return false
	}
	of.source.arrived.next++
	return true
}

// Skip notes that sequence number s of a source will never carry a message, as
// its sender has withdrawn that. As with Arrive, receives may match because of it, and the errors
// are the same.
func (e *Engine) Skip(c Context, from Rank, s Seq) error {
	if from < 0 {
		return errWildcard
	}
	src, err := e.sender(c, from, nil)
	if err != nil {
		return err
	}
	if src.context.overtaking || src.arrived.due(s) {
		if err := src.arrived.count(s); err != nil {
			return e.refuse(err, src, s)
		}
		e.matchReady(src)
		return nil
	}
	at, err := src.arrived.locate(s, e.bound(from, 2))
	if err != nil {
		return e.refuse(err, src, s)
	}
	src.arrived.add(at, s, nil)
	return nil
}

// Next returns the next receive that has matched in Arrive, Skip, AllowOvertaking or Cancel, and
// nil when there are none. Receives that have matched in one call come in the
// order in which they matched, which need not be the order in which their
// messages were sent.
func (e *Engine) Next() *Receive {
	r := e.matched.head
	if r != nil {
		e.matched.remove(r)
		r.state = idle
	}
	return r
}

// Cancel withdraws a posted receive. Next returns the receives that have matched
// because of it. Cancel reports false, and does nothing, if r is not posted, for
// instance because it has matched and Next has not returned it yet.
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

// Take removes an unexpected message, because a matched probe takes it or its
// sender withdraws it. It reports false if m is not unexpected. No receive
// matches because of it: the sequence number of m still counts as arrived.
func (e *Engine) Take(m *Message) bool {
	if m.trc == nil {
		return false
	}
	e.unlink(m)
	return true
}

// Awaited reports whether receives are posted that a message from a source could match:
// byTag, whether there is one that names its tag, and anyTag, whether there is one that
// takes any tag.
func (e *Engine) Awaited(c Context, from Rank, t Tag) (byTag, anyTag bool) {
	return e.receives(c, from, t) || e.receives(c, AnySource, t), e.receives(c, from, AnyTag) || e.receives(c, AnySource, AnyTag)
}

// receives reports whether a receive is posted with a pattern.
func (e *Engine) receives(c Context, source Rank, t Tag) bool {
	q := e.table.find(key{c, source, t})
	return q != nil && q.receives.head != nil
}

// Posted returns how many receives are posted that name that source.
func (e *Engine) Posted(c Context, from Rank) int {
	if q := e.table.find(key{c, from, AnyTag}); q != nil {
		return q.source.posted
	}
	return 0
}

// Depth returns the numbers of posted receives and of unexpected messages.
func (e *Engine) Depth() (posted, unexpected int) {
	return e.posted, e.unexpected
}

// MostUnexpected returns the greatest number of unexpected messages that there has been at one time.
func (e *Engine) MostUnexpected() int { return e.most }
