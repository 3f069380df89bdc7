package rank

import (
	"sync"
	"time"
)

// burn computes one unit, in registers: some ten nanoseconds of a core. It is not inlined, as the
// compiler could then leave it out where its result is not used.
//
//go:noinline
func burn(x uint64) uint64 {
	for range 8 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

// unit is the time of burn on an otherwise idle core, in nanoseconds: the least of several tries. Work
// that is counted in units takes longer when another program has the core. A loop that ends by the clock
// would not.
var unit = sync.OnceValue(func() float64 {
	const units = 6400
	best := time.Duration(1<<63 - 1)
	for range 20 {
		begun := time.Now()
		compute(units)
		best = min(best, time.Since(begun))
	}
	return max(float64(best), 1) / units
})

// compute computes a number of units.
func compute(units int) {
	x := uint64(1)
	for range units {
		x = burn(x)
	}
}

// increment counts to n: the computation of figure 4.9 of Majumder's thesis. An increment takes a cycle of the processor. The
// compiler leaves an empty loop as it is.
func increment(n int) {
	for x := 0; x < n; x++ {
	}
}

// inUnits returns how many units take the given time.
func inUnits(d time.Duration) int { return int(float64(d) / unit()) }
