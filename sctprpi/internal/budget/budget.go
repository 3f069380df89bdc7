// Package budget bounds how often something is done that costs time and that strangers may ask for.
package budget

import "time"

// Budget is a token bucket. Use New.
type Budget struct {
	left, most float64
	rate       float64 // per second
	at         time.Duration
}

// New returns a full Budget, of most times at once, and of rate times a second in the long run.
func New(most int, rate float64) Budget {
	return Budget{left: float64(most), most: float64(most), rate: rate}
}

// Take takes one, if one is left. Times must not be before 0; the first one is that of a full Budget.
func (b *Budget) Take(now time.Duration) bool {
	if now > b.at {
		b.left, b.at = min(b.most, b.left+b.rate*(now-b.at).Seconds()), now
	}
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}
