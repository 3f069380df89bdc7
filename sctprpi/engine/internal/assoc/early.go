package assoc

import (
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/tx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// early is what has been sent before the association is set up, and so before there is a
// tx.Sender. Its messages are copies, or lent.
type early struct {
	messages []socket.Message
	// charged is what they take of the send buffer, in bytes.
	charged int
	// refused: a message was refused because the send buffer was full.
	refused bool
}

// keepEarly keeps a message until the association is set up.
func (a *Association) keepEarly(m *socket.Message) error {
	size := m.Len()
	charge := size + tx.MessageCharge
	buffer := a.host.Config.SendBuffer
	switch {
	case int(m.Stream) >= a.host.Config.Streams:
		return fmt.Errorf("%w: stream %d", socket.ErrStream, m.Stream)
	case size == 0:
		return socket.ErrEmpty
	case charge > buffer:
		return fmt.Errorf("%w: %d bytes of at most %d", socket.ErrTooLong, size, buffer-tx.MessageCharge)
	case a.early.charged+charge > buffer:
		a.early.refused = true
		return socket.ErrWouldBlock
	}
	kept := *m
	if !m.ZeroCopy {
		kept.Data, kept.Owner = a.host.copyMessage(m.Data, size)
		kept.ZeroCopy = true
	}
	a.early.messages = append(a.early.messages, kept)
	a.early.charged += charge
	a.search(a.early.charged)
	return nil
}

// sendEarly queues the messages that were sent before.
func (a *Association) sendEarly(now time.Duration) {
	messages, refused := a.early.messages, a.early.refused
	a.early = early{}
	for i := range messages {
		if err := a.out.QueueAccepted(now, &messages[i]); err != nil {
			a.early.messages = messages[i:] // for finish to give back
			a.abort(&socket.AbortError{Cause: uint16(wire.CauseUserAbort), Reason: "message sent on a stream that the peer does not offer"})
			return
		}
	}
	if refused {
		a.notify(socket.Event{Kind: socket.Writable})
	}
}

// releaseEarly gives the messages back unsent.
func (a *Association) releaseEarly() {
	for i := range a.early.messages {
		a.release(a.early.messages[i].Owner, socket.Unsent)
	}
	a.early = early{}
}
