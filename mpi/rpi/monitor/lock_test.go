package monitor

import (
	"bytes"
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

func TestTheLockIsHeldAfterACopy(t *testing.T) {
	l := New(nil)
	for _, size := range []int{0, 1, muchToCopy, muchToCopy + 1, 1 << 20} {
		src, dst := bytes.Repeat([]byte{7}, size), make([]byte, size)
		l.Lock()
		l.Copy(dst, src)
		l.Unlock() // which fails unless it is held
		require.Equal(t, src, dst)
	}
}
