package pertrc

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// message is a message at its receiver.
type message struct {
	matching.Message // Body: what has been taken out of the kernel, or copied

	conn     *incoming    // whose socket has the body, or the rest of it
	receiver *rpi.Request // that waits for the body
	sender   *rpi.Request // of a message to this process itself that was not copied
	lost     bool         // the rest will never come
	unwanted bool         // no receive will take it
	refused  bool         // and its sender has been told so
	next     *message     // free list
}

func (m *memory) message(from matching.Rank, env *matching.Envelope) *message {
	own := m.messages
	if own == nil {
		own = new(message)
	} else {
		m.messages = own.next
	}
	*own = message{}
	own.Owner = own
	own.Envelope, own.Source = *env, from
	return own
}

func (m *memory) freeMessage(own *message) {
	m.put(own.Body)
	*own = message{next: m.messages}
	m.messages = own
}
