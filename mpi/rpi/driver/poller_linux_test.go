package driver

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// pipe is a network that has something when its pipe has, or a bell that rings.
type pipe struct {
	*Poller
	t        *testing.T
	fds      [2]int // -1 of a network without a descriptor
	deadline time.Time
}

func (p *pipe) Rest(bool) (deadline time.Time, ready bool) { return p.deadline, false }
func (p *pipe) Resume()                                    {}
func (p *pipe) Descriptor() int                            { return p.fds[0] }

// arrive makes something arrive.
func (p *pipe) arrive() {
	if p.fds[0] < 0 {
		p.Wake()
		return
	}
	_, err := unix.Write(p.fds[1], []byte{1})
	require.NoError(p.t, err)
}

// take takes in what has arrived.
func (p *pipe) take() (some bool) {
	n, _ := unix.Read(p.fds[0], make([]byte, 8))
	return n > 0 || p.fds[0] < 0
}

func newPipe(t *testing.T, fds [2]int) *pipe {
	p := &pipe{t: t, fds: fds}
	var err error
	p.Poller, err = NewPoller(p)
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return p
}

func withDescriptor(t *testing.T) *pipe {
	var fds [2]int
	require.NoError(t, unix.Pipe2(fds[:], unix.O_CLOEXEC|unix.O_NONBLOCK))
	t.Cleanup(func() { unix.Close(fds[0]); unix.Close(fds[1]) })
	return newPipe(t, fds)
}

// each runs a test for networks with a descriptor and without, and for both ways to wait.
func each(t *testing.T, test func(t *testing.T, p *pipe, wait func() error)) {
	eachOf(t, map[string]bool{"": false, ", keeping the thread": true}, test)
}

// eachOnTime is each for waits that do not return early. One that keeps its thread does when Go's
// scheduler interrupts it, as for a garbage collection.
func eachOnTime(t *testing.T, test func(t *testing.T, p *pipe, wait func() error)) {
	eachOf(t, map[string]bool{"": false}, test)
}

func eachOf(t *testing.T, ways map[string]bool, test func(t *testing.T, p *pipe, wait func() error)) {
	for name, keep := range ways {
		run := func(t *testing.T, p *pipe) {
			test(t, p, func() error { return p.Wait(context.Background(), true, keep) })
		}
		t.Run("descriptor"+name, func(t *testing.T) { run(t, withDescriptor(t)) })
		t.Run("no descriptor"+name, func(t *testing.T) { run(t, newPipe(t, [2]int{-1, -1})) })
	}
}

func TestWakeEndsAWaitOrTheNext(t *testing.T) {
	each(t, func(t *testing.T, p *pipe, wait func() error) {
		for range 200 {
			go p.Wake()
			require.NoError(t, wait())
		}
	})
}

func TestWakesBeforeAWaitCountOnce(t *testing.T) {
	eachOnTime(t, func(t *testing.T, p *pipe, wait func() error) {
		p.Wake()
		p.Wake()
		require.NoError(t, wait())
		p.deadline = time.Now().Add(time.Millisecond)
		require.NoError(t, wait())
		assert.False(t, time.Now().Before(p.deadline), "returned early")
	})
}

// A wake is not lost at the moment at which a wait gives its thread back.
func TestWakeEndsAWaitWhereverItIs(t *testing.T) {
	each(t, func(t *testing.T, p *pipe, wait func() error) {
		for i := range 400 {
			about, done := make(chan struct{}), make(chan error, 1)
			go func() {
				close(about)
				done <- wait()
			}()
			<-about
			begun := time.Now()
			for wait := longestOnThread + time.Duration(i-200)*time.Microsecond; time.Since(begun) < wait; {
			}
			p.Wake()
			require.NoError(t, <-done)
		}
	})
}

func TestAnArrivalEndsAWait(t *testing.T) {
	each(t, func(t *testing.T, p *pipe, wait func() error) {
		for i := range 300 {
			if i%3 == 0 {
				p.Wake()
				require.NoError(t, wait())
			}
			go p.arrive()
			for some := false; !some; some = p.take() {
				require.NoError(t, wait())
			}
		}
	})
}

func TestADeadlineEndsAWait(t *testing.T) {
	each(t, func(t *testing.T, p *pipe, wait func() error) {
		p.deadline = time.Now().Add(-time.Second)
		require.NoError(t, wait())
		for range 2 {
			p.deadline = time.Now().Add(5 * time.Millisecond)
			for time.Now().Before(p.deadline) {
				require.NoError(t, wait()) // a signal may end it early
			}
			p.deadline = time.Time{} // it is that of one wait
			p.Wake()
			require.NoError(t, wait())
		}
	})
}

