package progression

import (
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Sink says where the body of an arriving frame goes: into Buf, or, if nobody
// wants it, nowhere: then its bytes are to be discarded. The transport may fill it without its lock; then it
// calls Arrived. If the peer fails first, Fail takes care of it.
type Sink struct {
	Buf     []byte
	Discard uint64
	message *message
	receive *rpi.Request
	length  uint64
}

// Pending reports whether the frame has a body that the sink waits for.
func (s *Sink) Pending() bool { return s.length > 0 }

// Arrive takes the envelope of a frame from a peer. An error means that the
// peer broke the protocol: nothing more may be taken from it, and Fail must
// be called.
func (l *Layer) Arrive(from matching.Rank, env *matching.Envelope) (Sink, error) {
	if l.peers[from].failed != nil {
		return Sink{}, violation(from, "a frame of kind %v came after its last", env.Kind)
	}
	if env.Kind != matching.Body {
		l.received++
	}
	switch env.Kind {
	case matching.Eager:
		return l.arriveEager(from, env)
	case matching.Request:
		return Sink{}, l.arriveRequest(from, env)
	case matching.Void:
		if err := l.match.Skip(env.Context, from, env.Seq); err != nil {
			return Sink{}, violation(from, "%v", err)
		}
		l.settle()
	case matching.Body:
		return l.arriveBody(from, env)
	default:
		return Sink{}, l.control(from, env)
	}
	return Sink{}, nil
}

// arriveRequest takes the announcement of a message.
func (l *Layer) arriveRequest(from matching.Rank, env *matching.Envelope) error {
	p := &l.peers[from]
	var err error
	switch {
	case env.SendID == 0:
		err = violation(from, "an announced message has no name")
	case env.Answer != matching.Unasked:
		err = l.answers(from, env)
	case p.used+Overhead > l.share:
		err = violation(from, "the messages that it announces exceed its credit of %d bytes", l.share)
	default:
		p.used += Overhead
	}
	if err != nil {
		return err
	}
	m := l.message(from, env)
	if err := l.match.Arrive(&m.Message); err != nil {
		return violation(from, "%v", err)
	}
	l.sift(m)
	l.refuse(m)
	l.settle()
	return nil
}

// arriveEager takes the envelope of a short message.
func (l *Layer) arriveEager(from matching.Rank, env *matching.Envelope) (Sink, error) {
	p := &l.peers[from]
	cost := charge(env.Length)
	if p.used+cost > l.share {
		return Sink{}, violation(from, "its eager messages exceed its credit of %d bytes", l.share)
	}
	p.used += cost
	m := l.message(from, env)
	m.arriving = env.Length > 0
	if err := l.match.Arrive(&m.Message); err != nil {
		return Sink{}, violation(from, "%v", err)
	}
	l.sift(m)
	l.refuse(m)
	l.settle() // they may free m if it has no body
	if env.Length == 0 {
		return Sink{}, nil
	}
	s := Sink{message: m, length: env.Length}
	if r := m.receiver; r != nil {
		m.direct = true
		if r.Misfit(&m.Message) == nil {
			s.Buf = r.Buf[:env.Length]
		} else {
			s.Discard = env.Length
		}
		return s, nil
	}
	m.Body = l.buffers.Get(int(env.Length))
	s.Buf = m.Body
	return s, nil
}

// arriveBody takes the envelope of a fragment of a long message. Fragments begin
// to arrive in order, so that no two are of the same bytes.
func (l *Layer) arriveBody(from matching.Rank, env *matching.Envelope) (Sink, error) {
	r := l.requests.Find(env.RecvID)
	if r == nil || r.Op != rpi.OpRecv || r.Status.Source != from || !r.Transport.Rendezvous {
		return Sink{}, violation(from, "a fragment names receive %d, which has not asked it for one", env.RecvID)
	}
	if env.Length == 0 || env.Offset+env.Length > r.Status.Length {
		return Sink{}, violation(from, "a fragment of %d bytes at %d exceeds its message of %d", env.Length, env.Offset, r.Status.Length)
	}
	if env.Offset != r.Transport.Begun {
		return Sink{}, violation(from, "a fragment at %d does not follow the one before, which ended at %d", env.Offset, r.Transport.Begun)
	}
	r.Transport.Begun += env.Length
	return Sink{Buf: r.Buf[env.Offset : env.Offset+env.Length], receive: r, length: env.Length}, nil
}

// Arrived takes note that the body for s is complete.
func (l *Layer) Arrived(s *Sink) {
	if r := s.receive; r != nil {
		if r.Transport.Landed += s.length; r.Transport.Landed == r.Status.Length {
			l.finish(r, nil)
		}
		return
	}
	m := s.message
	m.arriving = false
	r := m.receiver
	if r == nil {
		return
	}
	err := r.Misfit(&m.Message)
	if err == nil && !m.direct {
		copy(r.Buf, m.Body)
	}
	l.free(m)
	l.finish(r, err)
}

// control takes a frame that is not part of a message.
func (l *Layer) control(from matching.Rank, env *matching.Envelope) error {
	switch env.Kind {
	case matching.Retract:
		l.retract(from, env)
		return nil
	case matching.Credit:
		p := &l.peers[from]
		if env.Length > uint64(l.share) || p.credit+int64(env.Length) > l.share {
			return violation(from, "it returned more credit than it had taken")
		}
		p.credit += int64(env.Length)
		l.resume(from)
		return nil
	case matching.Held:
		l.setHolds(&l.peers[from], true)
		l.pursue(from, env.Context, env.Tag)
		return nil
	case matching.Demand:
		if l.peers[from].backlog.denied >= maxDenied {
			return violation(from, "it demands messages and does not take the answers")
		}
		l.demanded(from, env.Context, env.Tag)
		return nil
	case matching.None:
		l.setHolds(&l.peers[from], env.Length > 0)
		return l.answered(from, env.Context, env.Tag)
	case matching.Bye:
		l.Fail(from, errFinalized)
		return nil
	case matching.Alive:
		return nil
	case matching.GaveUp:
		return rpi.GaveUp(time.Duration(min(env.Length, maxSilence)) * time.Millisecond)
	}
	return l.decided(from, env)
}

// decided takes what a peer says of a message that it has got.
func (l *Layer) decided(from matching.Rank, env *matching.Envelope) error {
	r := l.requests.Find(env.SendID)
	if r == nil || r.Op != rpi.OpSend || r.Peer != from || isHeld(r) {
		return violation(from, "a frame of kind %v names send %d, which does not wait for it", env.Kind, env.SendID)
	}
	switch env.Kind {
	case matching.Clear:
		if !r.Transport.Rendezvous || r.Transport.Matched || len(r.Buf) == 0 {
			return violation(from, "it cleared send %d, whose body does not wait for that", env.SendID)
		}
		r.Transport.Matched = true
		if f, ok := r.Transport.Pending.(*Frame); ok {
			f.Request = nil
		}
		l.queue(from, &matching.Envelope{Kind: matching.Body, RecvID: env.RecvID, Length: uint64(len(r.Buf))}, r.Buf, r)
	case matching.Ack, matching.Refused:
		if r.Transport.Matched {
			return violation(from, "a frame of kind %v names send %d, which has its answer", env.Kind, env.SendID)
		}
		r.Transport.Refused = env.Kind == matching.Refused
		l.acknowledged(r)
	case matching.Retracted:
		if !r.Transport.Retracting || r.Transport.Matched {
			return violation(from, "it forgot send %d unasked", env.SendID)
		}
		r.Status.Cancelled = true
		l.acknowledged(r)
	}
	return nil
}

// acknowledged takes in that the receiver has matched a send, refused or forgotten it. That may be known here
// before the transport has given the frame back, which refers to the body: then Sent or Dropped ends
// the send.
func (l *Layer) acknowledged(r *rpi.Request) {
	r.Transport.Matched = true
	if f, ok := r.Transport.Pending.(*Frame); !ok || len(f.Body) == 0 {
		l.finish(r, verdict(r))
	}
}

// retract forgets a message that its sender wants back, unless a receive has
// it already: then the sender gets the answer that it waits for anyway.
func (l *Layer) retract(from matching.Rank, env *matching.Envelope) {
	for held := range l.match.Messages() {
		m := held.Owner.(*message)
		if m.Source != from || m.SendID != env.SendID || m.Context != env.Context || m.Seq != env.Seq {
			continue
		}
		if m.arriving || !l.match.Take(held) {
			return
		}
		l.repay(m)
		l.free(m)
		l.queue(from, &matching.Envelope{Kind: matching.Retracted, SendID: env.SendID}, nil, nil)
		l.settle()
		l.pursue(from, env.Context, env.Tag)
		return
	}
}
