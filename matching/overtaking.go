package matching

// AllowOvertaking says whether messages of a context may overtake each other for receives that could match both, as a
// program may assert (mpi_assert_allow_overtaking and mpi_assert_no_any_tag; MPI 4.1, section 7.4.4). If they may, every
// message is ready when it arrives, nothing is held, and no gaps are kept: sequence numbers are only counted, at a cost that
// does not depend on how many messages overtake others. The messages of one TRC keep their order all the same.
//
// When overtaking is not allowed any more, the messages that were sent before the last of those that have arrived until
// then may still overtake each other. No later one overtakes them, or another later one.
//
// As with Arrive, receives may match because of it.
func (e *Engine) AllowOvertaking(c Context, allowed bool) {
	context := e.source(c, AnySource).context
	if context.overtaking == allowed {
		return
	}
	context.overtaking = allowed
	if allowed {
		e.forgoOrder(context)
	}
}

// forgoOrder makes all held messages of a context ready, in the order of their arrival.
func (e *Engine) forgoOrder(c *context) {
	for q := range c.queues.all {
		if s := q.source; q == &s.queue {
			s.arrived.forgo()
		}
	}
	for m := c.held.head; m != nil; m = m.links[byContext].next {
		m.links[bySource] = messageLinks{}
		m.trc.source.messages.push(m, bySource)
	}
	for m := c.held.head; m != nil; m = c.held.head {
		if r := receiver(m.trc.source, m.trc, m.tag, true); r != nil {
			e.unlink(m)
			e.match(r, m)
		} else {
			c.makeReady(m)
		}
	}
}

// makeReady moves a held message, for which no receive waits, to those that any receive may take.
func (c *context) makeReady(m *Message) {
	c.held.remove(m, byContext)
	c.any.messages.push(m, byContext)
	m.held = false
}

// due reports whether message s is ready when it arrives: everything sent before it has arrived, or it is one of those that
// were missing when messages could overtake.
func (q *sequence) due(s Seq) bool {
	if q.missing > 0 {
		return s < q.next
	}
	return s == q.next
}

// count notes that s has arrived, which is ready. It fails if s has surely arrived before.
func (q *sequence) count(s Seq) error {
	switch {
	case s+1 == 0 || s < q.next && q.missing == 0:
		return errTwice
	case s < q.next:
		q.missing--
	default:
		q.missing += uint64(s - q.next)
		q.next = s + 1
	}
	return nil
}

// forgo keeps the number of what is missing in place of the gaps.
func (q *sequence) forgo() {
	for _, l := range q.ranges.all() {
		q.missing += uint64(l.first - q.next)
		q.next = l.last + 1
	}
	q.ranges = ranges{}
}
