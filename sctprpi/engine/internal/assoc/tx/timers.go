package tx

import "time"

// timers are those of a path.
type timers struct {
	// t3 is T3-rtx, pto the tail-loss probe's timer, reorder the time at which RACK
	// decides.
	t3, pto, reorder time.Duration
	// oldestGone: the chunk that t3 is for is not in flight any more.
	oldestGone bool
}

// noTimers: none runs.
var noTimers = timers{t3: never, pto: never, reorder: never}

// Deadline returns when Expire is to be called, and false when no timer runs.
func (s *Sender) Deadline() (time.Duration, bool) {
	at := s.window.probe.at
	if waiting := s.queue.credits.waiting; len(waiting) > 0 {
		at = min(at, waiting[0].credit.askAt)
	}
	for i := range s.paths {
		p := &s.paths[i]
		at = min(at, p.t3, p.pto, p.reorder)
		if p.paced != nil {
			at = min(at, p.paced.at)
		}
	}
	return at, at != never
}

// Expire handles the timers that have run out. It returns true with a path whose
// T3-rtx was among them, which counts towards the error limits of path and
// association (RFC 9260, sections 8.1 and 8.2), and is then to be called again,
// until it returns false. A path whose only sin is a closed receive window does
// not count.
func (s *Sender) Expire(now time.Duration) (PathID, bool) {
	if s.window.probe.at <= now {
		s.window.probe.at, s.window.probe.due = never, true
	}
	s.expireCredits(now)
	for i := range s.paths {
		p := &s.paths[i]
		if p.paced != nil && p.paced.at <= now {
			p.paced.at = never // the path is about to be asked
		}
		if p.reorder <= now {
			s.detect(now, p)
			s.arm(now, p)
		}
		if p.pto <= now {
			p.pto = never
			p.tail.due = true
			p.t3 = now + s.t3Timeout(p)
		}
		if p.t3 <= now && s.timeout(now, p) {
			return PathID(i), true
		}
	}
	return 0, false
}

func (s *Sender) t3Timeout(p *path) time.Duration {
	if s.window.probe.open {
		return s.window.probe.backoff(p.rto.Timeout(), s.config.RTO.Max)
	}
	return p.rto.Timeout()
}

// arm sets T3-rtx and the probe timer of a path after a change of what is in
// flight. T3-rtx is for the chunk of longest standing in flight, where RFC 9260
// has the lowest TSN: the two differ only when a low one was retransmitted, and
// RACK sees the loss of that one too. It starts when something is sent, starts
// again when that chunk is acknowledged, given up or sent again, and stops when
// nothing is in flight (section 6.3.2, rules R1 to R4).
func (s *Sender) arm(now time.Duration, p *path) {
	if p.inFlight.n == 0 {
		p.timers = noTimers
		return
	}
	if p.t3 == never || p.oldestGone {
		p.t3 = now + s.t3Timeout(p)
		p.oldestGone = false
	}
	p.pto = never
	if s.probeable(p) {
		head, tail := s.out.at(p.inFlight.head), s.out.at(p.inFlight.tail)
		wait := p.tail.timeout(p.rto.SRTT(), head.packet == tail.packet, s.config.MaxAckDelay)
		p.pto = min(now+wait, p.t3)
	}
}

// probeable reports whether silence on a path calls for a tail-loss probe: no
// loss is being repaired or shown by gaps, no probe is open (RFC 8985, section
// 7.2), and the peer has not merely closed its window.
func (s *Sender) probeable(p *path) bool {
	return !p.recovery.on && !p.collapsed && !p.tail.open && !p.tail.due &&
		p.progress.waiting == 0 && !s.holes(p) && !s.window.probe.open
}

// holes reports whether gaps show that chunks of a path may be lost.
func (s *Sender) holes(p *path) bool {
	return len(s.gaps) > 0 && (!s.config.Multipath || s.lowest(p.id).Less(p.progress.high))
}

// watchWindow runs the timer of the zero window probe: it runs when nothing is
// outstanding that would draw a SACK and the next chunk does not fit the peer's
// window.
func (s *Sender) watchWindow(now time.Duration) {
	p := &s.window.probe
	if s.out.len() > 0 || !s.blocked(now) {
		p.at, p.due = never, false
		return
	}
	if p.at == never && !p.due {
		p.at = now + p.backoff(s.paths[s.lastPath].rto.Timeout(), s.config.RTO.Max)
	}
}

// blocked reports whether the peer's window keeps the next chunk from being sent.
func (s *Sender) blocked(now time.Duration) bool {
	st := s.peek(now)
	return st != nil && s.window.fit(min(st.head().rest(), s.largestPayload())) == 0
}
