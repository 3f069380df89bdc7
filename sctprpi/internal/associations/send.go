package associations

import (
	"errors"

	"github.com/sctpmpi/sctpmpi/sctprpi/internal/record"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Outlet is where messages to a peer go, and how they are sealed.
type Outlet struct {
	id     socket.AssocID
	cipher *record.Cipher // nil: they are not
}

func (a *association) outlet() Outlet { return Outlet{a.id, a.cipher} }

func (o Outlet) send(s socket.Endpoint, messages []socket.Message) (n int, err error) {
	if o.cipher == nil {
		return s.Send(o.id, messages)
	}
	return o.cipher.Send(s, o.id, messages)
}

// Send hands messages to the socket: see socket.Endpoint. No other goroutine
// may send to the same peer meanwhile. If an error is not one
// that can happen, the association is aborted, and Failed follows. Of the others all but
// socket.ErrWouldBlock say that the association has ended or is about to end.
func (m *Manager) Send(to Outlet, messages []socket.Message) (n int, err error) {
	n, err = to.send(m.socket, messages)
	if err != nil && !expected(err) {
		_ = m.socket.Abort(to.id, err.Error()) // the event that follows fails the peer
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
