package monitor

import (
	"bytes"
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
