package progression

import (
	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// message is a message on the receiving side.
type message struct {
	matching.Message
	// What its header says besides: eager or RTS, the Demand that it answers, whether its credit is rationed, whether its sender waits for
	// an answer, and the name of the send.
	kind           header.Kind
	answers        header.Answer
	rationed, sync bool
	sendID         uint32
	// arriving: the header is here, not yet all of the body.
	arriving bool
	// receiver is the receive that matched while the body was arriving;
	// direct: the body goes straight to its buffer.
	receiver *rpi.Request
	direct   bool
	// undeliverable: no receive will ever take it.
	undeliverable bool
	next          *message // free list
}

func (l *Layer) message(from matching.Rank, h *header.Header) *message {
	m := l.messages
	if m == nil {
		m = new(message)
		m.Owner = m
	} else {
		l.messages = m.next
		m.next = nil
	}
	m.Envelope, m.Source = h.Envelope(), from
	m.kind, m.answers, m.rationed, m.sync, m.sendID = h.Kind, h.Answer, h.Rationed, h.Sync, h.SendID
	return m
}

// free forgets m. There must be no reference to it.
func (l *Layer) free(m *message) {
	l.Buffers.Put(m.Body)
	*m = message{next: l.messages}
	m.Owner = m
	l.messages = m
}
