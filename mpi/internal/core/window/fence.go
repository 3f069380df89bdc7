package window

import (
	"context"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Ranks that all share the memory of rank 0 meet in Fence by a word there. It has how many have come, and counts how often all have. If one may
// not call Fence, gives up, or is gone, they meet by messages instead, by which all learn why: then the word says that it is broken, until
// they have met.
type meeting uint64

const (
	meetingBroken meeting = 1 << 63
	meetingShift          = 32
)

// number is which meeting it is, counted modulo 2^31, and come how many have come to it.
func (m meeting) number() uint32 { return uint32(m &^ meetingBroken >> meetingShift) }
func (m meeting) come() uint32   { return uint32(m) }
func (m meeting) broken() bool   { return m&meetingBroken != 0 }

// next is the meeting after m.
func (m meeting) next() meeting {
	return (m&^meetingBroken>>meetingShift + 1) << meetingShift &^ meetingBroken
}

func (c *control) meeting() meeting { return meeting(c.barrier.Load()) }

func (c *control) change(from, to meeting) bool {
	return c.barrier.CompareAndSwap(uint64(from), uint64(to))
}

// attend adds a rank to a meeting. last: all have come now.
func (c *control) attend(rank int) (m meeting, last bool) {
	for {
		m = c.meeting()
		if m.broken() {
			return m, false
		}
		c.slots[rank].met.Store(m.number() + 1)
		next := m + 1
		if last = int(next.come()) == len(c.slots); last {
			next = m.next()
		}
		if c.change(m, next) {
			return m, last
		}
	}
}

// spoil breaks a meeting. It reports false if all have come to it meanwhile.
func (c *control) spoil(number uint32) bool {
	for {
		m := c.meeting()
		switch {
		case m.number() != number:
			return false
		case m.broken() || c.change(m, m|meetingBroken):
			return true
		}
	}
}

// Meets says that all ranks have called Near for all memory that they have. Call it before the window is used.
func (w *Window) Meets() {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.own
	if w.rank != 0 {
		c = nil
		if w.near != nil && w.near[0] != nil {
			c = w.near[0].control
		}
	}
	if c == nil || len(c.slots) == 1 {
		return
	}
	for rank := range c.slots {
		if rank != 0 && c.slots[rank].attached.Load() == 0 {
			return
		}
	}
	w.place = c
}

// Meet waits until all ranks have called it, if they can meet without messages. If met is false they have to meet by messages. able: this rank
// may meet them.
func (w *Window) Meet(ctx context.Context, able bool) (met bool) {
	c := w.place
	if c == nil {
		return false
	}
	w.mu.Lock()
	m := c.meeting() // the same until this rank has come
	w.attended = m.number()
	if !able || w.someLost {
		c.spoil(m.number())
		w.wakeAll(c)
		w.finish()
		return false
	}
	m, last := c.attend(w.rank)
	if last {
		w.wakeAll(c)
	}
	w.finish()
	if last || m.broken() {
		return last
	}
	_ = w.await(ctx, together, nil) // if ctx ends the meeting by messages says so
	if !c.spoil(m.number()) {
		return true
	}
	w.mu.Lock()
	w.wakeAll(c)
	w.finish()
	return false
}

// Met notes that all ranks have met by messages: the next time they may do without.
func (w *Window) Met() {
	if c := w.place; c != nil {
		if m := c.meeting(); m.broken() && m.number() == w.attended {
			c.change(m, m.next())
		}
	}
}

// missing adds the ranks that have not come to the meeting for which a goroutine waits.
func (w *Window) missing(add func(*rpi.Request, *peer), a *wait) {
	for rank := range w.place.slots {
		if w.place.slots[rank].met.Load() != w.attended+1 {
			add(&a.Request, &peer{job: w.comm.JobRank(rank)})
		}
	}
}
