package rpitest

import (
	"math"
	"runtime"
)

// Allocations returns how many there are in a run of f, in the best of several rounds.
// testing.AllocsPerRun leaves the program one processor, on which event loops may starve,
// and pools grow by what they would have acknowledged. They grow too where the machine is
// busy, and after a collection: once, while what f allocates is there in each round.
// runs is how often f is called in all, a multiple of five.
func Allocations(runs int, f func()) float64 {
	const rounds = 5
	least := math.Inf(1)
	for range rounds {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range runs / rounds {
			f()
		}
		runtime.ReadMemStats(&after)
		least = min(least, float64(after.Mallocs-before.Mallocs)/float64(runs/rounds))
	}
	return least
}

// WholeAllocations is Allocations without what there is now and then: rounded down, as testing.AllocsPerRun's.
func WholeAllocations(runs int, f func()) float64 { return math.Floor(Allocations(runs, f)) }
