package associations

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// action is something to be done without the lock, in order with others. Most are calls of the
// socket. If a call fails the association has ended or is about to end; an event reports that.
type action struct {
	do     func(m *Manager, x *action)
	assoc  socket.AssocID
	reason string
	data   [][]byte // messages for the control stream
	plain  int      // how many of them come before those that are sealed
	outlet Outlet
	last   bool // the peer answers only with an acknowledgement
	peer   *Peer
}

func abort(m *Manager, x *action)    { _ = m.socket.Abort(x.assoc, x.reason) }
func shutdown(m *Manager, x *action) { _ = m.socket.Shutdown(x.assoc) }

func sendControl(m *Manager, x *action) {
	messages := make([]socket.Message, len(x.data))
	for i := range messages {
		messages[i] = socket.Message{Stream: Control, Data: x.data[i : i+1], Immediate: x.last}
	}
	if x.plain > 0 {
		_, _ = m.socket.Send(x.assoc, messages[:x.plain])
	}
	if x.plain < len(messages) {
		_, _ = x.outlet.send(m.socket, messages[x.plain:])
	}
}

// authenticated tells the socket that the peer has proven to be of the job.
func authenticated(m *Manager, x *action) {
	if s, ok := m.socket.(socket.Authenticator); ok {
		_ = s.Authenticated(x.assoc)
	}
}

// opened lets the transport send to a peer, now that our result has left.
func opened(m *Manager, x *action) {
	m.lock.Enter()
	defer m.lock.Leave()
	if p := x.peer; p.phase == opening {
		p.phase = open
		m.user.Opened(p)
		m.life.Changed()
	}
}

// sendControl sends a message of the handshake, in one packet with those that have not been sent yet.
func (m *Manager) sendControl(a *association, message []byte, last bool) {
	x := action{do: sendControl, assoc: a.id, outlet: a.outlet(), last: last}
	for i := range m.todo {
		if y := &m.todo[i]; y.data != nil && y.assoc == a.id {
			x.data, x.plain = y.data, y.plain
			m.todo = slices.Delete(m.todo, i, i+1)
			break
		}
	}
	x.data = append(x.data, message)
	if a.cipher == nil {
		x.plain = len(x.data)
	}
	m.todo = append(m.todo, x)
}

// decide makes a change under the locks that decisions about associations need, and carries out the actions that it has left.
func (m *Manager) decide(change func()) {
	m.life.Progress.Lock()
	defer m.life.Progress.Unlock()
	m.lock.Lock()
	defer m.lock.Unlock()
	change()
	m.act()
}

// act carries out the actions that changes under the lock have left, and leaves the lock meanwhile. The progress token keeps them in order.
func (m *Manager) act() {
	for len(m.todo) > 0 {
		actions := m.todo
		m.todo = nil
		m.lock.Leave()
		for i := range actions {
			actions[i].do(m, &actions[i])
		}
		m.lock.Enter()
	}
}
