// Package heaptest measures, for tests, how much memory values take.
package heaptest

import "runtime"

// InUse returns how many bytes of the heap are in use. What is in a sync.Pool goes with the
// second collection.
func InUse() int {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// Of returns how many bytes of the heap each of n values takes that produce returns.
func Of[T any](n int, produce func() T) int {
	values := make([]T, n)
	before := InUse()
	for i := range values {
		values[i] = produce()
	}
	held := InUse() - before
	runtime.KeepAlive(values)
	return held / n
}
