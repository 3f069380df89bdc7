package progression

import (
	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// pair gives message m of a peer to receive r.
func (l *Layer) pair(r *rpi.Request, m *message) {
	if l.peers[m.Source].holds {
		l.demandMore(m.Source, m.Context, m.Tag)
	}
	switch {
	case m.kind == header.RTS:
		l.answerRTS(r, m)
	default:
		if m.sync {
			answer := m.answer()
			l.queue(m.Source, &answer, nil, nil)
		}
		l.repay(m)
		if m.arriving {
			if err := l.Failed(m.Source); err != nil {
				l.free(m)
				r.Complete(err)
				return
			}
			l.Requests.Name(r) // so that the failure of the peer finds it
			m.receiver = r
			return
		}
		err := r.Misfit(&m.Envelope)
		if err == nil {
			copy(r.Buf, m.Body)
		}
		l.free(m)
		l.Finish(r, err)
	}
}

// answerRTS answers the announcement of message m for receive r: with a CTS, which asks for the body,
// or with an Ack if no body is wanted.
func (l *Layer) answerRTS(r *rpi.Request, m *message) {
	from, id, answer := m.Source, m.sendID, m.answer()
	if err := l.Failed(from); err != nil {
		l.free(m)
		r.Complete(err)
		return
	}
	err := r.Misfit(&m.Envelope)
	l.repay(m)
	l.free(m)
	if err != nil || r.Status.Length == 0 {
		l.queue(from, &answer, nil, nil)
		l.Finish(r, err)
		return
	}
	r.Transport.Rendezvous = true
	l.queue(from, &header.Header{Kind: header.CTS, SendID: id, RecvID: l.Requests.Name(r)}, nil, nil)
}
