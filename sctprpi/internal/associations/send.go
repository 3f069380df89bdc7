package associations

import (
	"errors"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Send hands messages to the socket: see socket.Endpoint. The lock is not held. The caller makes
// sure that no other goroutine sends to the same peer, if the order matters. If an error is not one
// that can happen, the association is aborted, and Failed follows. Of the others all but
// socket.ErrWouldBlock say that the association has ended or is about to end.
func (m *Manager) Send(id socket.AssocID, messages []socket.Message) (n int, err error) {
	n, err = m.socket.Send(id, messages)
	if err != nil && !expected(err) {
		_ = m.socket.Abort(id, err.Error()) // the event that follows fails the peer
	}
	return n, err
}

// expected reports whether an error of Send can happen without a bug in the transport.
func expected(err error) bool {
	for _, e := range []error{socket.ErrWouldBlock, socket.ErrAssoc, socket.ErrShutdown, socket.ErrClosed} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
