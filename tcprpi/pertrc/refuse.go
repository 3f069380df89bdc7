package pertrc

import (
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// StopReceiving implements rpi.Transport. The sender of a message that is refused must know it before its body is
// read to nowhere: when that has left the send might complete. Short messages are not refused but lost, if
// their senders do not wait for a match.
func (t *Transport) StopReceiving() {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.work()
	t.refusing = true
	t.refuseLost()
}

// refuseLost refuses those of the unexpected messages that are lost since a receive has left.
func (t *Transport) refuseLost() {
	if !t.refusing {
		return
	}
	for m := range t.match.Messages() {
		t.refuse(m.Owner.(*message))
	}
}

// refuse refuses m, which has arrived, if no receive is there that may take it.
func (t *Transport) refuse(m *message) {
	if !t.refusing || shared(m.Context) || m.conn == nil && m.sender == nil {
		return
	}
	p := &t.peers[m.Source]
	if p.failed != nil || p.said {
		return // it cannot be told
	}
	if byTag, anyTag := t.match.Awaited(m.Context, m.Source, m.Tag); byTag || anyTag || !t.match.Take(&m.Message) {
		return
	}
	switch {
	case m.sender != nil:
		t.refused.Add(&m.Message)
		m.sender.Transport.Pending = nil
		t.finish(m.sender, &rpi.UndeliverableError{Peer: t.self})
		t.memory.freeMessage(m)
	case m.Sync || m.Length > uint64(t.cfg.EagerLimit):
		t.refused.Add(&m.Message)
		m.unwanted, m.refused = true, true
		t.notify(p, note{kind: refusal, id: m.SendID, context: m.Context, tag: m.Tag, seq: m.Seq})
	default:
		t.lost.Add(&m.Message)
		t.discard(m)
	}
}

// understood notes that the sender of a message knows that it is refused.
func (t *Transport) understood(p *peer, n *note) {
	for c := p.in[keyOf(n.context, n.tag)]; c != nil; c = c.successor {
		if m := c.head; m != nil && m.refused && !c.wanted && m.Seq == n.seq {
			t.discard(m)
			return
		}
	}
}

// turnedAway notes that a peer will never receive a message. The rest that has not been sent is replaced
// by zeroes, once no goroutine uses the user's memory.
func (t *Transport) turnedAway(p *peer, n *note) error {
	if err := t.turnAway(p, n); err != nil {
		return err
	}
	answer := *n
	answer.kind = understood
	t.notify(p, answer)
	return nil
}

func (t *Transport) turnAway(p *peer, n *note) error {
	if shared(n.context) {
		return violation("it refused a message of context %#x, of which it is to receive all", uint64(n.context))
	}
	if o := p.out[keyOf(n.context, n.tag)]; o != nil {
		for f := o.head; f != nil; f = f.next {
			if r := f.r; r != nil && r.Transport.Seq == n.seq {
				if !f.started || r.Transport.Matched {
					return violation("it refused send %d, of which it has not got the message, or has taken it", n.id)
				}
				r.Transport.Undeliverable = true
				o.retracted++
				t.attend(o)
				return nil
			}
		}
	}
	r := t.requests.Find(n.id)
	if r == nil || r.Op != rpi.OpSend || r.Peer != p.rank ||
		r.Context != n.context || r.Tag != n.tag || r.Transport.Seq != n.seq {
		return nil // it has left, and no more was waited for
	}
	if r.Transport.Matched || r.Transport.Pending != nil {
		return violation("it refused send %d, which does not wait for it", n.id)
	}
	t.finish(r, &rpi.UndeliverableError{Peer: p.rank})
	return nil
}
