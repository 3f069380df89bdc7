package progression

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Refuse refuses the messages that no receive will take. No receive will be posted any more.
func (l *Layer) Refuse() {
	l.refusing = true
	l.refuseLost()
	for peer := range l.peers {
		l.drain(matching.Rank(peer))
	}
}

// refuseLost refuses the unexpected messages that are lost because a receive has left.
func (l *Layer) refuseLost() {
	if !l.refusing {
		return
	}
	for held := range l.match.Messages() {
		l.refuse(held.Owner.(*message))
	}
}

// refuse refuses m, which has arrived, if its sender waits for a match and no receive can take it.
func (l *Layer) refuse(m *message) {
	if !l.refusing || m.Context&rpi.InOrder != 0 || m.Kind != matching.RTS && !m.Sync {
		return
	}
	if p := &l.peers[m.Source]; p.failed != nil || p.left {
		return // it cannot be told
	}
	if byTag, anyTag := l.match.Awaited(m.Context, m.Source, m.Tag); byTag || anyTag || !l.match.Take(&m.Message) {
		return
	}
	l.refused.Add(&m.Message)
	m.refused = true
	l.drop(m)
}

// drain asks a peer to announce any one message that it holds back for lack of credit. That one can be
// received or refused, and then the next is demanded.
func (l *Layer) drain(from matching.Rank) {
	if l.refusing {
		l.demand(from, matching.AnyContext, matching.AnyTag)
	}
}

// refusal returns the error of a send whose message has arrived, nil if it was accepted.
func refusal(r *rpi.Request) error {
	if r.Transport.Refused {
		return &rpi.RefusedError{Peer: r.Peer}
	}
	return nil
}

// answer is the envelope that answers the sender of m.
func (m *message) answer() matching.Envelope {
	kind := matching.Ack
	if m.refused {
		kind = matching.Refused
	}
	return matching.Envelope{Kind: kind, SendID: m.SendID}
}
