package endpoint

import (
	"container/heap"
	"math"
	"time"
)

// never is the deadline of an association without timers.
const never time.Duration = math.MaxInt64

// timers are the associations that have deadlines, the first to come at the top.
type timers []*entry

func (t timers) Len() int           { return len(t) }
func (t timers) Less(i, j int) bool { return t[i].deadline < t[j].deadline }

func (t timers) Swap(i, j int) {
	t[i], t[j] = t[j], t[i]
	t[i].slot, t[j].slot = i, j
}

func (t *timers) Push(x any) {
	en := x.(*entry)
	en.slot = len(*t)
	*t = append(*t, en)
}

func (t *timers) Pop() any {
	last := len(*t) - 1
	en := (*t)[last]
	en.slot = -1
	(*t)[last] = nil
	*t = (*t)[:last]
	return en
}

// schedule gives an association its place by the deadline that it has now. One that is later
// than its place says, as after each acknowledgement, keeps the place: Expire looks again.
func (t *timers) schedule(en *entry) {
	at, runs := en.Deadline()
	if runs {
		t.hasten(en, at)
		return
	}
	if en.slot >= 0 {
		heap.Remove(t, en.slot)
	}
	en.deadline = never
}

// hasten gives an association its place by a deadline, unless it has an earlier one.
func (t *timers) hasten(en *entry, at time.Duration) {
	switch {
	case en.slot < 0:
		en.deadline = at
		heap.Push(t, en)
	case at < en.deadline:
		en.deadline = at
		heap.Fix(t, en.slot)
	}
}

// Deadline returns when Expire is to be called, which may be before the first timer runs
// out, and false when none runs.
func (e *Endpoint) Deadline() (time.Duration, bool) {
	if len(e.timers) == 0 {
		return never, false
	}
	return e.timers[0].deadline, true
}

// Expire handles the timers that have run out.
func (e *Endpoint) Expire(now time.Duration) {
	for len(e.timers) > 0 && e.timers[0].deadline <= now {
		en := e.timers[0]
		heap.Remove(&e.timers, 0)
		en.deadline = never
		if at, runs := en.Deadline(); !runs || at > now {
			e.timers.schedule(en)
			continue
		}
		en.Expire(now)
		e.touch(en) // Next schedules it again
	}
}
