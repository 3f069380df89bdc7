package guard

import "time"

// budget bounds how many datagrams of unknown IDs are tried: each takes some microseconds.
type budget struct {
	left, most float64
	at         time.Duration
}

// Per second, and beside those of all peers at once.
const (
	budgetRate  = 4096
	budgetSpare = 256
)

func newBudget(peers int) budget {
	most := float64(2*peers + budgetSpare)
	return budget{left: most, most: most}
}

// take takes one, if one is left.
func (b *budget) take(now time.Duration) bool {
	if now > b.at {
		b.left, b.at = min(b.most, b.left+budgetRate*(now-b.at).Seconds()), now
	}
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}
