package matching

// candidate returns the message that a receive posted now in q would take,
// nil if there is none.
func (q *queue) candidate() *Message {
	if q.key.tag == AnyTag {
		return q.messages.head
	}
	// A posted any-tag receive has taken every ready message that it matches.
	// The messages that are still here are held, and it was posted before a
	// receive that comes now.
	switch context := q.source.context; {
	case context.any.receives.head != nil:
		return nil
	case q.key.source == AnySource:
		m := q.messages.head
		for m != nil && m.trc.source.receives.head != nil {
			m = m.links[byTag].next
		}
		return m
	case q.source.receives.head != nil:
		return nil
	}
	return q.messages.head
}

// receiver returns the receive that gets a message, nil if there is none. It is
// the matching receive that was posted first. But if that takes any tag and the
// message is not ready, no receive may have the message yet. The message comes
// from src and belongs to the queues trc and tag, which are nil if they are not
// open.
func receiver(src *source, trc, tag *queue, ready bool) *Receive {
	var r *Receive
	if trc != nil {
		r = trc.receives.head
	}
	if tag != nil {
		r = first(r, tag.receives.head)
	}
	anyTag := src.anyTag()
	switch {
	case anyTag == nil || r != nil && r.order < anyTag.order:
		return r
	case ready:
		return anyTag
	}
	return nil
}

// anyTag returns the any-tag receive posted first that matches the messages of
// s, nil if there is none.
func (s *source) anyTag() *Receive {
	return first(s.receives.head, s.context.any.receives.head)
}

// enqueue posts r in q.
func (e *Engine) enqueue(r *Receive, q *queue) {
	e.clock++
	e.posted++
	r.order, r.queue, r.state = e.clock, q, posted
	q.receives.push(r)
	q.source.posted++
	context := q.source.context
	if r.Tag == AnyTag {
		r.behind = context.concrete
		return
	}
	context.concrete++
	if r.Source == AnySource {
		context.tagged++
	}
}

// withdraw takes r out of its queue.
func (e *Engine) withdraw(r *Receive) {
	q := r.queue
	q.receives.remove(r)
	r.queue, r.state = nil, idle
	e.posted--
	q.source.posted--
	if q.key.tag != AnyTag && q.key.source == AnySource {
		q.source.context.tagged--
	}
	e.tidy(q)
}

// match gives m, which is in no list, to r, which is posted.
func (e *Engine) match(r *Receive, m *Message) {
	src := r.queue.source
	e.withdraw(r)
	r.Message, r.state = m, matched
	e.matched.push(r)
	if r.Tag == AnyTag {
		e.unblock(r, src)
	}
}

// unblock looks again at the held messages that r, an any-tag receive from src,
// has kept from other receives until now. Receives with a concrete tag that were
// posted after r, but before the next any-tag receive, may take them. It goes by
// arrival: any-source receives want this order, and each TRC has it too.
func (e *Engine) unblock(r *Receive, src *source) {
	context := src.context
	limit := context.concrete
	if next := src.anyTag(); next != nil {
		limit = next.behind
	}
	if limit <= r.behind {
		return // none was posted between them
	}
	for m := context.held.head; m != nil; {
		next := m.links[byContext].next
		if from := m.trc.source; src == from || src == &context.any {
			if r := receiver(from, m.trc, m.tag, false); r != nil {
				e.unlink(m)
				e.match(r, m)
			}
		}
		m = next
	}
}

// matchReady matches the messages of src that have become ready, in the
// order of their sequence numbers. A message counts as held until its turn
// comes, because an any-tag receive that leaves may have unblocked it.
func (e *Engine) matchReady(src *source) {
	settled := src.messages.tail
	ready := src.arrived.advance()
	src.messages.append(ready, bySource)
	for m := ready.head; m != nil; m = src.messages.after(settled, bySource) {
		if r := receiver(src, m.trc, m.tag, true); r != nil {
			e.unlink(m)
			e.match(r, m)
			continue
		}
		src.context.makeReady(m)
		settled = m
	}
}

// keep lists an arriving message that no receive takes. If the message is not
// ready, the caller adds it to a range. trc is nil if that queue is not open.
func (e *Engine) keep(m *Message, trc *queue, src *source, ready bool) {
	if trc == nil {
		trc = e.table.open(key{m.Context, m.Source, m.Tag}, src)
	}
	k := key{m.Context, AnySource, m.Tag}
	tag := e.table.find(k)
	if tag == nil {
		tag = e.table.open(k, &src.context.any)
	}
	e.clock++
	e.unexpected++
	e.most = max(e.most, e.unexpected)
	m.order, m.trc, m.tag, m.held = e.clock, trc, tag, !ready
	trc.messages.push(m, byTRC)
	tag.messages.push(m, byTag)
	if ready {
		src.messages.push(m, bySource)
		src.context.any.messages.push(m, byContext)
	} else {
		src.context.held.push(m, byContext)
	}
}

// unlink takes an unexpected message out of its lists.
func (e *Engine) unlink(m *Message) {
	src := m.trc.source
	m.trc.messages.remove(m, byTRC)
	e.tidy(m.trc)
	m.tag.messages.remove(m, byTag)
	e.tidy(m.tag)
	if m.Seq < src.arrived.next {
		src.messages.remove(m, bySource)
	} else {
		src.arrived.drop(m)
	}
	if m.held {
		src.context.held.remove(m, byContext)
	} else {
		src.context.any.messages.remove(m, byContext)
	}
	m.reset()
	e.unexpected--
}

// reset gives m back to the caller.
func (m *Message) reset() {
	m.trc, m.tag, m.links = nil, nil, [lists]messageLinks{}
}
