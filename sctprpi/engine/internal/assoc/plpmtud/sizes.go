package plpmtud

// ethernet is the MTU of most paths.
const ethernet = 1500

// common are sizes that paths often have, ascending: Base, the least of IPv6, those of
// tunnels over Ethernet and of virtual networks, Ethernet, and jumbo frames.
var common = [...]int{DefaultBase, 1280, 1400, 1420, 1448, 1460, 1480, 1492, ethernet, 9000}

// minStep is the least gain in bytes that is worth a probe.
const minStep = 16

// step returns the least gain over a size that is worth a probe (RFC 8899, section
// 5.3.2).
func step(size int) int { return max(minStep, size/128/align*align) }

// next returns the size of the next probe.
func (s *Search) next() int {
	switch {
	case s.optimistic:
		s.optimistic = false
		return s.cfg.Max
	case s.state == stateBase || s.lowLost > 0:
		return s.low
	case s.low < s.hint && s.hint < s.high:
		return s.hint
	case s.high-s.low > step(s.low) && s.low == s.found:
		return s.low + step(s.low)
	case s.high-s.low > step(s.low):
		return between(s.low, s.high)
	case s.highLost < MaxProbes:
		return s.high
	default:
		return s.low
	}
}

// between returns the size to try when low has passed and high has not: first what
// is common, then, as a common size is likely to be the path's, what is just
// above, and then the middle.
func between(low, high int) int {
	if low < ethernet && ethernet < high {
		return ethernet
	}
	known := false
	for _, size := range common {
		if low < size && size < high {
			return size
		}
		known = known || size == low
	}
	if known {
		return low + step(low)
	}
	return (low + high) / 2 / align * align
}
