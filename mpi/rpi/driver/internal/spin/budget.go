package spin

import "time"

const (
	// switchCost is about what it costs to block and be woken: two changes of context,
	// and the kernel's and Go's pollers between. Measured on Linux: 5 to 15 µs.
	switchCost = 10 * time.Microsecond
	// margin is how much later than usual a message may come before blocking is better.
	// A rank that blocks lets its peer wait for twice the cost of a switch, so that the peer
	// blocks too: half a round trip is 16 µs when both block, and 7 when both spin. With a margin
	// of 10 µs it was 8, as each disturbance had them block for a while.
	margin = 5 * switchCost
	// Longest is the longest time worth spinning for, however long waits are: beyond
	// it blocking costs a tenth more at most.
	Longest = 10 * switchCost
	// longestOversubscribed is the longest time where ranks share processors. They yield at each
	// look, which costs others little, and they wait longer for each other.
	longestOversubscribed = 10 * Longest
)

// budget is how long one kind of wait spins before it blocks (two-phase waiting; implicit
// co-scheduling, Arpaci-Dusseau): so long as it takes when the peer is running, which for
// a receive is what the message takes to come, and for a send what the round trip takes,
// and a margin on top. What takes longer comes from a peer that does something else, or is not
// running. Then another program may want the processor. The budget is learnt from the waits
// themselves, so it is about 0 where spinning is of no use.
type budget struct {
	fixed time.Duration // not 0: this is the budget; negative: no spinning
	mean  time.Duration // of waits that were short
	hits  float64       // the share of short waits, lately

	longest time.Duration
}

// spin returns how long to spin.
func (b *budget) spin() time.Duration {
	switch {
	case b.fixed != 0:
		return b.fixed
	case b.hits < leastHits:
		return switchCost
	}
	return min(2*b.mean+margin, b.longest)
}

// never reports that waits do not spin, so that nothing need be learnt.
func (b *budget) never() bool { return b.fixed < 0 }

// leastHits is what share of waits must have been short for others to spin for them.
const leastHits = 0.25

// learn learns from how long a wait was.
func (b *budget) learn(wait time.Duration) {
	short := 0.0
	if wait <= b.longest {
		short = 1
		b.mean += (wait - b.mean) / 8
	}
	b.hits += (short - b.hits) / 16
}
