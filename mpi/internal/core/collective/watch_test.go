package collective

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// An operation that begins while the timer's function looks for operations, and is not seen, has a timer all the same.
func TestOperationsThatBeginDuringALookAreWatched(t *testing.T) {
	w, s := &watch{every: time.Hour}, &Space{size: 2}
	w.spaces = map[*Space]bool{s: true}
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
