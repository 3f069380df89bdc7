package pertrc

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// receive posts a receive, or gives it the message that a matched probe took.
func (t *Transport) receive(r *rpi.Request) {
	if r.Message != nil {
		m := r.Message.Owner.(*message)
		r.Message = nil
		if m.conn != nil {
			t.uncork(m.conn)
		}
		t.pair(r, m)
		return
	}
	rcv := &r.Transport.Receive
	rcv.Context, rcv.Source, rcv.Tag, rcv.Owner = r.Context, r.Peer, r.Tag, r
	if m := t.match.Post(rcv); m != nil {
		t.pair(r, m.Owner.(*message))
		return
	}
	if err := t.unreachable(r.Context, r.Peer, r.Tag); err != nil {
		t.match.Cancel(rcv)
		t.pairMatches()
		r.Complete(err)
		return
	}
	t.expect(r, 1)
	t.await(r.Context, r.Peer, r.Tag)
}

// await makes ready for messages that a receive or probe waits for.
func (t *Transport) await(c matching.Context, source matching.Rank, tag matching.Tag) {
	t.unstop(c, source, tag)
	if source == matching.AnySource {
		return
	}
	p := &t.peers[source]
	t.contact(p)
	if tag == matching.AnyTag {
		return
	}
	if conn := p.in[keyOf(c, tag)]; conn != nil && conn.head == nil && !conn.tried {
		conn.tried = true
		t.attend(conn) // it may be there already
	}
}

// withdraw takes back a receive that has not matched.
func (t *Transport) withdraw(r *rpi.Request) bool {
	if !t.match.Cancel(&r.Transport.Receive) {
		return false
	}
	t.expect(r, -1)
	return true
}

// pairMatches carries out the matches that a change has made possible.
func (t *Transport) pairMatches() {
	left := false
	for rcv := t.match.Next(); rcv != nil; rcv = t.match.Next() {
		r := rcv.Owner.(*rpi.Request)
		left = left || !shared(r.Context)
		t.expect(r, -1)
		t.pair(r, rcv.Message.Owner.(*message))
	}
	if left {
		t.refuseLost()
	}
	if len(t.probes) > 0 {
		t.probes = slices.DeleteFunc(t.probes, t.answer)
		t.unstopProbes()
	}
}

// pair gives message m to receive r.
func (t *Transport) pair(r *rpi.Request, m *message) {
	r.Status = rpi.StatusOf(&m.Message)
	if m.Sync && m.Source != t.self {
		t.notify(&t.peers[m.Source], note{kind: ack, id: m.SendID})
	}
	switch {
	case m.sender != nil:
		s, err := m.sender, r.Misfit(&m.Message)
		if err == nil {
			copy(r.Buf, s.Buf)
		}
		s.Transport.Pending = nil
		t.memory.freeMessage(m)
		t.finish(s, nil)
		r.Complete(err)
	case m.lost:
		err := t.peers[m.Source].failed
		t.memory.freeMessage(m)
		r.Complete(err)
	case m.conn == nil: // all of it is in the process
		t.deliver(r, m)
	default:
		m.receiver = r
		if m.Body == nil {
			t.take(m.conn)
		}
	}
}

// deliver gives a message that the process holds to r.
func (t *Transport) deliver(r *rpi.Request, m *message) {
	err := r.Misfit(&m.Message)
	if err == nil {
		copy(r.Buf, m.Body)
	}
	t.memory.freeMessage(m)
	r.Complete(err)
}

// take has the body of a connection's head read to where it is wanted: the
// buffer of its receive, or nowhere.
func (t *Transport) take(c *incoming) {
	m := c.head
	c.wanted, c.place, c.discard = true, nil, 0
	if r := m.receiver; r != nil && r.Misfit(&m.Message) == nil {
		c.place = r.Buf[:m.Length]
	} else {
		c.discard = m.Length
	}
	if m.Length == 0 {
		t.landed(c)
	}
	t.goOn(c)
}

// discard reads and drops a message that no receive will take.
func (t *Transport) discard(m *message) {
	m.unwanted = true
	if m.conn == nil {
		t.memory.freeMessage(m)
		return
	}
	t.take(m.conn)
}

// sift drops a message that has arrived if it is not wanted and no receive has
// taken it.
func (t *Transport) sift(m *message) {
	if t.discarded.Has(m.Context, m.Tag) && t.match.Take(&m.Message) {
		t.pair(&rpi.Request{Op: rpi.OpRecv, Context: m.Context, Peer: m.Source, Tag: m.Tag}, m)
	}
}

// lose ends a message whose rest will never come.
func (t *Transport) lose(m *message) {
	m.conn = nil
	switch r := m.receiver; {
	case r != nil:
		err := t.peers[m.Source].failed
		if err == nil {
			err = errClosed(r)
		}
		t.memory.freeMessage(m)
		r.Complete(err)
	case m.unwanted || t.match.Take(&m.Message):
		t.memory.freeMessage(m)
	default:
		m.lost = true // a matched probe has it
	}
}
