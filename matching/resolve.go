package matching

// anyTagClaims says which any-tag receives have left their lists, so that
// messages which they blocked must be looked at again.
type anyTagClaims struct{ source, context bool }

// offer gives m to the receive that is entitled to it, and reports whether
// there is one.
func (e *Engine) offer(m *Message, leaving *anyTagClaims) bool {
	r := e.claimant(m)
	if r == nil || r.Tag == AnyTag && !m.source.sequence.ready(m.Seq) {
		return false
	}
	n := r.node
	e.withdraw(r)
	switch n.key.shape() {
	case anyTag:
		leaving.source = true
	case anyBoth:
		leaving.context = true
	default:
		e.table.tidy(n)
	}
	r.Message = m
	e.matched.push(r)
	return true
}

// claimant returns the receive posted first of those that match m.
func (e *Engine) claimant(m *Message) *Receive {
	var first *Receive
	consider := func(n *node) {
		if n != nil {
			if r := n.posted.head; r != nil && (first == nil || r.order < first.order) {
				first = r
			}
		}
	}
	if e.posted[exact] > 0 {
		consider(e.table.find(key{m.Context, m.Source, m.Tag}))
	}
	if e.posted[anySource] > 0 {
		consider(e.table.find(key{m.Context, AnySource, m.Tag}))
	}
	consider(m.source)
	consider(m.source.context)
	return first
}

// withdraw takes a receive out of its list.
func (e *Engine) withdraw(r *Receive) {
	r.node.posted.remove(r)
	e.posted[r.node.key.shape()]--
	r.node = nil
}

// release offers messages that have become ready to the receives, in the
// order of their sequence numbers, and keeps the rest.
func (e *Engine) release(src *node, released messageList, leaving *anyTagClaims) {
	for m := released.head; m != nil; {
		next := m.links[ofSource].next
		m.links[ofSource] = messageLinks{}
		src.context.held.remove(ofState, m)
		if e.offer(m, leaving) {
			e.unlist(m)
		} else {
			src.sequence.insert(m)
			src.context.unexpected.push(ofState, m)
		}
		m = next
	}
}

// unblock looks again at the held messages that the any-tag receives which
// left could have taken.
func (e *Engine) unblock(src *node, leaving anyTagClaims) {
	switch {
	case leaving.context:
		e.unblockContext(src.context, AnySource)
	case leaving.source:
		e.unblockContext(src.context, src.key.source)
	}
}

// unblockContext offers the held messages of a source, or of all, to
// concrete receives, in the order of arrival.
func (e *Engine) unblockContext(context *node, source Rank) {
	for m := context.held.head; m != nil; {
		next := m.links[ofState].next
		if source == AnySource || m.Source == source {
			var none anyTagClaims // a held message is never for an any-tag receive
			if e.offer(m, &none) {
				m.source.sequence.remove(m)
				context.held.remove(ofState, m)
				e.unlist(m)
			}
		}
		m = next
	}
}

// link keeps m as unexpected.
func (e *Engine) link(m *Message) {
	m.trc = e.table.get(key{m.Context, m.Source, m.Tag})
	m.tag = e.table.get(key{m.Context, AnySource, m.Tag})
	m.trc.unexpected.push(ofTRC, m)
	m.tag.unexpected.push(ofTag, m)
	m.source.sequence.insert(m)
	m.source.state(m).push(ofState, m)
	e.waiting++
}

// unlink forgets an unexpected message.
func (e *Engine) unlink(m *Message) {
	m.source.state(m).remove(ofState, m)
	m.source.sequence.remove(m)
	e.unlist(m)
}

// unlist takes m out of the lists by tag, the last that hold it.
func (e *Engine) unlist(m *Message) {
	m.trc.unexpected.remove(ofTRC, m)
	m.tag.unexpected.remove(ofTag, m)
	e.table.tidy(m.trc)
	e.table.tidy(m.tag)
	m.trc, m.tag, m.source = nil, nil, nil
	e.waiting--
}

// state is the list of m's context that m belongs to: ready or held.
func (n *node) state(m *Message) *messageList {
	if n.sequence.ready(m.Seq) {
		return &n.context.unexpected
	}
	return &n.context.held
}

// sourceNode returns the node that keeps the sequence of a source.
func (e *Engine) sourceNode(c Context, source Rank) *node {
	n := e.table.get(key{c, source, AnyTag})
	if n.context == nil {
		n.context = e.table.get(key{c, AnySource, AnyTag})
		n.sequence.start()
	}
	return n
}
