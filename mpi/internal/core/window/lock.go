package window

import (
	"slices"
	"sync/atomic"

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

// lockWords are the lock of a rank's memory, in short. What holds is what the slots of the ranks say, and the rest follows from them: if a
// process dies amid a change, the next one that takes the guard counts anew.
type lockWords struct {
	guard     atomic.Uint32 // of what follows, and of all holds
	exclusive atomic.Uint32 // the rank that has the lock alone, and 1; 0: none
	shared    atomic.Uint32 // how many others have it
	waiting   atomic.Uint32 // how many wait for it
	// gone: a rank with these words has found the owner gone, and may have given away locks that it had.
	gone    atomic.Uint32
	tickets atomic.Uint64
}

// hold is a rank's part in the lock: how it has it or waits for it, whether the owner's agent does so on its behalf, and since when: a ticket.
// Who asks first gets it first.
type hold uint64

const (
	holdFree hold = iota
	waitsShared
	waitsExclusive
	hasShared
	hasExclusive
	holdState hold = 7
	holdAgent hold = 8
	ticketBit      = 4
)

func (h hold) state() hold   { return h & holdState }
func (h hold) waits() bool   { return h.state() == waitsShared || h.state() == waitsExclusive }
func (h hold) has() bool     { return h.state() == hasShared || h.state() == hasExclusive }
func (h hold) ticket() hold  { return h >> ticketBit }
func (h hold) byAgent() bool { return h&holdAgent != 0 }

func (c *control) holds(rank int) hold { return hold(c.slots[rank].hold.Load()) }

func (c *control) set(rank int, h hold) { c.slots[rank].hold.Store(uint64(h)) }

// enter takes the guard of the lock. It is held over a few words only.
func (c *control) enter() {
	if died := (latch{&c.lock.guard}).lock(); died {
		c.recount()
	}
}

func (c *control) leave() { latch{&c.lock.guard}.unlock() }

// recount brings the words of the lock to what the holds of the ranks say.
func (c *control) recount() {
	var shared, waiting, exclusive uint32
	tickets := hold(c.lock.tickets.Load())
	for rank := range c.slots {
		h := c.holds(rank)
		switch {
		case h.waits():
			waiting++
		case h.state() == hasShared:
			shared++
		case h.state() == hasExclusive:
			exclusive = uint32(rank) + 1
		}
		tickets = max(tickets, h.ticket())
	}
	c.lock.shared.Store(shared)
	c.lock.waiting.Store(waiting)
	c.lock.exclusive.Store(exclusive)
	c.lock.tickets.Store(uint64(tickets))
}

// ask asks for the lock on behalf of a rank, which gets it now, or waits for it from now on. The rank must not have it or wait for it, else fresh is
// false. agent: it is the owner's agent that asks.
func (c *control) ask(rank int, l LockType, agent bool) (got, fresh bool) {
	c.enter()
	defer c.leave()
	if c.holds(rank) != holdFree {
		return false, false
	}
	h := hold(c.lock.tickets.Add(1)) << ticketBit
	if agent {
		h |= holdAgent
	}
	switch {
	case c.lock.waiting.Load() > 0 || c.lock.exclusive.Load() != 0 || l == Exclusive && c.lock.shared.Load() > 0:
		h |= waitsShared
		if l == Exclusive {
			h += waitsExclusive - waitsShared
		}
		c.set(rank, h)
		c.lock.waiting.Add(1)
		return false, true
	case l == Exclusive:
		c.set(rank, h|hasExclusive)
		c.lock.exclusive.Store(uint32(rank) + 1)
	default:
		c.set(rank, h|hasShared)
		c.lock.shared.Add(1)
	}
	return true, true
}

// release ends the part of a rank in the lock, and returns the ranks that are to be told that they, or those that they ask for, have it now.
func (c *control) release(rank int) (told []int) {
	c.enter()
	defer c.leave()
	h := c.holds(rank)
	c.set(rank, holdFree)
	switch {
	case h.waits():
		c.lock.waiting.Add(^uint32(0))
	case h.state() == hasShared:
		c.lock.shared.Add(^uint32(0))
	case h.state() == hasExclusive:
		c.lock.exclusive.Store(0)
	}
	if c.lock.waiting.Load() == 0 {
		return nil
	}
	return c.grant()
}

// grant gives the lock to those that wait and may have it. The guard is held.
func (c *control) grant() (told []int) {
	if c.lock.exclusive.Load() != 0 {
		return nil
	}
	none := ^hold(0)
	first, next := none, 0 // of those that want it alone
	for rank := range c.slots {
		if h := c.holds(rank); h.state() == waitsExclusive && h.ticket() < first {
			first, next = h.ticket(), rank
		}
	}
	give := func(rank int, h hold) {
		c.set(rank, h+hasShared-waitsShared)
		c.lock.waiting.Add(^uint32(0))
		if h.byAgent() {
			rank = c.owner
		}
		told = append(told, rank)
	}
	for rank := range c.slots {
		if h := c.holds(rank); h.state() == waitsShared && h.ticket() < first {
			give(rank, h)
			c.lock.shared.Add(1)
		}
	}
	if first != none && c.lock.shared.Load() == 0 {
		give(next, c.holds(next))
		c.lock.exclusive.Store(uint32(next) + 1)
	}
	return told
}

// want handles the wish for this rank's lock of an origin that asks by a message.
func (w *Window) want(p *peer, h header) {
	if h.lock != Shared && h.lock != Exclusive {
		w.reply(p, h, nil, faulty(rpi.ErrArg, "lock type %d is neither shared nor exclusive", h.lock))
		return
	}
	switch got, fresh := w.control().ask(p.rank, h.lock, true); {
	case !fresh:
		w.reply(p, h, nil, faulty(rpi.ErrRMASync, "rank %d has the lock already, or waits for it", p.rank))
	case got:
		w.reply(p, h, nil, nil)
	default:
		p.wish = h.id
		w.wishes = append(w.wishes, p)
		w.sleep(w.own)
	}
}

// answerWishes tells the origins that have asked for this rank's lock by messages, and have it now.
func (w *Window) answerWishes() {
	w.wishes = slices.DeleteFunc(w.wishes, func(p *peer) bool {
		has := w.own.holds(p.rank).has()
		if has {
			w.reply(p, header{id: p.wish}, nil, nil)
		}
		return has
	})
}

// release ends the part of a rank in a lock.
func (w *Window) release(c *control, rank int) { w.wake(c, c.release(rank)...) }

// forfeit ends the part of a rank that is gone in all locks that this rank has the words of, and what it has left undone there. On behalf of those
// that ask by messages the owner's agent does that, when all that they have sent has come.
func (w *Window) forfeit(p *peer) {
	w.wishes = slices.DeleteFunc(w.wishes, func(q *peer) bool { return q == p })
	if p.byWords() {
		p.control.lock.gone.Store(1)
	}
	for _, c := range w.controls() {
		if h := c.holds(p.rank); c == w.own || !h.byAgent() {
			w.release(c, p.rank)
		}
	}
}

// controls are those that this rank has.
func (w *Window) controls() (all []*control) {
	if w.own != nil {
		all = append(all, w.own)
	}
	for _, n := range w.near {
		if n != nil {
			all = append(all, n.control)
		}
	}
	return all
}
