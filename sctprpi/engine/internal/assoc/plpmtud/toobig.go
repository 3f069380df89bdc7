package plpmtud

import "time"

// maxHints is how many packet-too-big messages a search heeds. A router that tells
// the truth needs one for each narrower link of the path.
const maxHints = 8

// TooBig handles a packet-too-big message of ICMP, or the local system's refusal to
// send: packets of more than mtu bytes do not pass. It reports whether MTU has
// changed. That the message quotes a packet of this path is the caller's to check
// (section 4.6.1).
//
// It is ignored unless mtu is at least Min and less than MTU or the probe under way,
// and when it is the ninth of a search. Nor does it decide anything (section 4.6.2):
// if it is less than MTU the search begins anew from Base, or from Min if that is too
// much; either way mtu is the next
// size to be tried, and the one above it is given a single probe more, which shows
// whether the message was a lie.
func (s *Search) TooBig(now time.Duration, mtu int) (changed bool) {
	mtu = mtu / align * align
	largest := s.low // that may have been sent
	if s.probe.underWay {
		largest = max(largest, s.probe.size())
	}
	if s.state == stateDisabled || mtu < s.cfg.Min || mtu >= largest || s.hints == maxHints {
		return false
	}
	hints := s.hints + 1
	if mtu < s.low {
		if mtu < s.cfg.Base {
			s.begin(s.cfg.Min)
		} else {
			s.restart()
		}
		s.optimistic = false
		changed = true
	}
	s.probe.underWay = false
	s.hint, s.hints = mtu, hints
	if over := mtu + align; over < s.high {
		s.high, s.highLost = over, MaxProbes-1
	} else {
		s.highLost = MaxProbes
	}
	if s.state == stateSearching {
		s.finishIfDone(now)
	}
	return changed
}
