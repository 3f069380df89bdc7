package monitor

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnlockDoesWhatIsLeft(t *testing.T) {
	var l *Lock
	left, done := 0, 0
	l = New(func() {
		for ; left > 0; left-- {
			l.Leave() // to hand it over
			l.Enter()
			done++
		}
	})
	l.Lock()
	left = 3
	l.Leave()
	require.Zero(t, done)
	l.Enter()
	l.Unlock()
	require.Equal(t, 3, done)
}

// TestWaitingDoesWhatIsLeft: what a goroutine has left to do may be what it waits for.
func TestWaitingDoesWhatIsLeft(t *testing.T) {
	left, done := false, false
	var l *Lock
	work := func() {}
	l = New(func() { work() })
	changed := l.Condition()
	work = func() {
		if left {
			left, done = false, true
			changed.Broadcast()
		}
	}
	l.Lock()
	left = true
	for !done {
		changed.Wait()
	}
	l.Unlock()
}

func TestAWaitEndsWithItsContext(t *testing.T) {
	l := New(nil)
	changed := l.Condition()
	ctx, cancel := context.WithCancel(t.Context())
	defer WakeAtEnd(ctx, changed)()
	l.Lock()
	go cancel()
	for ctx.Err() == nil {
		changed.Wait()
	}
	l.Unlock()
	require.Error(t, ctx.Err())
}
