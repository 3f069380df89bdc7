package sctprpi

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

// calls are the attempts to connect. They are guarded by the transport's lock.
type calls struct {
	underWay int
	queue    []*peer // that are to be called next
}

// dial makes an association with a peer. The lock is held.
func (t *Transport) dial(p *peer) {
	p.phase, p.expected = connecting, false
	t.calls.queue = append(t.calls.queue, p)
	t.nextCalls()
}

// expect gives a peer time to make the association, and makes it then. The lock is held.
func (t *Transport) expect(p *peer) {
	p.phase, p.expected = connecting, true
	p.retry = time.AfterFunc(courtesy, func() {
		t.decide(func() {
			if p.phase == connecting && p.expected && t.state != closed {
				t.dial(p)
			}
		})
	})
}

// redial connects to a peer again, before peers that have not been tried yet. The lock is held.
func (t *Transport) redial(p *peer) {
	t.calls.queue = slices.Insert(t.calls.queue, 0, p)
	t.nextCalls()
}

// nextCalls starts attempts to connect, as far as maxCalls allows. Peers that have connected
// meanwhile are left out. The lock is held.
func (t *Transport) nextCalls() {
	for t.calls.underWay < maxCalls && len(t.calls.queue) > 0 && t.state != closed {
		p := t.calls.queue[0]
		t.calls.queue = t.calls.queue[1:]
		if p.phase != connecting || p.assoc != nil {
			continue
		}
		p.calling = true
		t.calls.underWay++
		t.begin(p)
		t.call(p)
	}
}

// hangUp ends the attempt to connect to a peer, if there is one. The lock is held.
func (t *Transport) hangUp(p *peer) {
	if p.calling {
		p.calling = false
		t.calls.underWay--
		t.nextCalls()
	}
}
