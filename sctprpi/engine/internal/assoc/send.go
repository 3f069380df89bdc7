package assoc

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Send queues a message. See socket.Socket.Send for its errors, but for those that
// the endpoint gives.
func (a *Association) Send(now time.Duration, m *socket.Message) error {
	switch {
	case a.state == Closed:
		return socket.ErrAssoc
	case a.setup != nil && a.setup.closing || a.state > Established:
		return socket.ErrShutdown
	}
	if a.out == nil {
		return a.keepEarly(m)
	}
	if err := a.out.Queue(now, m); err != nil {
		return err
	}
	waiting, outstanding := a.out.Buffered()
	a.search(waiting + outstanding)
	return nil
}

// SetStreamValue sets what a stream counts for in the schedule.
func (a *Association) SetStreamValue(id socket.StreamID, value uint16) error {
	if a.out == nil || a.state == Closed {
		return socket.ErrAssoc
	}
	return a.out.SetStreamValue(id, value)
}
