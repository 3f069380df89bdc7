package progression

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// send starts a send: eagerly if the message is short and the receiver has
// room for it, by announcing it otherwise. others: short messages are likely to follow.
func (l *Layer) send(r *rpi.Request, others bool) {
	p := &l.peers[r.Peer]
	if p.failed != nil {
		r.Complete(p.failed)
		return
	}
	if r.Mode == rpi.Buffered {
		if r = l.detach(r); r == nil {
			return
		}
	}
	r.Transport.Seq = p.sent.Next(r.Context)
	switch {
	case r.Peer == l.self:
		l.loopback(r)
	case p.backlog.count == 0 && p.credit >= Overhead:
		l.emit(r, others)
	default:
		l.hold(r)
	}
}

// emit sends a message, or announces it if it is long or the credit does not suffice. For that
// there must be credit.
func (l *Layer) emit(r *rpi.Request, others bool) {
	p, cost := &l.peers[r.Peer], charge(uint64(len(r.Buf)))
	if len(r.Buf) > l.cfg.EagerLimit || cost > p.credit {
		p.credit -= Overhead
		l.announce(r, matching.Unasked)
		return
	}
	p.credit -= cost
	env := envelope(r)
	if r.Mode == rpi.Synchronous {
		env.Sync, env.SendID = true, l.requests.Name(r)
	} else if l.coalesce(r, &env, others) {
		return
	}
	l.queue(r.Peer, &env, r.Buf, r)
}

// announce sends the envelope of a message, whose body waits until it has matched.
func (l *Layer) announce(r *rpi.Request, answer matching.Answer) {
	env := envelope(r)
	env.Kind, env.SendID, env.Answer = matching.RTS, l.requests.Name(r), answer
	r.Transport.Rendezvous = true
	l.queue(r.Peer, &env, nil, r)
}

// envelope is that of the message of r, sent eagerly.
func envelope(r *rpi.Request) matching.Envelope {
	return matching.Envelope{
		Kind: matching.Eager, Tag: r.Tag, Context: r.Context, Seq: r.Transport.Seq,
		Length: uint64(len(r.Buf)), Type: r.Type, ElemSize: r.Elem,
	}
}

// detach completes a buffered send and returns a request of the layer's own
// that carries a copy of the message. All such copies together are bounded by
// UnexpectedLimit.
func (l *Layer) detach(user *rpi.Request) *rpi.Request {
	if l.buffered+int64(len(user.Buf)) > int64(l.cfg.UnexpectedLimit) {
		user.Complete(fmt.Errorf("%w: %d bytes are held by buffered sends, %d more would exceed the limit of %d",
			rpi.ErrBuffer, l.buffered, len(user.Buf), l.cfg.UnexpectedLimit))
		return nil
	}
	r := l.ownRequest()
	r.Op, r.Mode, r.Context, r.Peer, r.Tag, r.Type, r.Elem =
		rpi.OpSend, rpi.Standard, user.Context, user.Peer, user.Tag, user.Type, user.Elem
	r.Buf = l.buffers.Get(len(user.Buf))
	copy(r.Buf, user.Buf)
	l.buffered += int64(len(r.Buf))
	user.Complete(nil)
	return r
}

// ownRequest returns a request of the layer's own, which finish takes back.
func (l *Layer) ownRequest() *rpi.Request {
	var r *rpi.Request
	if n := len(l.spare); n > 0 {
		r, l.spare = l.spare[n-1], l.spare[:n-1]
	} else {
		r = new(rpi.Request)
	}
	r.Transport.Owned = true
	return r
}

// loopback sends a message to this process itself. The message refers to the
// send until a receive takes it, except that a short one is copied so that
// the send need not wait.
func (l *Layer) loopback(r *rpi.Request) {
	env := envelope(r)
	m := l.message(l.self, &env)
	if r.Mode == rpi.Synchronous || len(r.Buf) > l.cfg.EagerLimit || l.buffered+int64(len(r.Buf)) > int64(l.cfg.UnexpectedLimit) {
		m.Kind, m.sender = matching.RTS, r
		r.Transport.Pending = m
	} else {
		m.Body = l.buffers.Get(len(r.Buf))
		copy(m.Body, r.Buf)
		l.buffered += int64(len(m.Body))
	}
	if err := l.match.Arrive(&m.Message); err != nil {
		panic("progression: own sequence numbers are out of order: " + err.Error())
	}
	if m.sender == nil {
		l.finish(r, nil)
	}
	l.sift(m)
	l.returnToSender(m)
	l.pairMatches()
}

// cancelSend withdraws a message that has not left, or asks its receiver to
// forget it.
func (l *Layer) cancelSend(r *rpi.Request) {
	switch pending := r.Transport.Pending.(type) {
	case *Frame:
		if !pending.Started && pending.Kind().Matches() {
			l.void(pending, r)
			return
		}
	case *held:
		l.unhold(pending)
		l.queue(r.Peer, voided(r), nil, nil)
		l.cancelled(r)
		return
	case *message:
		if l.match.Take(&pending.Message) {
			l.free(pending)
			r.Transport.Pending = nil
			l.cancelled(r)
			l.pairMatches()
		}
		return
	}
	if r.Transport.ID == 0 || r.Transport.Matched || r.Transport.Retracting {
		return
	}
	r.Transport.Retracting = true
	l.queue(r.Peer, &matching.Envelope{
		Kind: matching.Retract, SendID: r.Transport.ID, Context: r.Context, Tag: r.Tag, Seq: r.Transport.Seq,
	}, nil, nil)
}

// void turns the frame of a message that has not left into a mere sequence
// number, which the receiver must not miss.
func (l *Layer) void(f *Frame, r *rpi.Request) {
	var env matching.Envelope
	if err := matching.ParseEnvelope(&env, f.Header[:]); err != nil {
		panic("progression: own frame: " + err.Error())
	}
	matching.AppendEnvelope(f.Header[:0], voided(r))
	f.Body = nil
	l.cancelled(r)
	p := &l.peers[f.Peer]
	switch {
	case env.Kind == matching.Eager:
		p.credit += charge(env.Length)
	case env.Answer == matching.Unasked:
		p.credit += Overhead
	default:
		c, tag := env.Demanded()
		l.demanded(f.Peer, c, tag) // which is open again
	}
	l.resume(f.Peer)
}

// voided is the envelope in place of that of r.
func voided(r *rpi.Request) *matching.Envelope {
	return &matching.Envelope{Kind: matching.Void, Tag: r.Tag, Context: r.Context, Seq: r.Transport.Seq}
}

// cancelled completes a send that has been given up.
func (l *Layer) cancelled(r *rpi.Request) {
	r.Status.Cancelled = true
	l.finish(r, nil)
}
