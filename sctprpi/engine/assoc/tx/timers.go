package tx

import "time"

// Deadline returns when Expire is to be called, and false when no timer runs.
func (s *Sender) Deadline() (time.Duration, bool) {
	at := s.window.probeAt
	if waiting := s.queue.credits.waiting; len(waiting) > 0 {
		at = min(at, waiting[0].credit.askAt)
	}
	for i := range s.paths {
		p := &s.paths[i]
		at = min(at, p.t3, p.pto, p.reorder)
	}
	return at, at != never
}

// Expire handles the timers that have run out. It returns true with a path whose
// T3-rtx was among them, which counts towards the error limits of path and
// association (RFC 9260, sections 8.1 and 8.2), and is then to be called again,
// until it returns false. A path whose only sin is a closed receive window does
// not count.
func (s *Sender) Expire(now time.Duration) (PathID, bool) {
	if s.window.probeAt <= now {
		s.window.probeAt, s.window.due = never, true
	}
	s.expireCredits(now)
	for i := range s.paths {
		p := &s.paths[i]
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

// timeout handles the expiry of T3-rtx (section 6.3.3) and reports whether it
// counts.
func (s *Sender) timeout(now time.Duration, p *path) bool {
	// Section 6.1, rule A: the interval of a window probe grows, no more.
	counts := !s.window.probing || !s.window.heard
	if counts {
		p.suspectLosses(now)
		p.collapsed = true
		p.rto.Backoff()
		p.control.Timeout(now)
		p.stats.Timeouts++
	}
	for p.inFlight.n > 0 {
		tsn := p.inFlight.head
		s.lose(p, tsn)
		if counts {
			p.suspicion.lose(tsn, s.out.at(tsn).resent, now+p.rto.Timeout())
		}
	}
	p.t3, p.pto, p.reorder = never, never, never
	p.oldestGone = false
	p.tail = tailProbe{}
	p.recovery, p.rescue = false, false
	p.allow(0, s.config.MaxBurst)
	return counts
}

func (s *Sender) t3Timeout(p *path) time.Duration {
	if s.window.probing {
		return s.window.backoff(p.rto.Timeout(), s.config.RTO.Max)
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
		p.t3, p.pto, p.reorder = never, never, never
		p.oldestGone = false
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
	return !p.recovery && !p.collapsed && !p.tail.open && !p.tail.due &&
		s.out.lostCount == 0 && len(s.gaps) == 0 && !s.window.probing
}

// detect marks lost what RACK finds lost on a path.
func (s *Sender) detect(now time.Duration, p *path) {
	p.reorder = never
	for p.inFlight.n > 0 {
		tsn := p.inFlight.head
		isLost, at := p.rack.verdict(now, s.out.at(tsn), p.recovery, p.rto.SRTT())
		if !isLost {
			p.reorder = at
			return
		}
		p.enterRecovery(now, s.out.end-1)
		s.lose(p, tsn)
		p.suspicion.lose(tsn, s.out.at(tsn).resent, now+p.rto.Timeout())
	}
}

// watchWindow runs the timer of the zero window probe: it runs when nothing is
// outstanding that would draw a SACK and the next chunk does not fit the peer's
// window.
func (s *Sender) watchWindow(now time.Duration) {
	w := &s.window
	if s.out.len() > 0 || !s.blocked(now) {
		w.probeAt, w.due = never, false
		return
	}
	if w.probeAt == never && !w.due {
		w.probeAt = now + w.backoff(s.paths[s.lastPath].rto.Timeout(), s.config.RTO.Max)
	}
}

// blocked reports whether the peer's window keeps the next chunk from being sent.
func (s *Sender) blocked(now time.Duration) bool {
	st := s.queue.peek(now, s.dropped)
	if st == nil {
		return false
	}
	full := s.maxChunk&^3 - headerSize(s.queue.interleaving)
	return s.window.fit(min(st.head.rest(), full)) == 0
}
