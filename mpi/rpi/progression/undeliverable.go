package progression

import (
	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// StopReceiving says that no receive will be posted any more. Messages that none can take are returned to their senders.
func (l *Layer) StopReceiving() {
	l.table.StopReceiving()
	for peer := range l.peers {
		l.drain(matching.Rank(peer))
	}
}

// Refusable implements operations.Layer: a message whose sender waits for a match is returned to it.
func (l *inside) Refusable(m *matching.Message) bool {
	own := m.Owner.(*message)
	return (own.kind == header.RTS || own.sync) && l.Failed(m.Source) == nil && !l.peers[m.Source].left
}

// Refuse implements operations.Layer: a receive of the table's own takes the message, so that the protocol ends as usual.
func (l *inside) Refuse(m *matching.Message) {
	l.Undeliverable.Add(m)
	m.Owner.(*message).undeliverable = true
	l.Drop(m)
}

// drain asks a peer to announce any one message that it holds back for lack of credit. That one can be
// received or returned, and then the next is demanded.
func (l *Layer) drain(from matching.Rank) {
	if l.NoMoreReceives {
		l.demand(from, header.AnyContext, matching.AnyTag)
	}
}

// undelivered returns the error of a send whose message has arrived: nil, unless no receive will ever take it.
func undelivered(r *rpi.Request) error {
	if r.Transport.Undeliverable {
		return &rpi.UndeliverableError{Peer: r.Peer}
	}
	return nil
}

// answer is the header that answers the sender of m.
func (m *message) answer() header.Header {
	kind := header.Ack
	if m.undeliverable {
		kind = header.Undeliverable
	}
	return header.Header{Kind: kind, SendID: m.sendID}
}
