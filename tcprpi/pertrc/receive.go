package pertrc

import (
	"fmt"
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
		t.settle()
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

// settle carries out the matches that a change has made possible.
func (t *Transport) settle() {
	for rcv := t.match.Next(); rcv != nil; rcv = t.match.Next() {
		r := rcv.Owner.(*rpi.Request)
		t.expect(r, -1)
		t.pair(r, rcv.Message.Owner.(*message))
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
		t.say(&t.peers[m.Source], note{kind: ack, id: m.SendID})
	}
	switch {
	case m.sender != nil:
		s, err := m.sender, misfit(r, m)
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
	err := misfit(r, m)
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
	if r := m.receiver; r != nil && misfit(r, m) == nil {
		c.place = r.Buf[:m.Length]
	} else {
		c.discard = m.Length
	}
	if m.Length == 0 {
		t.landed(c)
	}
	t.goOn(c)
}

// discard has a message read that nobody will receive.
func (t *Transport) discard(m *message) {
	m.unwanted = true
	if m.conn == nil {
		t.memory.freeMessage(m)
		return
	}
	t.take(m.conn)
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

// misfit says why m cannot be received by r, whose buffer then stays as it
// is. A message without elements fits every receive.
func misfit(r *rpi.Request, m *message) error {
	switch {
	case m.Length == 0:
		return nil
	case m.Type != r.Type:
		return &rpi.TypeError{Sent: m.Type, Wanted: r.Type}
	case m.Length > uint64(len(r.Buf)):
		return fmt.Errorf("%w: %d bytes were sent, the buffer has %d", rpi.ErrTruncate, m.Length, len(r.Buf))
	}
	return nil
}
