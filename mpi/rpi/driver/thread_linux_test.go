package driver

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
	for limit, least := range map[time.Duration]time.Duration{-time.Second: 0, time.Millisecond: time.Millisecond, time.Hour: longestOnThread} {
		begun := time.Now()
		ready, interrupted := waitOnThread(&fds, limit)
		assert.False(t, ready)
		assert.True(t, interrupted || time.Since(begun) >= least)
	}
	_, err := unix.Write(pipe[1], []byte{1})
	require.NoError(t, err)
	ready, _ := waitOnThread(&fds, 0)
	assert.True(t, ready)
	assert.EqualValues(t, unix.POLLIN, fds[0].Revents)
	assert.Zero(t, fds[1].Revents)
}

func TestPollDoesNotWait(t *testing.T) {
	testPoll(t, pollOnce)
	testPoll(t, pollResumed)
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

// A wait ends when the scheduler asks the thread to stop. So a garbage collection takes no longer beside it than beside
// goroutines that compute, even where many more threads want the processors than there are.
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
		if beside = long(func() { waitOnThread(&fds, longestOnThread) }); beside < 3*usual {
			return
		}
	}
	assert.Less(t, beside, 3*usual)
}
