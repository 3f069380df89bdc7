package window

import (
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOneAtATimeHasALatch(t *testing.T) {
	l, n := latch{new(atomic.Uint32)}, 0
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 10_000 {
				l.lock()
				n++
				l.unlock()
			}
		})
	}
	all.Wait()
	require.Equal(t, 40_000, n)
}

// A process that has ended with a latch does not keep it.
func TestTheLatchOfADeadProcessIsFree(t *testing.T) {
	dead := exec.Command(os.Args[0], "-test.run=^$")
	require.NoError(t, dead.Run())
	word := new(atomic.Uint32)
	word.Store(uint32(dead.Process.Pid))
	l := latch{word}
	l.lock()
	require.Equal(t, ownProcess, word.Load())
}
