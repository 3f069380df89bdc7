package guard

import "time"

// budget bounds how many datagrams are tried whose keys are yet to be derived: each takes some microseconds. Those of unknown IDs
// have one together. Each peer that is known and has not been heard has one of its own, so that strangers do not use it up.
type budget struct {
	left, most float64
	rate       float64 // per second
	at         time.Duration
}

const (
	strangerRate  = 4096
	strangerSpare = 256 // beside the first datagrams of all peers at once
	peerRate      = 64
	peerMost      = 16
)

func newBudget(most int, rate float64) budget {
	return budget{left: float64(most), most: float64(most), rate: rate}
}

// take takes one, if one is left.
func (b *budget) take(now time.Duration) bool {
	if now > b.at {
		b.left, b.at = min(b.most, b.left+b.rate*(now-b.at).Seconds()), now
	}
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}
