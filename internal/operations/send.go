package operations

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// message is a message from this process to itself. It refers to its send until a receive takes it, except that a
// short one is copied so that the send need not wait.
type message struct {
	matching.Message // Body: the copy
	sender           *rpi.Request
	next             *message // free list
}

// Detach completes a buffered send and returns a request of the table's own that carries a copy of the message, and begins, nil
// if there is no room for it. Both have the sequence number. The copies of an account with a limit are bounded by that, all others together by
// rpi.Config.UnexpectedLimit: a program in C that attaches a buffer may fill it.
func (t *Table) Detach(user *rpi.Request) *rpi.Request {
	if !user.Account.Limited() && !t.Holds(uint64(len(user.Buf))) {
		user.Complete(fmt.Errorf("%w: this process holds %d bytes of messages, %d more would exceed the limit of %d",
			rpi.ErrBuffer, t.Held, len(user.Buf), t.Config.UnexpectedLimit))
		return nil
	}
	if err := user.Account.Add(len(user.Buf)); err != nil {
		user.Complete(err)
		return nil
	}
	r := t.ownRequest()
	r.Account = user.Account
	r.Op, r.Mode, r.Context, r.Peer, r.Tag, r.Type, r.Elem =
		rpi.OpSend, rpi.Standard, user.Context, user.Peer, user.Tag, user.Type, user.Elem
	r.OpenTags = user.OpenTags
	r.Buf = t.Hold(len(user.Buf))
	copy(r.Buf, user.Buf)
	t.SendBegins(r)
	user.Transport.Seq = r.Transport.Seq
	user.Complete(nil)
	return r
}

// ownRequest returns a request of the table's own, which Finish takes back.
func (t *Table) ownRequest() *rpi.Request {
	var r *rpi.Request
	if n := len(t.spare); n > 0 {
		r, t.spare = t.spare[n-1], t.spare[:n-1]
	} else {
		r = new(rpi.Request)
	}
	r.Transport.Owned = true
	return r
}

// Holds reports whether the process may hold n bytes of messages more.
func (t *Table) Holds(n uint64) bool { return n <= uint64(max(0, t.Config.UnexpectedLimit-t.Held)) }

// Hold returns a slice of length n with arbitrary contents, which counts as held until Return; nil for 0.
func (t *Table) Hold(n int) []byte {
	t.Held += n
	return t.Buffers.Get(n)
}

// Return takes back what Hold returned, at the same length.
func (t *Table) Return(b []byte) {
	t.Held -= len(b)
	t.Buffers.Put(b)
}

// Header is that of the message of r, sent eagerly.
func Header(r *rpi.Request) header.Header {
	return HeaderOf(rpi.Short{Context: r.Context, Tag: r.Tag, Type: r.Type, Elem: r.Elem, Buf: r.Buf}, r.Transport.Seq)
}

// HeaderOf is that of a message with a sequence number, sent eagerly.
func HeaderOf(m rpi.Short, seq matching.Seq) header.Header {
	h := header.Header{Kind: header.Eager, Tag: m.Tag, Context: m.Context, Seq: seq, Length: uint64(len(m.Buf)), Type: m.Type}
	if m.Elem <= rpi.MaxElem {
		h.ElemSize = uint16(m.Elem)
	}
	return h
}

// Loopback sends the message of r to this process itself.
func (t *Table) Loopback(r *rpi.Request) {
	m := t.messages
	if m == nil {
		m = new(message)
		m.Owner = m
	} else {
		t.messages, m.next = m.next, nil
	}
	h := Header(r)
	m.Envelope, m.Source = h.Envelope(), t.Self
	copied := r.Mode != rpi.Synchronous && len(r.Buf) <= t.Config.EagerLimit && t.Holds(m.Length)
	if copied {
		m.Body = t.Hold(len(r.Buf))
		copy(m.Body, r.Buf)
	} else {
		m.sender, r.Transport.Pending = r, m
	}
	if err := t.Match.Arrive(&m.Message); err != nil {
		panic("operations: own sequence numbers are out of order: " + err.Error())
	}
	if copied {
		t.Finish(r, nil)
	}
	t.arrived(&m.Message)
}

// handOver copies a message that this process sent to itself.
func (t *Table) handOver(r *rpi.Request, m *message) {
	err := r.Misfit(&m.Envelope)
	s := m.sender
	switch {
	case err != nil:
	case s != nil:
		copy(r.Buf, s.Buf)
	default:
		copy(r.Buf, m.Body)
	}
	t.free(m)
	if s != nil {
		s.Transport.Pending = nil
		t.Finish(s, nil)
	}
	t.Finish(r, err)
}

// free forgets m. There must be no reference to it.
func (t *Table) free(m *message) {
	t.Return(m.Body)
	*m = message{next: t.messages}
	m.Owner = m
	t.messages = m
}

// TakeBack cancels a send to this process itself, if its message has not matched. It reports whether r is such a send.
func (t *Table) TakeBack(r *rpi.Request) bool {
	m, own := r.Transport.Pending.(*message)
	if own && t.Match.Take(&m.Message) {
		t.free(m)
		r.Transport.Pending = nil
		t.Cancelled(r)
		t.PairMatches()
	}
	return own
}

// Cancelled completes a send that has been given up.
func (t *Table) Cancelled(r *rpi.Request) {
	r.Status.Cancelled = true
	t.Finish(r, nil)
}
