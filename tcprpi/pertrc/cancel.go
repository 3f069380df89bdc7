package pertrc

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// cancelSend withdraws a message that has not left, or asks its receiver to
// forget it.
func (t *Transport) cancelSend(r *rpi.Request) {
	switch pending := r.Transport.Pending.(type) {
	case *frame:
		if !pending.started {
			t.withdrawFrame(r, pending)
			return
		}
	case *message: // to this process itself
		if t.match.Take(&pending.Message) {
			t.memory.freeMessage(pending)
			t.cancelled(r)
		}
		return
	}
	if r.Transport.Matched || r.Transport.Retracting {
		return
	}
	r.Transport.Retracting = true
	t.notify(&t.peers[r.Peer], note{kind: retract, id: t.requests.Name(r), context: r.Context, tag: r.Tag, seq: r.Transport.Seq})
}

func (t *Transport) cancelled(r *rpi.Request) {
	r.Transport.Pending = nil
	r.Status.Cancelled = true
	t.finish(r, nil)
}

// withdrawFrame takes a message out of the queue, and tells the receiver not
// to wait for its sequence number.
func (t *Transport) withdrawFrame(r *rpi.Request, f *frame) {
	p := &t.peers[r.Peer]
	t.unqueue(p.out[keyOf(r.Context, r.Tag)], f)
	t.cancelled(r)
	t.memory.freeFrame(f)
	t.notify(p, note{kind: void, context: r.Context, tag: r.Tag, seq: r.Transport.Seq})
}

// forget is asked of a receiver: a message that has not matched is as if it
// had never been sent. It has to be read all the same.
func (t *Transport) forget(p *peer, n *note) error {
	done, err := t.forgets(p, n)
	if err != nil {
		return err
	}
	answer := *n
	if answer.kind = kept; done {
		answer.kind = retracted
	}
	t.notify(p, answer)
	t.pairMatches()
	return nil
}

func (t *Transport) forgets(p *peer, n *note) (bool, error) {
	k := keyOf(n.context, n.tag)
	first := p.in[k]
	if first == nil {
		return false, nil // it was received, and the connection has ended
	}
	for c := first; c != nil; c = c.successor {
		if !c.begun || c.lastSeq < n.seq {
			continue
		}
		m := c.head
		if m == nil || m.Seq != n.seq || !t.match.Take(&m.Message) {
			return false, nil
		}
		t.discard(m)
		return true, nil
	}
	if len(p.retracted) >= maxRetracted {
		return false, nil
	}
	if err := t.match.Skip(n.context, p.rank, n.seq); err != nil {
		return false, violation("%v", err)
	}
	if p.retracted == nil {
		p.retracted = make(map[place]struct{})
	}
	p.retracted[place{k, n.seq}] = struct{}{}
	return true, nil
}

// forgotten handles the answer whether the receiver of a message has forgotten it. If it has, the
// rest that has not been sent is replaced by zeroes, once no goroutine uses the user's memory.
func (t *Transport) forgotten(p *peer, n *note) {
	r := t.requests.Find(n.id)
	if r == nil || r.Peer != p.rank || !r.Transport.Retracting || r.Transport.Matched ||
		r.Context != n.context || r.Tag != n.tag || r.Transport.Seq != n.seq {
		return // the match was acknowledged first, or the answer belongs to no cancellation
	}
	f, leaving := r.Transport.Pending.(*frame)
	switch {
	case n.kind == kept:
		r.Transport.Retracting = false
		if !leaving && r.Mode != rpi.Synchronous {
			t.finish(r, nil)
		}
	case leaving:
		o := p.out[keyOf(r.Context, r.Tag)]
		f.retracted = true
		o.retracted++
		t.attend(o)
	default:
		t.cancelled(r)
	}
}

// substitute replaces the messages in a queue that have been taken back or refused.
// The queue is not being written.
func (t *Transport) substitute(o *outgoing) {
	if o.retracted == 0 {
		return
	}
	o.retracted = 0
	for f := o.head; f != nil; f = f.next {
		r := f.r
		if r == nil || !f.retracted && !r.Transport.Undeliverable {
			continue
		}
		f.r, f.zeros, f.body = nil, len(f.body), nil
		if f.retracted {
			t.cancelled(r)
		} else {
			r.Transport.Pending = nil
			t.finish(r, &rpi.UndeliverableError{Peer: r.Peer})
		}
	}
}

// dropRetractions forgets what the peer wanted back of a TRC whose connection has
// ended.
func (p *peer) dropRetractions(k key) {
	for at := range p.retracted {
		if at.key == k {
			delete(p.retracted, at)
		}
	}
}

// wanted reports whether a message that begins to arrive is still wanted.
func (p *peer) wanted(k key, seq matching.Seq) bool {
	if len(p.retracted) == 0 {
		return true
	}
	at := place{k, seq}
	_, found := p.retracted[at]
	delete(p.retracted, at)
	return !found
}
