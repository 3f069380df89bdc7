package tx

import "time"

// Constants of RFC 9406, section 4.3.
const (
	hystartMinThreshold = 4 * time.Millisecond
	hystartMaxThreshold = 16 * time.Millisecond
	hystartMinDivisor   = 8
	hystartSamples      = 8
	hystartGrowth       = 4
	hystartRounds       = 5
)

// hystart ends the first slow start before the queue at the bottleneck overflows:
// HyStart++ ([RFC 9406]). When the smallest round trip of a round is clearly longer than
// that of the round before, the window grows on slowly for some rounds, in case that it
// was only jitter, and slow start is over. The zero value is for a new path.
//
// [RFC 9406]: https://www.rfc-editor.org/rfc/rfc9406
type hystart struct {
	// round is when the present round began, which ends when something sent since
	// is acknowledged. last and current are the smallest round trips of the round
	// before and of this one, 0 without any; samples counts this one's.
	round         time.Duration
	last, current time.Duration
	samples       int
	// baseline is the round trip that made conservative slow start begin, 0
	// outside of it; rounds counts its rounds.
	baseline time.Duration
	rounds   int
}

// acked handles an acknowledgement during slow start that would raise the window by
// growth, and returns by how much it may, and whether slow start is over.
func (h *hystart) acked(a Ack, growth int) (int, bool) {
	over := false
	if a.RTT > 0 {
		over = h.sample(a.Now, a.RTT)
	}
	if h.baseline > 0 {
		growth /= hystartGrowth
	}
	return growth, over
}

// sample handles a round trip and reports whether slow start is over.
func (h *hystart) sample(now, rtt time.Duration) bool {
	if now-rtt >= h.round {
		h.round = now
		h.last, h.current, h.samples = h.current, 0, 0
		if h.baseline > 0 {
			h.rounds++
		}
	}
	if h.current == 0 || rtt < h.current {
		h.current = rtt
	}
	h.samples++
	switch {
	case h.samples < hystartSamples:
	case h.baseline > 0 && h.current < h.baseline:
		h.baseline = 0 // it was jitter
	case h.baseline == 0 && h.last > 0 && h.current >= h.last+h.threshold():
		h.baseline, h.rounds = h.current, 1
	}
	return h.baseline > 0 && h.rounds > hystartRounds
}

func (h *hystart) threshold() time.Duration {
	return min(max(h.last/hystartMinDivisor, hystartMinThreshold), hystartMaxThreshold)
}
