package thread

import (
	"runtime"
	"sync/atomic"
)

var (
	// kept counts the threads of the process that are kept.
	kept atomic.Int32
	// crowd is how many goroutines there are that wait for each other.
	crowd atomic.Int32
)

// Crowd says that there are n more goroutines of this process, or if n is negative less, that wait for each other. As long
// as there are no fewer than processors none may keep its thread, which another one could use.
func Crowd(n int) { crowd.Add(int32(n)) }

// Take reports whether a thread may be kept, until Give: one processor at least is left to the other goroutines.
func Take() bool {
	processors := int32(runtime.GOMAXPROCS(0))
	if crowd.Load() >= processors {
		return false
	}
	if kept.Add(1) < processors {
		return true
	}
	Give()
	return false
}

// Give ends what Take has begun.
func Give() { kept.Add(-1) }
