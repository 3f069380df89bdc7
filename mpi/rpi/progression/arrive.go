package progression

import (
	"time"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Sink tells the transport where the body of an arriving frame goes: into Buf. If Buf is nil, the body's
// bytes are to be discarded. The transport may fill Buf without holding its lock, and then calls Arrived. If
// the peer fails first, Fail ends the sink.
type Sink struct {
	Buf     []byte
	message *message
	receive *rpi.Request
	length  uint64
}

// Pending reports whether the frame has a body that the sink waits for.
func (s *Sink) Pending() bool { return s.length > 0 }

// Arrive handles the header of a frame from a peer. An error means that the peer broke the
// protocol: nothing more may be read from it, and Fail must be called.
func (l *Layer) Arrive(from matching.Rank, h *header.Header) (Sink, error) {
	if l.Failed(from) != nil {
		return Sink{}, violation(from, "a frame of kind %v came after its last", h.Kind)
	}
	if h.Kind != header.Body {
		l.Heard(from)
		l.wanted.disturb(from, h)
	}
	switch h.Kind {
	case header.Eager:
		return l.arriveEager(from, h)
	case header.RTS:
		return Sink{}, l.arriveRTS(from, h)
	case header.Void:
		if err := l.Match.Skip(h.Context, from, h.Seq); err != nil {
			return Sink{}, violation(from, "%v", err)
		}
		l.PairMatches()
	case header.Body:
		return l.arriveBody(from, h)
	default:
		return Sink{}, l.control(from, h)
	}
	return Sink{}, nil
}

// arriveRTS handles the announcement of a message (RTS).
func (l *Layer) arriveRTS(from matching.Rank, h *header.Header) error {
	var err error
	switch {
	case h.SendID == 0:
		err = violation(from, "an announced message has no name")
	case h.Answer != header.Unasked:
		err = l.answers(from, h)
	default:
		err = l.useCredit(from, Overhead)
	}
	if err != nil {
		return err
	}
	m := l.message(from, h)
	if err := l.table.Arrive(&m.Message); err != nil {
		return violation(from, "%v", err)
	}
	return nil
}

// arriveEager handles the header of a short message.
func (l *Layer) arriveEager(from matching.Rank, h *header.Header) (Sink, error) {
	if err := l.useCredit(from, charge(h.Length)); err != nil {
		return Sink{}, err
	}
	m := l.message(from, h)
	m.arriving = h.Length > 0
	if err := l.table.Arrive(&m.Message); err != nil { // m may be free then if it has no body
		return Sink{}, violation(from, "%v", err)
	}
	if h.Length == 0 {
		return Sink{}, nil
	}
	s := Sink{message: m, length: h.Length}
	if r := m.receiver; r != nil {
		m.direct = true
		if r.Misfit(&m.Envelope) == nil {
			s.Buf = r.Buf[:h.Length]
		}
		return s, nil
	}
	m.Body = l.Buffers.Get(int(h.Length))
	s.Buf = m.Body
	return s, nil
}

// arriveBody handles the header of a fragment of a long message. Fragments begin to arrive in
// order, so no two carry the same bytes.
func (l *Layer) arriveBody(from matching.Rank, h *header.Header) (Sink, error) {
	r := l.Requests.Find(h.RecvID)
	if r == nil || r.Op != rpi.OpRecv || r.Status.Source != from || !r.Transport.Rendezvous {
		return Sink{}, violation(from, "a fragment names receive %d, which has not asked it for one", h.RecvID)
	}
	if h.Length == 0 || h.Offset+h.Length > r.Status.Length {
		return Sink{}, violation(from, "a fragment of %d bytes at %d exceeds its message of %d", h.Length, h.Offset, r.Status.Length)
	}
	if h.Offset != r.Transport.Begun {
		return Sink{}, violation(from, "a fragment at %d does not follow the one before, which ended at %d", h.Offset, r.Transport.Begun)
	}
	r.Transport.Begun += h.Length
	return Sink{Buf: r.Buf[h.Offset : h.Offset+h.Length], receive: r, length: h.Length}, nil
}

// Arrived notes that the body for s is complete.
func (l *Layer) Arrived(s *Sink) {
	if r := s.receive; r != nil {
		if r.Transport.Landed += s.length; r.Transport.Landed == r.Status.Length {
			l.Finish(r, nil)
		}
		return
	}
	m := s.message
	m.arriving = false
	r := m.receiver
	if r == nil {
		return
	}
	err := r.Misfit(&m.Envelope)
	if err == nil && !m.direct {
		copy(r.Buf, m.Body)
	}
	l.free(m)
	l.Finish(r, err)
}

// control handles a frame that is not part of a message.
func (l *Layer) control(from matching.Rank, h *header.Header) error {
	switch h.Kind {
	case header.Retract:
		l.retract(from, h)
		return nil
	case header.Credit:
		return l.creditReturned(from, h)
	case header.Held:
		l.setHolds(&l.peers[from], true)
		l.demandMore(from, h.Context, h.Tag)
		return nil
	case header.Demand:
		if l.peers[from].backlog.denied >= maxDenied {
			return violation(from, "it demands messages and does not take the answers")
		}
		l.demanded(from, h.Context, h.Tag)
		return nil
	case header.None:
		l.setHolds(&l.peers[from], h.Length > 0)
		return l.answered(from, h.Context, h.Tag)
	case header.Bye:
		l.Fail(from, rpi.ErrFinalized)
		return nil
	case header.Alive:
		return nil
	case header.GaveUp:
		return rpi.GaveUp(time.Duration(min(h.Length, maxSilence)) * time.Millisecond)
	}
	return l.decided(from, h)
}

// decided handles a peer's answer to a message that it has got: matched, declared undeliverable or forgotten.
func (l *Layer) decided(from matching.Rank, h *header.Header) error {
	r := l.Requests.Find(h.SendID)
	if r == nil || r.Op != rpi.OpSend || r.Peer != from || isHeld(r) {
		return violation(from, "a frame of kind %v names send %d, which does not wait for it", h.Kind, h.SendID)
	}
	switch h.Kind {
	case header.CTS:
		if !r.Transport.Rendezvous || r.Transport.Matched || len(r.Buf) == 0 {
			return violation(from, "it cleared send %d, whose body does not wait for that", h.SendID)
		}
		r.Transport.Matched = true
		if f, ok := r.Transport.Pending.(*Frame); ok {
			f.Request = nil
		}
		l.queue(from, &header.Header{Kind: header.Body, RecvID: h.RecvID, Length: uint64(len(r.Buf))}, r.Buf, r)
	case header.Ack, header.Undeliverable:
		if r.Transport.Matched {
			return violation(from, "a frame of kind %v names send %d, which has its answer", h.Kind, h.SendID)
		}
		r.Transport.Undeliverable = h.Kind == header.Undeliverable
		l.acknowledged(r)
	case header.Retracted:
		if !r.Transport.Retracting || r.Transport.Matched {
			return violation(from, "it forgot send %d unasked", h.SendID)
		}
		r.Status.Cancelled = true
		l.acknowledged(r)
	}
	return nil
}

// acknowledged handles the answer that the receiver has matched a send, declared it undeliverable or forgotten it. The answer
// may come before the transport has given the frame back, which still refers to the body. Then Sent or
// Dropped ends the send.
func (l *Layer) acknowledged(r *rpi.Request) {
	r.Transport.Matched = true
	if f, ok := r.Transport.Pending.(*Frame); !ok || len(f.Body) == 0 {
		l.Finish(r, undelivered(r))
	}
}

// retract forgets a message that its sender wants back. If a receive has already taken it, the
// sender gets the answer that it waits for anyway.
func (l *Layer) retract(from matching.Rank, h *header.Header) {
	for held := range l.Match.MessagesIn(h.Context) {
		m, ok := held.Owner.(*message)
		if !ok || m.Source != from || m.sendID != h.SendID || m.Seq != h.Seq {
			continue
		}
		if !l.Match.Take(held) {
			return
		}
		l.queue(from, &header.Header{Kind: header.Retracted, SendID: h.SendID}, nil, nil)
		if m.arriving {
			m.sync = false // its sender has the answer
			l.Drop(held)
		} else {
			l.repay(m)
			l.free(m)
		}
		l.PairMatches()
		l.demandMore(from, h.Context, h.Tag)
		return
	}
}
