package driver

import (
	"runtime"
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

// A wait ends when the scheduler asks the thread to stop, so that a garbage collection need not wait until it is over. Each collection
// asks, and comes at a moment of its own: most of the thread's time is within waits.
func TestTheSchedulerInterruptsAWait(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0))))
	var interrupted, over atomic.Bool
	var waiting sync.WaitGroup
	waiting.Go(func() {
		fds := [2]unix.PollFd{{Fd: -1}, {Fd: -1}}
		for !over.Load() {
			if _, ended := waitOnThread(&fds, longestOnThread); ended {
				interrupted.Store(true)
			}
		}
	})
	const enough = 1000
	collections := 0
	for ; !interrupted.Load() && collections < enough; collections++ {
		runtime.GC()
	}
	over.Store(true)
	waiting.Wait()
	assert.Less(t, collections, enough, "no wait was interrupted")
}
