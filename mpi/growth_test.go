package mpi_test

import (
	"os"
	"runtime"
	"slices"
	"testing"
)

const (
	// settled is after how many random programs pools and caches have what they keep, and observed after how many more
	// it can be told that something grows.
	settled, observed = 10, 30
	// heapGrowth is by how many bytes the least heap of later programs may be larger than that of earlier ones. Two ranks over shared
	// memory have a quarter of a mega; observed programs that each leave one are found.
	heapGrowth = 4 << 20
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

// growth is what this process held after several programs. What a program has used goes some time after it has ended, with
// goroutines that end and cleanups that run after a collection. So one look may find much that is about to go: but what stays is
// there in every later look.
type growth struct {
	looks []held
	every int // programs from one look to the next
	left  int // programs to the next look
}

// looksKept bounds the looks: beyond it each second one is dropped, and there are half as many from then on.
const looksKept = 32

// ended notes that a program has ended.
func (g *growth) ended() {
	if g.left--; g.left > 0 {
		return
	}
	g.looks = append(g.looks, nowHeld())
	g.every = max(g.every, observed/6)
	if len(g.looks) == looksKept {
		for i := range looksKept / 2 {
			g.looks[i] = g.looks[2*i]
		}
		g.looks, g.every = g.looks[:looksKept/2], 2*g.every
	}
	g.left = g.every
}

// grown returns the least that was held in the first half of the looks, and in the second half, and whether something has grown from
// the one to the other.
func (g *growth) grown(programs int) (before, after held, grown bool) {
	half := len(g.looks) / 2
	before, after = least(g.looks[:half]), least(g.looks[half:])
	return before, after, after.heap > before.heap+heapGrowth || after.goroutines > before.goroutines+programs/4 ||
		after.descriptors > before.descriptors+programs/4
}

// least returns the least of each that looks have found.
func least(looks []held) held {
	of := func(what func(held) int) int {
		return what(slices.MinFunc(looks, func(a, b held) int { return what(a) - what(b) }))
	}
	return held{
		of(func(h held) int { return h.heap }), of(func(h held) int { return h.goroutines }), of(func(h held) int { return h.descriptors }),
	}
}

// check fails if each of so many programs may have left something.
func (g *growth) check(t *testing.T, programs int) {
	before, after, grown := g.grown(programs)
	t.Logf("%d programs, %d looks: at least %+v in the first half, %+v in the second", programs, len(g.looks), before, after)
	if grown {
		t.Errorf("memory, goroutines or descriptors have grown over %d programs: at least %+v in the first half, %+v in the second; looks: %+v",
			programs, before, after, g.looks)
	}
}

// What a program leaves is growth, however much comes and goes beside it; what comes and goes is none.
func TestGrowthIsWhatStays(t *testing.T) {
	const mega = 1 << 20
	looks := func(kept, goroutines int) *growth {
		g := new(growth)
		for i := range looksKept - 1 {
			h := held{12*mega + i*kept, 10 + i*goroutines, 20}
			if i%3 != 0 {
				h.heap += 109 * mega // of 12 to 121 MiB, as has been seen
			}
			g.looks = append(g.looks, h)
		}
		return g
	}
	for name, c := range map[string]struct {
		g     *growth
		grown bool
	}{
		"nothing stays":          {looks(0, 0), false},
		"late work at the end":   {&growth{looks: []held{{heap: 21 * mega}, {heap: 12 * mega}, {heap: 14 * mega}, {heap: 97 * mega}}}, false},
		"memory of programs":     {looks(mega, 0), true},
		"goroutines of programs": {looks(0, 10), true},
	} {
		if _, _, grown := c.g.grown(10 * looksKept); grown != c.grown {
			t.Errorf("%s: grown is %v", name, grown)
		}
	}
}

// A leak is found by looks at this process.
func TestALeakIsFound(t *testing.T) {
	const programs = 60
	var g growth
	var leaked [][]byte
	for range programs {
		leaked = append(leaked, make([]byte, 256<<10))
		g.ended()
	}
	_, _, grown := g.grown(programs)
	runtime.KeepAlive(leaked)
	if !grown {
		t.Errorf("256 KiB of each program stay, and no look has found them: %+v", g.looks)
	}
}
