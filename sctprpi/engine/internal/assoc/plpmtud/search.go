package plpmtud

import "time"

// MaxProbes is how often a probe of a size is lost before the size is held to be
// too large (MAX_PROBES of RFC 8899, section 5.1.2).
const MaxProbes = 3

// state is that of RFC 8899, section 5.2.
type state uint8

const (
	stateDisabled state = iota
	stateBase
	stateSearching
	stateComplete
	stateError
)

// Search is the discovery of the MTU of one path.
type Search struct {
	cfg   Config
	state state

	// low is the MTU in use: Base, Min, or the largest size that has passed. high
	// is the smallest that has not, beyond Max while all have.
	low, high int
	// found is the MTU with which a search last ended: likely to be right still.
	found int
	// highLost counts the losses of high, lowLost those of low in a row.
	highLost, lowLost int
	// doubt: the last probe was lost, maybe because the path is down.
	doubt bool
	// optimistic: Max is to be tried before anything else.
	optimistic bool
	// hint is a size that the network says will pass, 0 if it has not; hints
	// is how often it has been heeded in this search.
	hint, hints int

	probe probe
	// due is when the next probe may be sent in SEARCH_COMPLETE and ERROR.
	due time.Duration
	// retry is the time between probes in ERROR, and failures counts how often
	// in a row Min was given up.
	retry    time.Duration
	failures int
}

// New returns a Search that is idle, with an MTU of Base, until Start.
func New(c Config) (*Search, error) {
	if err := c.setDefaults(); err != nil {
		return nil, err
	}
	return &Search{cfg: c, low: c.Base, high: c.Max + align}, nil
}

// MTU returns the largest packet that may be sent now (PLPMTU), in bytes of IP
// packet.
func (s *Search) MTU() int { return s.low }

// Start begins the search: the path is confirmed, or it is again after it was down.
// MTU is Base then, whatever it was.
func (s *Search) Start(time.Duration) { s.restart() }

// BlackHole notes that packets as large as MTU seem to vanish: several T3-rtx
// timeouts in a row (section 4.3). MTU falls back to Base, from there to Min, and the
// search begins anew. It reports whether MTU has changed; at Min there is nothing to
// change.
func (s *Search) BlackHole(time.Duration) (changed bool) {
	if s.state == stateDisabled || s.low == s.cfg.Min {
		return false
	}
	s.fallBack()
	return true
}

// Failures returns how many times in a row not even Min has passed: a path that
// carries smaller packets all the same is too narrow.
func (s *Search) Failures() int { return s.failures }

// fallBack begins anew with the next smaller size that is likely to pass.
func (s *Search) fallBack() {
	if s.low > s.cfg.Base {
		s.restart()
	} else {
		s.begin(s.cfg.Min)
	}
}

// restart begins anew with Base.
func (s *Search) restart() { s.begin(s.cfg.Base) }

// begin enters BASE with an MTU that is to be confirmed. What is still under way proves
// nothing any more.
func (s *Search) begin(mtu int) {
	s.enter(stateBase)
	s.low = mtu
	s.probe.forget()
}

// enter begins a round of probes.
func (s *Search) enter(to state) {
	s.state = to
	s.high, s.highLost, s.lowLost = s.cfg.Max+align, 0, 0
	s.doubt, s.optimistic = false, true
	s.hint, s.hints = 0, 0
}

// passed notes that a packet of a size has arrived.
func (s *Search) passed(now time.Duration, size int) (changed bool) {
	s.doubt, s.lowLost, s.failures = false, 0, 0
	changed = size > s.low
	s.low = size
	if size >= s.high { // so losses were no proof
		s.high, s.highLost = s.cfg.Max+align, 0
	}
	if changed || s.state != stateComplete {
		s.state = stateSearching
		s.finishIfDone(now)
	}
	return changed
}

// missed notes that a probe was lost, of low, of high or of a size in between.
func (s *Search) missed(now time.Duration, size int) (changed bool) {
	s.doubt = true
	switch {
	case size == s.low:
		return s.missedLow(now)
	case size < s.high:
		s.high, s.highLost = size, 1
	default:
		s.highLost++
	}
	return false
}

// missedLow handles the loss of a probe of MTU itself. The path is down, and then
// larger probes were lost for that, or it has shrunk (section 4.3), or was never as
// wide as Base.
func (s *Search) missedLow(now time.Duration) (changed bool) {
	s.lowLost++
	s.highLost = 0
	switch {
	case s.lowLost < MaxProbes:
	case s.low > s.cfg.Min:
		s.fallBack()
		return true
	default:
		s.fail(now)
	}
	return false
}

// fail enters ERROR: not even Min passes. It is tried ever more rarely.
func (s *Search) fail(now time.Duration) {
	s.failures++
	if s.state != stateError {
		s.state, s.retry = stateError, 0
	}
	s.retry = min(s.retry+2*s.probe.timeout, s.cfg.Raise)
	s.due = now + s.retry
}

// finishIfDone ends the search if there is nothing left to find out.
func (s *Search) finishIfDone(now time.Duration) {
	closed := s.high-s.low <= step(s.low) && s.highLost >= MaxProbes && !s.doubt
	if s.low == s.cfg.Max || closed {
		s.state, s.found = stateComplete, s.low
		s.due = now + s.cfg.Raise
	}
}
