package associations

import (
	"slices"
	"time"
)

// maxCalls bounds the associations that a process makes at the same time, and so its requests to
// the launcher. The other peers wait for their turn, and their time-out begins with it. A set-up
// takes processor time at both ends: if all ranks of an oversubscribed host make all of theirs at
// once, most answers are so late that packets are sent again.
const maxCalls = 4

// courtesy is how long a process that waits for a message leaves it to the sender to make the
// association. If both ends make it, that takes more packets.
const courtesy = 50 * time.Millisecond

// calls are the attempts to connect.
type calls struct {
	underWay int
	queue    []*Peer // that are to be called next
}

// Need makes sure that there will be an association with a peer. If the transport has something to
// send now, the manager makes it at once, and otherwise it leaves that to the peer for a while. It
// returns false if there will be none, because the peer is gone or this process is about to end.
// The progress token need not be held.
func (m *Manager) Need(p *Peer, now bool) bool {
	switch {
	case p.phase == open:
	case p.phase == gone || p.phase == unused && !m.life.Running():
		return false
	case now && (p.phase == unused || p.expected):
		m.dial(p)
	case p.phase == unused:
		m.expect(p)
	}
	return true
}

// dial makes an association with a peer.
func (m *Manager) dial(p *Peer) {
	p.phase, p.expected = connecting, false
	m.calls.queue = append(m.calls.queue, p)
	m.nextCalls()
}

// expect gives a peer time to make the association, and makes it then.
func (m *Manager) expect(p *Peer) {
	p.phase, p.expected = connecting, true
	p.retry = time.AfterFunc(courtesy, func() {
		m.decide(func() {
			if p.phase == connecting && p.expected && !m.life.Over {
				m.dial(p)
			}
		})
	})
}

// redial connects to a peer again, before peers that have not been tried yet.
func (m *Manager) redial(p *Peer) {
	m.calls.queue = slices.Insert(m.calls.queue, 0, p)
	m.nextCalls()
}

// nextCalls starts attempts to connect, as far as maxCalls allows. Peers that have connected meanwhile are left out.
func (m *Manager) nextCalls() {
	for m.calls.underWay < maxCalls && len(m.calls.queue) > 0 && !m.life.Over {
		p := m.calls.queue[0]
		m.calls.queue = m.calls.queue[1:]
		if p.phase != connecting || p.assoc != nil {
			continue
		}
		p.calling = true
		m.calls.underWay++
		m.begin(p)
		m.call(p)
	}
}

// hangUp ends the attempt to connect to a peer, if there is one.
func (m *Manager) hangUp(p *Peer) {
	if p.calling {
		p.calling = false
		m.calls.underWay--
		m.nextCalls()
	}
}
