package progression

import (
	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/internal/operations"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// send starts a send: eagerly if the message is short and the receiver has
// room for it, by announcing it otherwise. others: short messages are likely to follow.
func (l *Layer) send(r *rpi.Request, others bool) {
	p := &l.peers[r.Peer]
	if err := l.Failed(r.Peer); err != nil {
		r.Complete(err)
		return
	}
	if r.Mode == rpi.Buffered {
		if r = l.Detach(r); r == nil {
			return
		}
	} else {
		l.SendBegins(r)
	}
	switch {
	case r.Peer == l.Self:
		l.Loopback(r)
	case p.backlog.inWay(r):
		l.hold(r)
	default:
		if t, ok := l.pay(r); ok {
			l.emit(r, t, others)
		} else {
			l.hold(r)
		}
	}
}

// terms says how a message leaves: whole or announced, and whether it has a ration.
type terms struct{ whole, rationed bool }

// pay pays for a message out of the credit for its peer: whole if it is short, else, or if that is too much, for its announcement.
// It reports whether there was enough.
func (l *Layer) pay(r *rpi.Request) (t terms, ok bool) {
	if len(r.Buf) <= l.Config.EagerLimit {
		if t.rationed, ok = l.take(r, charge(uint64(len(r.Buf)))); ok {
			t.whole = true
			return t, true
		}
	}
	t.rationed, ok = l.take(r, Overhead)
	return t, ok
}

// emit sends a message that has been paid for, or announces it.
func (l *Layer) emit(r *rpi.Request, t terms, others bool) {
	h := operations.Header(r)
	h.Rationed = t.rationed
	if !t.whole {
		l.announce(r, &h)
		return
	}
	if r.Mode == rpi.Synchronous {
		h.Sync, h.SendID = true, l.Requests.Name(r)
	} else if l.coalesce(r, &h, others) {
		return
	}
	l.queue(r.Peer, &h, r.Buf, r)
}

// announce sends the header of a message, whose body waits until it has matched.
func (l *Layer) announce(r *rpi.Request, h *header.Header) {
	h.Kind, h.SendID = header.RTS, l.Requests.Name(r)
	r.Transport.Rendezvous = true
	l.queue(r.Peer, h, nil, r)
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
		l.Cancelled(r)
		return
	}
	if l.TakeBack(r) {
		return
	}
	if r.Transport.ID == 0 || r.Transport.Matched || r.Transport.Retracting {
		return
	}
	r.Transport.Retracting = true
	l.queue(r.Peer, &header.Header{
		Kind: header.Retract, SendID: r.Transport.ID, Context: r.Context, Tag: r.Tag, Seq: r.Transport.Seq,
	}, nil, nil)
}

// void turns the frame of a message that has not left into a mere sequence
// number, which the receiver must not miss.
func (l *Layer) void(f *Frame, r *rpi.Request) {
	var h header.Header
	if err := header.Parse(&h, f.Header[:]); err != nil {
		panic("progression: own frame: " + err.Error())
	}
	header.Append(f.Header[:0], voided(r))
	f.Body = nil
	l.Cancelled(r)
	cost := int64(Overhead)
	switch {
	case h.Kind == header.Eager:
		cost = charge(h.Length)
	case h.Answer != header.Unasked:
		c, tag := h.Demanded()
		l.demanded(f.Peer, c, tag) // which is open again
		return
	}
	l.regain(f.Peer, cost, h.Rationed, trc{h.Context, h.Tag})
}

// voided is the header in place of that of r.
func voided(r *rpi.Request) *header.Header {
	return &header.Header{Kind: header.Void, Tag: r.Tag, Context: r.Context, Seq: r.Transport.Seq}
}
