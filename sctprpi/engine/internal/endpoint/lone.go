package endpoint

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// SendLone is Send and Next in one, for a single message that leaves at once in a packet of its own, when no association has anything
// else to send. It returns false if it is not so: then nothing has happened, and Send and Next are to be called.
func (e *Endpoint) SendLone(now time.Duration, id socket.AssocID, messages []socket.Message, b *packet.Batch) bool {
	en, err := e.get(id)
	if err != nil || len(messages) != 1 || e.Sending() {
		return false
	}
	deadline, sent := en.SendLone(now, &messages[0], b)
	if sent {
		e.timers.hasten(en, deadline)
	}
	return sent
}
