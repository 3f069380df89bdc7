package processor

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A thread that may use one processor is on that one.
func TestCurrentIsTheProcessorOfThePinnedThread(t *testing.T) {
	done := make(chan struct{})
	go func() { // its thread ends with it: the goroutine never unlocks it
		defer close(done)
		runtime.LockOSThread()
		var all unix.CPUSet
		if !assert.NoError(t, unix.SchedGetaffinity(0, &all)) {
			return
		}
		for cpu := range 64 * len(all) {
			if !all.IsSet(cpu) {
				continue
			}
			var one unix.CPUSet
			one.Set(cpu)
			if !assert.NoError(t, unix.SchedSetaffinity(0, &one)) {
				return
			}
			assert.Equal(t, cpu, Current())
			assert.Equal(t, cpu, getcpu())
		}
	}()
	<-done
	require.NotEqual(t, Unknown, Current())
}

func BenchmarkCurrent(b *testing.B) {
	for b.Loop() {
		Current()
	}
}
