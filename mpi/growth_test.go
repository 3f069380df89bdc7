package mpi_test

import (
	"os"
	"runtime"
	"testing"
)

const (
	// settled is after how many random programs pools and caches have what they keep, and observed after how many more
	// it can be told that something grows.
	settled, observed = 10, 30
	// heapGrowth is by how many bytes the heap may differ: programs that have had long messages leave longer buffers.
	heapGrowth = 64 << 20
)

// held is what this process has of memory in bytes, of goroutines, and of descriptors where they can be counted.
type held struct{ heap, goroutines, descriptors int }

func nowHeld() held {
	runtime.GC()
	runtime.GC() // what pools have is free after the second
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	descriptors, _ := os.ReadDir("/proc/self/fd")
	return held{int(m.HeapAlloc), runtime.NumGoroutine(), len(descriptors)}
}

// checkGrowth fails if each of so many programs may have left something: goroutines and descriptors of the last ones may be
// about to end.
func (before held) checkGrowth(t *testing.T, programs int) {
	now := nowHeld()
	t.Logf("%d programs: %+v before, %+v after", programs, before, now)
	if now.heap > before.heap+heapGrowth || now.goroutines > before.goroutines+programs/2 || now.descriptors > before.descriptors+programs/2 {
		t.Errorf("memory, goroutines or descriptors have grown over %d programs: %+v before, %+v after", programs, before, now)
	}
}