// A deadline that is put off may end a wait, but one only.
func TestADeadlinePutOffEndsOneWaitAtMost(t *testing.T) {
	eachOnTime(t, func(t *testing.T, p *pipe, wait func() error) {
		for _, later := range []time.Time{{}, time.Now().Add(time.Hour)} {
			p.deadline = time.Now().Add(5 * time.Millisecond)
			p.Wake()
			require.NoError(t, wait())
			p.deadline = later
			woken, early := make(chan struct{}), -1
			time.AfterFunc(20*time.Millisecond, func() { close(woken); p.Wake() })
			for over := false; !over; early++ {
				require.NoError(t, wait())
				select {
				case <-woken:
					over = true
				default:
				}
			}
			assert.LessOrEqual(t, early, 1)
		}
	})
}

func TestCloseEndsAWait(t *testing.T) {
	each(t, func(t *testing.T, p *pipe, wait func() error) {
		done := make(chan error)
		go func() {
			var err error
			for err == nil {
				err = wait()
			}
			done <- err
		}()
		p.Close()
		require.ErrorIs(t, <-done, rpi.ErrClosed)
		require.ErrorIs(t, wait(), rpi.ErrClosed)
		p.Wake()
		p.Rouse()
		p.Close()
	})
}

// A Wake ends one wait: a goroutine that begins to wait later sees that its context has ended.
func TestAWaitDoesNotBeginAfterItsContext(t *testing.T) {
	each(t, func(t *testing.T, p *pipe, wait func() error) {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		p.Wake()
		require.NoError(t, wait(), "which the Wake has ended")
		require.NoError(t, p.Wait(ended, true, false))
	})
}

// While Go's only processor is busy its network poller is not asked.
func TestRouseNeedsNoNetworkPoller(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const few = 1000 // it takes one; each 10 ms the scheduler's monitor asks the poller
	p := withDescriptor(t)
	waits := func() bool {
		g := p.place.(*gate)
		g.mu.Lock()
		defer g.mu.Unlock()
		return g.at == inNetworkPoller
	}
	for i := range 20 {
		if p.deadline = (time.Time{}); i%2 == 1 {
			p.deadline = time.Now().Add(time.Hour)
		}
		var over atomic.Bool
		done := make(chan error, 1)
		go func() {
			done <- p.Wait(context.Background(), true, false)
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
}

// A Rouse may come when the wait that it is to end has ended by itself. The next wait takes in what that one has left.
func TestCloseEndsAWaitAfterALateRouse(t *testing.T) {
	g := withDescriptor(t).place.(*gate)
	begin := func() {
		over, err := g.begin()
		require.False(t, over)
		require.NoError(t, err)
	}
	begin()
	_, err := g.enter(time.Time{})
	require.NoError(t, err)
	g.wake()
	g.rouse()
	require.NoError(t, g.end())
	begin()
	g.shut()
	require.NoError(t, g.wait(time.Time{}, anyThread))
	require.ErrorIs(t, g.end(), rpi.ErrClosed)
}

// While no goroutine waits an arrival makes nothing ready that Go's network poller watches: that
// would wake an idle thread.
func TestAnArrivalWakesNoThreadWhileNoGoroutineWaits(t *testing.T) {
	p := withDescriptor(t)
	wait := func() { require.NoError(t, p.Wait(context.Background(), true, false)) }
	waitForArrival := func() {
		p.arrive()
		wait()
		p.take()
	}
	waitUntilWoken := func() {
		time.AfterFunc(time.Millisecond, p.Wake)
		wait()
	}
	waitUntilDeadline := func() {
		p.deadline = time.Now().Add(time.Millisecond)
		wait()
		p.deadline = time.Time{}
	}
	for _, wait := range []func(){waitForArrival, waitUntilWoken, waitUntilDeadline} {
		wait()
		p.arrive()
		require.NoError(t, p.place.(*gate).raw.Control(func(epfd uintptr) {
			n, err := unix.EpollWait(int(epfd), make([]unix.EpollEvent, 2), 0)
			require.NoError(t, err)
			assert.Zero(t, n)
		}))
		p.take()
	}
}

func TestWaitAllocatesNothing(t *testing.T) {
	p := withDescriptor(t)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		p.Wake()
		_ = p.Wait(context.Background(), true, false)
		p.deadline = time.Now().Add(time.Microsecond)
		_ = p.Wait(context.Background(), true, false)
	}))
}
