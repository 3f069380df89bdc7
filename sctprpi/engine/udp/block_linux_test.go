package udp

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/thread"
)

// Wherever a Wake finds Block, even where that stops to keep its thread, it makes it return.
func TestWakeEndsBlock(t *testing.T) {
	each(t, func(t *testing.T, v variant) {
		a := v.listen(t, loopback4)
		for i := range 400 {
			about, done := make(chan struct{}), make(chan error, 1)
			go func() {
				close(about)
				done <- a.Block(time.Time{})
			}()
			<-about
			begun := time.Now()
			for wait := thread.Longest + time.Duration(i-200)*time.Microsecond; time.Since(begun) < wait; {
			}
			a.Wake()
			select {
			case err := <-done:
				assert.NoError(t, err)
			case <-time.After(10 * time.Second):
				require.FailNow(t, "lost")
			}
		}
	})
}

// While Go's only processor is busy its network poller is not asked: a wake does without.
func TestAWakeNeedsNoNetworkPoller(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const few = 1000 // it takes one; each 10 ms the scheduler's monitor asks the poller
	each(t, func(t *testing.T, v variant) {
		a := v.listen(t, loopback4)
		n, ok := a.socket.(*native)
		if !ok {
			t.Skip("it waits elsewhere")
		}
		for _, wait := range waits {
			for i := range 20 {
				var deadline time.Time
				if i%2 == 1 {
					deadline = time.Now().Add(time.Hour)
				}
				var over atomic.Bool
				done := make(chan error, 1)
				go func() {
					var err error
					for woken := false; err == nil && !woken; {
						err = wait(a, deadline) // for the wake before it may return early
						woken = over.Load()
					}
					done <- err
				}()
				for n.waiter.state.Load() != parked {
					runtime.Gosched()
				}
				runtime.Gosched()
				over.Store(true)
				a.Wake()
				yields := 0
				for ; len(done) == 0; yields++ {
					runtime.Gosched()
				}
				require.Less(t, yields, few)
				require.NoError(t, <-done)
			}
		}
	})
}
