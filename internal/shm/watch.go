package shm

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// watches are what goroutines that look at the inbox look at too: memory that is not this package's, and that peers write. A goroutine that
// is about to sleep says so in the inbox first, and then looks once more. A peer writes first, and then looks whether this rank sleeps. So
// one of them sees the other.
type watches struct {
	some atomic.Int32
	lost atomic.Int32 // peers that were attached
	mu   sync.Mutex
	all  []rpi.Watched
}

// Watch implements rpi.MemorySharer.
func (l *Link) Watch(w rpi.Watched) {
	l.watches.mu.Lock()
	defer l.watches.mu.Unlock()
	l.watches.all = append(l.watches.all, w)
	l.watches.some.Add(1)
}

// Unwatch implements rpi.MemorySharer.
func (l *Link) Unwatch(w rpi.Watched) {
	l.watches.mu.Lock()
	defer l.watches.mu.Unlock()
	if i := slices.Index(l.watches.all, w); i >= 0 {
		l.watches.remove(i)
	}
}

// remove ends the watch with this place. mu is held.
func (w *watches) remove(i int) {
	w.all = slices.Delete(w.all, i, i+1)
	w.some.Add(-1)
}

// take takes what has arrived, and reports whether that is anything.
func (w *watches) take() (some bool) {
	if w.some.Load() == 0 {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := 0; i < len(w.all); {
		one := w.all[i]
		if !one.Arrived() {
			i++
			continue
		}
		w.remove(i)
		one.Take()
		some = true
	}
	return some
}

// lose takes all, as a peer that was attached is not any more.
func (w *watches) lose() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lost.Add(1)
	for _, one := range w.all {
		one.Take()
	}
	clear(w.all)
	w.all = w.all[:0]
	w.some.Store(0)
}

// arrived reports whether there is something to take.
func (w *watches) arrived() bool {
	if w.some.Load() == 0 {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.all, rpi.Watched.Arrived)
}

// HasMemory implements rpi.MemorySharer.
func (l *Link) HasMemory(rank matching.Rank) bool {
	l.lock.Lock()
	defer l.lock.Unlock()
	p := l.peers[rank]
	return p != nil && p.stage == shared
}

// Lost implements rpi.MemorySharer.
func (l *Link) Lost() int { return int(l.watches.lost.Load()) }

// Rouse implements rpi.MemorySharer.
func (l *Link) Rouse(peers []matching.Rank) {
	l.lock.Lock()
	defer l.lock.Unlock()
	for _, rank := range peers {
		if p := l.peers[rank]; p != nil && p.stage == shared && p.notifier.Rouse() {
			l.bell(p)
		}
	}
}
