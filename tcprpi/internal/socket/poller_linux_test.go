package socket

import (
	"context"
	"os"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func newPoller(t *testing.T) *Poller {
	p, err := NewPoller(new(Meter))
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return p
}

// both runs a test for the two ways to wait.
func both(t *testing.T, test func(t *testing.T, p *Poller, wait func() error)) {
	t.Run("Wait", func(t *testing.T) {
		p := newPoller(t)
		test(t, p, func() error { return p.Wait(context.Background()) })
	})
	t.Run("Block", func(t *testing.T) {
		p := newPoller(t)
		test(t, p, p.Block)
	})
}

func TestWakeEndsAWaitOrTheNext(t *testing.T) {
	both(t, func(t *testing.T, p *Poller, wait func() error) {
		for range 200 {
			go p.Wake()
			require.NoError(t, wait())
		}
	})
}

// While Go's only processor is busy its network poller is not asked.
func TestRouseNeedsNoNetworkPoller(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const few = 1000 // it takes one; each 10 ms the scheduler's monitor asks the poller
	both(t, func(t *testing.T, p *Poller, wait func() error) {
		waits := func() bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			return p.place == atGate
		}
		for range 20 {
			var over atomic.Bool
			done := make(chan error, 1)
			go func() {
				done <- wait()
				over.Store(true)
			}()
			for !waits() {
				runtime.Gosched()
			}
			runtime.Gosched()
			p.Rouse()
			require.False(t, over.Load(), "it has not been woken")
			p.Wake()
			p.Rouse()
			yields := 0
			for ; !over.Load(); yields++ {
				runtime.Gosched()
			}
			require.Less(t, yields, few)
			require.NoError(t, <-done)
		}
	})
}

func TestCloseEndsAWait(t *testing.T) {
	both(t, func(t *testing.T, p *Poller, wait func() error) {
		done := make(chan error)
		go func() {
			var err error
			for err == nil {
				err = wait()
			}
			done <- err
		}()
		p.Close()
		require.ErrorIs(t, <-done, os.ErrClosed)
	})
}

func TestAnArrivalEndsAWait(t *testing.T) {
	both(t, func(t *testing.T, p *Poller, wait func() error) {
		fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
		require.NoError(t, err)
		defer unix.Close(fds[0])
		defer unix.Close(fds[1])
		const token uint64 = 1<<40 + 7
		require.NoError(t, p.Add(fds[0], token))
		_, err = p.Poll() // that it is writable
		require.NoError(t, err)
		for range 100 {
			go func() { _, _ = unix.Write(fds[1], []byte{1}) }()
			var events []Event
			for len(events) == 0 {
				require.NoError(t, wait())
				events, err = p.Poll()
				require.NoError(t, err)
			}
			require.Equal(t, token, events[0].Token)
			require.True(t, events[0].Readable)
			var b [1]byte
			_, err := unix.Read(fds[0], b[:])
			require.NoError(t, err)
		}
	})
}

// Of two that wait a Wake ends one: whoever begins to wait later sees that their context
// has ended.
func TestAWaitDoesNotBeginAfterItsContext(t *testing.T) {
	p := newPoller(t)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	p.Wake()
	require.NoError(t, p.Block(), "which the Wake has ended")
	require.NoError(t, p.Wait(ended))
}
