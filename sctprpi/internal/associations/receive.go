package associations

import (
	"errors"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// eventBatch is how many events are taken from the socket at a time.
const eventBatch = 64

// network is the socket as the driver sees it.
type network struct{ *Manager }

// embedded is a socket whose protocol runs in this process.
type embedded struct{ network }

// Tend implements driver.Protocol.
func (m embedded) Tend() error { return m.socket.Poll() }

// Rest implements driver.Network.
func (m network) Rest(messages bool) (deadline time.Time, ready bool) { return m.socket.Rest(messages) }

// Resume implements driver.Network.
func (m network) Resume() { m.socket.Resume() }

// Descriptor implements driver.Network.
func (m network) Descriptor() int {
	if m.socket == nil {
		return -1
	}
	return m.socket.Descriptor()
}

// Release implements driver.Network.
func (m network) Release() { m.user.Release() }

// Poll implements driver.Network: it takes what has happened to the socket.
func (m network) Poll() (bool, error) {
	m.life.Progress.Lock()
	defer m.life.Progress.Unlock()
	n, err := m.socket.Receive(m.events[:])
	if n == 0 {
		return false, err
	}
	m.lock.Lock()
	defer m.lock.Unlock()
	for i := range m.events[:n] {
		m.handle(&m.events[i])
		m.events[i].Release()
		m.events[i] = socket.Event{}
	}
	m.user.Handled()
	m.act()
	return true, nil
}

// handle takes in an event. It leaves the lock while much is copied.
func (m *Manager) handle(e *socket.Event) {
	if e.Kind == socket.Released {
		m.user.Released(e.Owner, e.Outcome)
		return
	}
	a := m.assocs[e.Assoc]
	switch e.Kind {
	case socket.Data:
		if a == nil || a.stage == parting {
			return
		}
		if err := m.data(a, e); err != nil {
			m.violation(a, err)
		}
	case socket.Up:
		if a == nil {
			a = m.admit(e.Assoc)
		}
		m.up(a)
	case socket.Restarted:
		if a != nil && a.stage != parting {
			m.violation(a, errors.New("it has lost the association and made it anew: its process has been replaced"))
		}
	case socket.PeerShutdown:
		if a != nil {
			a.finished = true // once all that it has sent has been taken in
			m.life.Changed()
		}
	case socket.Closed, socket.Aborted, socket.Lost:
		if a != nil {
			m.ended(a, e)
		}
	case socket.Writable:
		if a != nil && a.peer != nil && a.peer.assoc == a {
			m.user.Writable(a.peer)
		}
	}
}

// data takes in a piece of a message.
func (m *Manager) data(a *association, e *socket.Event) error {
	if err := m.unseal(a, e); err != nil {
		return err
	}
	// After its proof a peer may send messages of the transport, which may overtake its result on
	// ours, but on the result's own stream.
	if a.stage != established && !(a.stage == awaitResult && e.Stream != Control) {
		return m.handshake(a, e)
	}
	if a.peer == nil || a.peer.assoc != a {
		return fmt.Errorf("%w: a message on an association that is not the one to use", ErrViolation)
	}
	return m.user.Data(a.peer, e)
}

// unseal opens a message, if it is sealed. It releases the lock while much is decrypted.
func (m *Manager) unseal(a *association, e *socket.Event) error {
	if a.cipher == nil {
		return nil
	}
	if len(e.Payload) >= unlockFrom {
		m.lock.Leave()
		defer m.lock.Enter()
	}
	return a.cipher.Open(e)
}

// unlockFrom is how long a message is, in bytes, that takes longer to decrypt than to take the lock anew.
const unlockFrom = 4 << 10

// up learns what has been agreed on for an association.
func (m *Manager) up(a *association) {
	m.lock.Leave()
	status, err := m.socket.Status(a.id)
	m.lock.Enter()
	if err == nil { // else it has ended already
		a.outbound, a.inbound, a.interleaves = status.Outbound, status.Inbound, status.Interleaving
	}
}

// ended takes in that an association is no more.
func (m *Manager) ended(a *association, e *socket.Event) {
	delete(m.assocs, a.id)
	var abort *socket.AbortError
	if a.handshakeTimer != nil && errors.As(e.Err, &abort) && !abort.Remote {
		m.rejections.Add(1) // the socket has made room for others
	}
	m.stopHandshakeTimer(a)
	if p := a.peer; p != nil && p.assoc == a {
		switch {
		case p.lost != nil:
			m.fail(p, p.lost)
		case p.phase == connecting && temporary(e):
			m.tryAgain(p, e.Err)
		case p.phase == open && !a.finished && forgotten(e):
			m.inquire(p, m.cause(p, e))
		default:
			m.fail(p, m.cause(p, e))
		}
	}
	a.stage = parting
	m.life.Changed()
}
