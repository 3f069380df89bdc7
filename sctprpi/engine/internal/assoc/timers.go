package assoc

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Deadline returns when Expire is to be called, and false when no timer runs.
func (a *Association) Deadline() (time.Duration, bool) {
	if a.state == Closed {
		return never, false
	}
	at := min(a.shutdown.t2, a.shutdown.t5)
	if a.setup != nil {
		at = min(at, a.setup.deadline)
	}
	if a.state.Connected() {
		for _, deadline := range [...]func() (time.Duration, bool){a.out.Deadline, a.tracker.Deadline} {
			if t, runs := deadline(); runs {
				at = min(at, t)
			}
		}
		for i := range a.paths {
			p := &a.paths[i]
			at = min(at, p.beat.deadline)
			if t, runs := p.search.Deadline(); runs && p.up() && a.state.testsPaths() {
				at = min(at, t)
			}
		}
	}
	return at, at != never
}

// Expire handles the timers that have run out.
func (a *Association) Expire(now time.Duration) {
	if due, runs := a.Deadline(); runs && due < now {
		a.life.oversleep(now, now-due)
	}
	if a.setup != nil && a.setup.deadline <= now {
		a.setupTimeout(now)
	}
	if a.shutdown.t5 <= now {
		a.abortWith(a.primary, wire.Causes(nil).AppendUserAbort(nil), &socket.AbortError{
			Cause: uint16(wire.CauseUserAbort), Reason: "the peer does not finish its shutdown",
		})
	}
	if a.shutdown.t2 <= now {
		a.shutdownTimeout(now)
	}
	if !a.state.Connected() {
		return
	}
	for {
		path, expired := a.out.Expire(now)
		if !expired {
			break
		}
		if !a.retransmissionTimeout(now, int(path)) {
			return
		}
	}
	for i := range a.paths {
		if a.paths[i].beat.deadline <= now {
			a.beatDue(now, i)
		}
		if a.state == Closed {
			return
		}
		a.searchTimeout(now, i)
	}
}

// blackHoleTimeouts is how many timeouts of T3-rtx in a row on a path make its MTU be
// doubted (RFC 8899, section 4.3).
const blackHoleTimeouts = 3

// retransmissionTimeout handles the expiry of T3-rtx on a path and reports whether the
// association has survived it.
func (a *Association) retransmissionTimeout(now time.Duration, i int) bool {
	if !a.missed(now, i) {
		return false
	}
	p := &a.paths[i]
	p.timeouts++
	if p.timeouts%blackHoleTimeouts == 0 {
		if a.discovery.begun = true; p.search.BlackHole(now) {
			a.resized(i)
		}
	}
	if p.search.Failures() > 0 {
		a.testWidth(now, i)
	}
	// When data has left a path, a heartbeat finds out whether it can come back.
	if a.host.Config.Heartbeat > 0 && !p.beat.underWay && a.dataPath() != i {
		a.sendBeat(now, i)
	}
	return true
}
