package progression

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// receive posts a receive, or gives it the message that a matched probe took.
func (l *Layer) receive(r *rpi.Request) {
	if r.Message != nil {
		m := r.Message.Owner.(*message)
		r.Message = nil
		l.pair(r, m)
		return
	}
	rcv := &r.Transport.Receive
	rcv.Context, rcv.Source, rcv.Tag, rcv.Owner = r.Context, r.Peer, r.Tag, r
	if m := l.match.Post(rcv); m != nil {
		l.pair(r, m.Owner.(*message))
		return
	}
	if err := l.unreachable(r.Context, r.Peer); err != nil {
		l.match.Cancel(rcv)
		l.pairMatches()
		r.Complete(err)
		return
	}
	l.reach(r.Peer)
	l.demandAwaited(r.Context, r.Peer, r.Tag)
}

// reach makes sure that the failure of a peer from which a message is awaited is noticed.
func (l *Layer) reach(source matching.Rank) {
	if source != matching.AnySource && source != l.self {
		l.ready.reach(source)
	}
}

// pairMatches carries out the matches that a change has made possible.
func (l *Layer) pairMatches() {
	left := false
	for rcv := l.match.Next(); rcv != nil; rcv = l.match.Next() {
		left = left || rcv.Context&rpi.InOrder == 0
		l.pair(rcv.Owner.(*rpi.Request), rcv.Message.Owner.(*message))
	}
	if left {
		l.returnLost()
	}
	if len(l.probes) > 0 {
		l.answerProbes()
	}
}

// pair gives message m to receive r.
func (l *Layer) pair(r *rpi.Request, m *message) {
	r.Status = rpi.StatusOf(&m.Message)
	if l.peers[m.Source].holds {
		l.demandMore(m.Source, m.Context, m.Tag)
	}
	switch {
	case m.sender != nil:
		l.handOver(r, m)
	case m.Kind == matching.RTS:
		l.answerRTS(r, m)
	default:
		if m.Sync {
			answer := m.answer()
			l.queue(m.Source, &answer, nil, nil)
		}
		l.repay(m)
		if m.arriving {
			if err := l.peers[m.Source].failed; err != nil {
				l.free(m)
				r.Complete(err)
				return
			}
			l.requests.Name(r) // so that the failure of the peer finds it
			m.receiver = r
			return
		}
		err := r.Misfit(&m.Message)
		if err == nil {
			copy(r.Buf, m.Body)
		}
		l.free(m)
		l.finish(r, err)
	}
}

// handOver copies a message that this process sent to itself.
func (l *Layer) handOver(r *rpi.Request, m *message) {
	s := m.sender
	err := r.Misfit(&m.Message)
	if err == nil {
		copy(r.Buf, s.Buf)
	}
	s.Transport.Pending, s.Transport.Undeliverable = nil, m.undeliverable
	l.free(m)
	l.finish(s, undelivered(s))
	l.finish(r, err)
}

// answerRTS answers the announcement of message m for receive r: with a CTS, which asks for the body,
// or with an Ack if no body is wanted.
func (l *Layer) answerRTS(r *rpi.Request, m *message) {
	from, id, answer := m.Source, m.SendID, m.answer()
	if err := l.peers[from].failed; err != nil {
		l.free(m)
		r.Complete(err)
		return
	}
	err := r.Misfit(&m.Message)
	l.repay(m)
	l.free(m)
	if err != nil || r.Status.Length == 0 {
		l.queue(from, &answer, nil, nil)
		l.finish(r, err)
		return
	}
	r.Transport.Rendezvous = true
	l.queue(from, &matching.Envelope{Kind: matching.CTS, SendID: id, RecvID: l.requests.Name(r)}, nil, nil)
}
