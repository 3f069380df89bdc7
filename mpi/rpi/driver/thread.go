package driver

import (
	"runtime"
	"sync/atomic"
)

var (
	// kept counts the threads of the process that are kept.
	kept atomic.Int32
	// ranks is how many goroutines of the process are ranks.
	ranks atomic.Int32
)

// AddRanks says that n more goroutines of this process are ranks, which wait for each other, or if
// n is negative, fewer. As long as there are at least as many as processors none keeps its thread,
// which another one could use.
func AddRanks(n int) { ranks.Add(int32(n)) }

// takeThread reports whether the caller may keep its thread in a system call of which Go's
// scheduler does not know, until giveThread. One processor at least is left to other goroutines.
func takeThread() bool {
	processors := int32(runtime.GOMAXPROCS(0))
	if ranks.Load() >= processors {
		return false
	}
	if kept.Add(1) < processors {
		return true
	}
	giveThread()
	return false
}

// giveThread ends what takeThread has begun.
func giveThread() { kept.Add(-1) }
