package tx

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// recovery is fast recovery on a path (section 7.2.4).
type recovery struct {
	on   bool
	exit wire.TSN // what ends it when it is acknowledged
	// rescue: the first packet of it is yet to go out, whatever the window.
	rescue bool
}

// enterRecovery halves the window once for a flight (section 7.2.4).
func (p *path) enterRecovery(now time.Duration, exit wire.TSN) {
	if p.recovery.on {
		return
	}
	p.recovery = recovery{on: true, exit: exit, rescue: true}
	p.detectSpurious(now)
	if !p.ecn.holding {
		p.congestion.Lost(now)
		p.ecn.reduced(exit + 1)
	}
	p.stats.Recoveries++
}

// leaveRecovery ends it when all of the path's chunks up to its exit are acknowledged; low is the lowest that is not.
func (p *path) leaveRecovery(low wire.TSN) {
	if p.recovery.on && p.recovery.exit.Less(low) {
		p.recovery = recovery{}
		p.rack.recovered()
	}
}

// timeout handles the expiry of T3-rtx (section 6.3.3) and reports whether it
// counts.
func (s *Sender) timeout(now time.Duration, p *path) bool {
	// Section 6.1, rule A: the interval of a window probe grows, no more.
	counts := !s.window.probe.open || !s.window.probe.heard
	if counts {
		p.detectSpurious(now)
		p.collapsed = true
		p.rto.Backoff()
		p.congestion.Timeout(now)
		p.ecn.reduced(s.out.end)
		p.stats.Timeouts++
	}
	for p.inFlight.n > 0 {
		tsn := p.inFlight.head
		s.markLost(p, tsn)
		if counts {
			p.spurious.add(tsn, s.out.at(tsn).resent, now+p.rto.Timeout())
			s.missing(now, p, tsn)
		}
	}
	p.timers = noTimers
	p.tail = tailProbe{}
	p.recovery = recovery{}
	p.allow(0, s.config.MaxBurst)
	return counts
}

// detect marks lost what RACK finds lost on a path.
func (s *Sender) detect(now time.Duration, p *path) {
	p.reorder = never
	for p.inFlight.n > 0 {
		tsn := p.inFlight.head
		isLost, at := p.rack.verdict(now, s.out.at(tsn), p.recovery.on, p.rto.SRTT())
		if !isLost {
			p.reorder = at
			return
		}
		p.enterRecovery(now, s.out.end-1)
		s.markLost(p, tsn)
		p.spurious.add(tsn, s.out.at(tsn).resent, now+p.rto.Timeout())
		s.missing(now, p, tsn)
	}
}

// markLost marks a chunk in flight to be retransmitted.
func (s *Sender) markLost(p *path, tsn wire.TSN) {
	s.removeFromFlight(p, tsn)
	s.out.at(tsn).state = lost
	s.out.setLost(tsn)
	p.progress.waiting++
}

// found notes that a lost chunk waits no more: it is sent again, or has turned out to be acknowledged.
func (s *Sender) found(tsn wire.TSN, c *outstandingChunk) {
	s.out.clearLost(tsn)
	s.paths[c.path].progress.waiting--
}
