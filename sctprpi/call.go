package sctprpi

import (
	"slices"
	"time"
)

// maxCalls bounds the associations that a process makes at a time, and with them what it
// asks the launcher. The others wait for their turn, and their time-out begins with it. A
// set-up takes processor time at both ends: if all ranks of a crowded host make all of
// theirs at once, most answers are so late that packets are sent again.
const maxCalls = 4

// courtesy is how long a process that only waits for a message lets the peer make the
// association, which the peer does to send it. If both make it that takes more packets.
const courtesy = 50 * time.Millisecond

// calls are the attempts to connect. They are guarded by the transport's lock.
type calls struct {
	underWay int
	queue    []*peer // that are to be called next
}

// dial has an association made with a peer. The lock is held.
func (t *Transport) dial(p *peer) {
	p.phase, p.expected = connecting, false
	t.calls.queue = append(t.calls.queue, p)
	t.nextCalls()
}

// expect has an association made with a peer that is likely to make it. The lock is held.
func (t *Transport) expect(p *peer) {
	p.phase, p.expected = connecting, true
	p.retry = time.AfterFunc(courtesy, func() {
		defer t.take()()
		if p.phase == connecting && p.expected && t.state != closed {
			t.dial(p)
		}
	})
}

// redial has another attempt made to connect to a peer, before others have their first one.
// The lock is held.
func (t *Transport) redial(p *peer) {
	t.calls.queue = slices.Insert(t.calls.queue, 0, p)
	t.nextCalls()
}

// nextCalls calls peers while there may be more calls. Those that have called themselves
// meanwhile are passed over. The lock is held.
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

// hangUp takes in that a peer is not being called any more, if it was. The lock is held.
func (t *Transport) hangUp(p *peer) {
	if p.calling {
		p.calling = false
		t.calls.underWay--
		t.nextCalls()
	}
}
