package pertrc

import "github.com/sctpmpi/sctpmpi/matching"

// advance notes n bytes that were read.
func (t *Transport) advance(c *incoming, n int) error {
	if c.head != nil {
		k := min(n, len(c.place))
		c.place = c.place[k:]
		n -= k
		skip := min(uint64(n), c.discard)
		c.discard -= skip
		n -= int(skip)
		if len(c.place) > 0 || c.discard > 0 {
			return nil
		}
		t.landed(c)
	}
	if c.have += n; c.have < len(c.header) {
		return nil
	}
	c.have = 0
	return t.arrived(c)
}

// arrived takes the envelope of a message.
func (t *Transport) arrived(c *incoming) error {
	var env matching.Envelope
	if err := matching.ParseEnvelope(&env, c.header[:]); err != nil {
		return violation("%v", err)
	}
	if env.Kind != matching.Eager || keyOf(env.Context, env.Tag) != c.key {
		return violation("a frame of kind %v for tag %d in context %#x came on the connection for %v", env.Kind, env.Tag, uint64(env.Context), c.key)
	}
	if c.begun && env.Seq <= c.lastSeq {
		return violation("message %d came behind message %d", env.Seq, c.lastSeq)
	}
	t.heardOf++
	m := t.memory.message(c.peer.rank, &env)
	m.conn = c
	c.head, c.wanted, c.whole, c.reclaiming = m, false, env.Length == 0, false
	c.begun, c.lastSeq, c.tried = true, env.Seq, false
	t.allotted.idleIn.remove(&c.idle)
	if !c.peer.wanted(c.key, env.Seq) {
		t.discard(m)
		return nil
	}
	if err := t.match.Arrive(&m.Message); err != nil {
		c.head = nil
		t.memory.freeMessage(m)
		return violation("%v", err)
	}
	t.sift(m)
	t.refuse(m)
	t.pairMatches()
	if t.state == closing {
		t.changed.Broadcast()
	}
	if c.head == m && !c.wanted && c.key.tag == matching.AnyTag && c.peer.posted[c.key.context] > 0 {
		t.stash(c)
	}
	return nil
}

// landed notes that the body of the head is where it was to go.
func (t *Transport) landed(c *incoming) {
	m := c.head
	c.head, c.wanted, c.place = nil, false, nil
	m.conn = nil
	t.allotted.idleIn.push(&c.idle, c)
	if m.unwanted {
		t.memory.freeMessage(m)
		return
	}
	t.meter.Received.Add(1)
	switch r := m.receiver; {
	case r == nil: // stashed
	case m.Body != nil:
		t.deliver(r, m)
	default:
		err := r.Misfit(&m.Message)
		t.memory.freeMessage(m)
		r.Complete(err)
	}
}
