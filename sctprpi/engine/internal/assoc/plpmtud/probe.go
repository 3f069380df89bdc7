package plpmtud

import "time"

// memory is how many probes are remembered: an acknowledgement that comes late still
// proves that its size passes.
const memory = 8

// probe is the probe under way.
type probe struct {
	underWay bool
	deadline time.Duration
	timeout  time.Duration
	// id is that of the last probe; sizes are those of the last few, by id, 0
	// for those that are acknowledged or prove nothing any more.
	id    uint64
	sizes [memory]int
}

func (p *probe) size() int { return p.sizes[p.id%memory] }

func (p *probe) forget() {
	p.underWay = false
	p.sizes = [memory]int{}
}

// Due reports whether Probe would return one.
func (s *Search) Due(now time.Duration) bool {
	switch {
	case s.probe.underWay || s.state == stateDisabled:
		return false
	case s.state == stateError:
		return now >= s.due
	case s.state == stateComplete:
		return now >= s.due && s.low != s.cfg.Max
	}
	return true
}

// Probe returns a probe to be sent now, if one is due: its size, in bytes of IP
// packet, and an id that Acked wants back. It counts as lost after timeout, also if it
// could not be sent. The path's RTO is a good timeout; where round trips are not
// measured section 5.1.1 asks for a second at least.
//
// Another probe may be due after Start, Acked, Expire, TooBig and BlackHole, and when
// enough time has passed, which the package's text on idle paths is about.
func (s *Search) Probe(now, timeout time.Duration) (size int, id uint64, ok bool) {
	if !s.Due(now) {
		return 0, 0, false
	}
	if s.state == stateComplete {
		s.enter(stateSearching)
	}
	p := &s.probe
	p.id++
	p.sizes[p.id%memory] = s.next()
	p.underWay, p.timeout, p.deadline = true, timeout, now+timeout
	return p.size(), p.id, true
}

// Acked notes that a probe has been acknowledged, in time or late, and reports
// whether MTU has changed: it may have grown. Ids that are not known, or not any
// more, are ignored; that the id was not made up is the caller's to check, by a nonce
// in the HEARTBEAT chunk.
func (s *Search) Acked(now time.Duration, id uint64) (changed bool) {
	p := &s.probe
	if id > p.id || p.id-id >= memory || p.sizes[id%memory] == 0 {
		return false
	}
	size := p.sizes[id%memory]
	p.sizes[id%memory] = 0
	if p.size() <= size { // it is the one under way, or that can tell nothing more
		p.underWay = false
	}
	return size >= s.low && s.passed(now, size)
}

// Deadline returns when Expire is to be called, and Probe after it; false if no timer runs.
func (s *Search) Deadline() (time.Duration, bool) {
	if s.state == stateError && !s.probe.underWay {
		return s.due, true
	}
	return s.probe.deadline, s.probe.underWay
}

// Expire notes that time has passed and reports whether MTU has changed: it has
// fallen back to Base if probes of its own size are lost (section 4.3). The loss of
// a probe says nothing about congestion.
func (s *Search) Expire(now time.Duration) (changed bool) {
	p := &s.probe
	if !p.underWay || now < p.deadline {
		return false
	}
	p.underWay = false
	return s.missed(now, p.size())
}
