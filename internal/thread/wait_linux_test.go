package thread

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestWaitEndsWhenADescriptorIsReadyOrTimeIsUp(t *testing.T) {
	var pipe [2]int
	require.NoError(t, unix.Pipe2(pipe[:], unix.O_CLOEXEC))
	defer unix.Close(pipe[0])
	defer unix.Close(pipe[1])
	fds := [2]unix.PollFd{{Fd: int32(pipe[0]), Events: unix.POLLIN}, {Fd: -1}}
	for limit, least := range map[time.Duration]time.Duration{-time.Second: 0, time.Millisecond: time.Millisecond, time.Hour: Longest} {
		begun := time.Now()
		ready, interrupted := Wait(&fds, limit)
		assert.False(t, ready)
		assert.True(t, interrupted || time.Since(begun) >= least)
	}
	_, err := unix.Write(pipe[1], []byte{1})
	require.NoError(t, err)
	ready, _ := Wait(&fds, 0)
	assert.True(t, ready)
	assert.EqualValues(t, unix.POLLIN, fds[0].Revents)
	assert.Zero(t, fds[1].Revents)
}

func TestPollDoesNotWait(t *testing.T) {
	testPoll(t, Poll)
	testPoll(t, PollResumed)
}

func testPoll(t *testing.T, poll func(epfd uintptr, events []unix.EpollEvent) (int, unix.Errno)) {
	var pipe [2]int
	require.NoError(t, unix.Pipe2(pipe[:], unix.O_CLOEXEC))
	defer unix.Close(pipe[0])
	defer unix.Close(pipe[1])
	epfd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	require.NoError(t, err)
	require.NoError(t, unix.EpollCtl(epfd, unix.EPOLL_CTL_ADD, pipe[0], &unix.EpollEvent{Events: unix.EPOLLIN, Fd: 7}))
	var events [2]unix.EpollEvent
	n, errno := poll(uintptr(epfd), events[:])
	assert.Zero(t, errno)
	assert.Zero(t, n)
	_, err = unix.Write(pipe[1], []byte{1})
	require.NoError(t, err)
	n, errno = poll(uintptr(epfd), events[:])
	assert.Zero(t, errno)
	assert.Equal(t, 1, n)
	assert.EqualValues(t, 7, events[0].Fd)
	require.NoError(t, unix.Close(epfd))
	_, errno = poll(uintptr(epfd), events[:])
	assert.Equal(t, unix.EBADF, errno)
}

// A request of the scheduler's to stop, which ends a Wait, is heeded: a collection takes no longer beside it than beside
// who computes, not even where so many threads want the processors that it takes long to see whether it has been.
func TestInterruptedWaitLetsTheSchedulerHaveItsWay(t *testing.T) {
	threads := 4 * runtime.NumCPU()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	long := func(beside func()) time.Duration {
		var over atomic.Bool
		var busy sync.WaitGroup
		for i := range threads - 1 {
			busy.Go(func() {
				for !over.Load() {
					if i == 0 {
						beside()
					}
				}
			})
		}
		var times []time.Duration
		for range 15 {
			begun := time.Now()
			runtime.GC()
			times = append(times, time.Since(begun))
		}
		over.Store(true)
		busy.Wait()
		slices.Sort(times)
		return times[len(times)-3] // one disturbance is nothing
	}
	fds := [2]unix.PollFd{{Fd: -1}, {Fd: -1}}
	var usual, beside time.Duration
	for range 3 { // whatever else the machine does
		usual = long(func() {})
		if beside = long(func() { Wait(&fds, Longest) }); beside < 3*usual {
			return
		}
	}
	assert.Less(t, beside, 3*usual)
}
