package window

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// LockType is the kind of a lock (section 12.5.3).
type LockType uint8

// The locks. Many may hold a Shared one at the same time, one alone an Exclusive one.
const (
	Shared LockType = 1 + iota
	Exclusive
	noLock LockType = 0
)

// grants is the lock of this rank's memory. Who asks first gets it first.
type grants struct {
	exclusive bool
	shared    int
	queue     []wish
}

// wish is a lock that an origin waits for.
type wish struct {
	peer *peer
	id   uint32
	lock LockType
}

// want handles an origin's wish for a lock. An origin has one lock or waits for one at most, so that the queue is no longer
// than there are ranks.
func (w *Window) want(p *peer, h header) {
	switch {
	case h.lock != Shared && h.lock != Exclusive:
		w.reply(p, h, nil, faulty(rpi.ErrArg, "lock type %d is neither shared nor exclusive", h.lock))
		return
	case p.held != noLock || p.queued:
		w.reply(p, h, nil, faulty(rpi.ErrRMASync, "rank %d has the lock already, or waits for it", p.rank))
		return
	}
	p.queued = true
	w.grants.queue = append(w.grants.queue, wish{p, h.id, h.lock})
	w.grant()
}

// grant gives the lock to those that wait and may have it.
func (w *Window) grant() {
	g := &w.grants
	for len(g.queue) > 0 {
		next := g.queue[0]
		if g.exclusive || next.lock == Exclusive && g.shared > 0 {
			return
		}
		if g.exclusive = next.lock == Exclusive; !g.exclusive {
			g.shared++
		}
		g.queue = slices.Delete(g.queue, 0, 1)
		next.peer.held, next.peer.queued = next.lock, false
		w.reply(next.peer, header{id: next.id}, nil, nil)
	}
}

// release takes the lock, or the place in the queue, of an origin.
func (w *Window) release(p *peer) {
	g := &w.grants
	switch p.held {
	case Exclusive:
		g.exclusive = false
	case Shared:
		g.shared--
	}
	if p.queued {
		g.queue = slices.DeleteFunc(g.queue, func(q wish) bool { return q.peer == p })
	}
	p.held, p.queued = noLock, false
	w.grant()
}
