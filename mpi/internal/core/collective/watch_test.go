package collective

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// An operation that begins while the timer's function looks for operations, and is not seen, has a timer all the same.
func TestOperationsThatBeginDuringALookAreWatched(t *testing.T) {
	w, s := new(watch), &Space{size: 2}
	w.add(s)
	w.every = time.Hour
	w.start()
	s.mu.Lock()
	looked := make(chan struct{})
	go func() {
		w.look()
		close(looked)
	}()
	for w.mu.TryLock() { // until it looks
		w.mu.Unlock()
		runtime.Gosched()
	}
	w.start()
	s.mu.Unlock()
	<-looked
	require.True(t, w.running.Load())
}

// A process that has left its job is not kept in memory until the timer would have looked.
func TestProcessesThatHaveLeftAreNotWatched(t *testing.T) {
	var p Process
	p.Left() // with no communicator
	p.watch.add(new(Space))
	p.watch.every = time.Hour
	p.watch.start()
	p.Left()
	require.False(t, p.watch.running.Load())
	require.False(t, p.watch.timer.Stop(), "the timer still runs")
}
