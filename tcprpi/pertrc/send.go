package pertrc

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// send starts a send.
func (t *Transport) send(r *rpi.Request) {
	p := &t.peers[r.Peer]
	if p.failed != nil {
		r.Complete(p.failed)
		return
	}
	if r.Mode == rpi.Buffered {
		if r = t.detach(r); r == nil {
			return
		}
	}
	r.Transport.Seq = p.sent.Next(r.Context)
	env := matching.Envelope{
		Kind: matching.Eager, Tag: r.Tag, Context: r.Context, Seq: r.Transport.Seq,
		Length: uint64(len(r.Buf)), Type: r.Type, ElemSize: r.Elem,
	}
	if r.Peer == t.self {
		t.loopback(r, &env)
		return
	}
	if r.Mode == rpi.Synchronous {
		env.Sync, env.SendID = true, t.requests.Name(r)
	}
	f := t.memory.frame()
	f.body, f.r = r.Buf, r
	matching.AppendEnvelope(f.header[:0], &env)
	r.Transport.Pending = f
	t.contact(p)
	o := t.outgoing(p, keyOf(r.Context, r.Tag))
	t.push(o, f)
	t.attend(o)
}

// detach completes a buffered send and returns a request of the transport's
// own that carries a copy of the message.
func (t *Transport) detach(user *rpi.Request) *rpi.Request {
	if !t.holds(uint64(len(user.Buf))) {
		user.Complete(fmt.Errorf("%w: this process holds %d bytes of messages, %d more would exceed the limit of %d",
			rpi.ErrBuffer, t.memory.held, len(user.Buf), t.cfg.UnexpectedLimit))
		return nil
	}
	var r *rpi.Request
	if n := len(t.memory.requests); n > 0 {
		r, t.memory.requests = t.memory.requests[n-1], t.memory.requests[:n-1]
	} else {
		r = new(rpi.Request)
	}
	r.Op, r.Mode, r.Context, r.Peer, r.Tag, r.Type, r.Elem =
		rpi.OpSend, rpi.Standard, user.Context, user.Peer, user.Tag, user.Type, user.Elem
	r.Buf = t.memory.get(len(user.Buf))
	copy(r.Buf, user.Buf)
	r.Transport.Owned = true
	user.Complete(nil)
	return r
}

// holds reports whether the process may hold n bytes more itself.
func (t *Transport) holds(n uint64) bool {
	return n <= uint64(max(0, t.cfg.UnexpectedLimit-t.memory.held))
}

// loopback sends a message to this process itself. The message refers to the
// send until a receive takes it, except that a short one is copied so that
// the send need not wait.
func (t *Transport) loopback(r *rpi.Request, env *matching.Envelope) {
	m := t.memory.message(t.self, env)
	if r.Mode == rpi.Synchronous || len(r.Buf) > t.cfg.EagerLimit || !t.holds(env.Length) {
		m.sender = r
		r.Transport.Pending = m
	} else {
		m.Body = t.memory.get(len(r.Buf))
		copy(m.Body, r.Buf)
	}
	if err := t.match.Arrive(&m.Message); err != nil {
		panic("pertrc: own sequence numbers are out of order: " + err.Error())
	}
	if m.sender == nil {
		t.finish(r, nil)
	}
	t.sift(m)
	t.refuse(m)
	t.pairMatches()
}

// finish completes r, after taking it out of whatever the transport keeps.
func (t *Transport) finish(r *rpi.Request, err error) {
	t.requests.Drop(r)
	if f, ok := r.Transport.Pending.(*frame); ok {
		f.r = nil
	}
	if r.Transport.Owned {
		t.memory.put(r.Buf)
		r.Complete(err)
		r.Reset()
		t.memory.requests = append(t.memory.requests, r)
		return
	}
	r.Complete(err)
}

// sent notes that a frame has left entirely.
func (t *Transport) sent(f *frame) {
	t.meter.Sent.Add(1)
	if r := f.r; r != nil {
		r.Transport.Pending = nil
		switch {
		case f.retracted:
			t.cancelled(r)
		case r.Transport.Undeliverable:
			t.finish(r, &rpi.UndeliverableError{Peer: r.Peer})
		case r.Transport.Matched || r.Mode != rpi.Synchronous && !r.Transport.Retracting:
			t.finish(r, nil)
		}
	}
	t.memory.freeFrame(f)
}

// dropped takes back a frame that will never leave.
func (t *Transport) dropped(f *frame, err error) {
	if f.r != nil {
		t.finish(f.r, err)
	}
	t.memory.freeFrame(f)
}

// acknowledged notes that a synchronous send has matched.
func (t *Transport) acknowledged(r *rpi.Request) {
	r.Transport.Matched = true
	if r.Transport.Pending == nil {
		t.finish(r, nil)
	}
}

func errClosed(r *rpi.Request) error {
	return fmt.Errorf("%w: the %v was still open", rpi.ErrClosed, r.Op)
}
