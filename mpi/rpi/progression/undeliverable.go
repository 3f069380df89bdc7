package progression

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// StopReceiving says that no receive will be posted any more. Messages that none can take are returned to their senders.
func (l *Layer) StopReceiving() {
	l.noMoreReceives = true
	l.returnLost()
	for peer := range l.peers {
		l.drain(matching.Rank(peer))
	}
}

// returnLost returns the unexpected messages that are lost because a receive has left.
func (l *Layer) returnLost() {
	if !l.noMoreReceives {
		return
	}
	for held := range l.match.Messages() {
		l.returnToSender(held.Owner.(*message))
	}
}

// returnToSender tells the sender of m, which has arrived, that it is undeliverable, if that waits for a match and
// no receive can take m.
func (l *Layer) returnToSender(m *message) {
	if !l.noMoreReceives || m.Context&rpi.InOrder != 0 || m.Kind != matching.RTS && !m.Sync {
		return
	}
	if p := &l.peers[m.Source]; p.failed != nil || p.left {
		return // it cannot be told
	}
	if byTag, anyTag := l.match.Awaited(m.Context, m.Source, m.Tag); byTag || anyTag || !l.match.Take(&m.Message) {
		return
	}
	l.undeliverable.Add(&m.Message)
	m.undeliverable = true
	l.drop(m)
}

// drain asks a peer to announce any one message that it holds back for lack of credit. That one can be
// received or returned, and then the next is demanded.
func (l *Layer) drain(from matching.Rank) {
	if l.noMoreReceives {
		l.demand(from, matching.AnyContext, matching.AnyTag)
	}
}

// undelivered returns the error of a send whose message has arrived: nil, unless no receive will ever take it.
func undelivered(r *rpi.Request) error {
	if r.Transport.Undeliverable {
		return &rpi.UndeliverableError{Peer: r.Peer}
	}
	return nil
}

// answer is the envelope that answers the sender of m.
func (m *message) answer() matching.Envelope {
	kind := matching.Ack
	if m.undeliverable {
		kind = matching.Undeliverable
	}
	return matching.Envelope{Kind: kind, SendID: m.SendID}
}
