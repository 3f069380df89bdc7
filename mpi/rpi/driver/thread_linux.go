package driver

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// These system calls are made on the caller's thread, and Go's scheduler does not know of them.
// Go's network poller, the other way to wait, costs a change of goroutine, and mostly of thread, at
// both ends of a wait. And while a thread is in a system call that the scheduler knows of, it looks
// every 20 µs whether another goroutine could use the processor.

// longestOnThread is how long a thread is kept. A longer wait goes on in Go's network poller.
const longestOnThread = 2 * time.Millisecond

// waitOnThread waits until one of two descriptors is ready, for limit and longestOnThread at most.
// It reports whether one is ready; its Revents say which. If the scheduler needs the thread, as for
// a garbage collection, its signal ends the wait, interrupted. The scheduler then gets its way at
// the next function call, but not at runtime.Gosched, after which it would ask again.
func waitOnThread(fds *[2]unix.PollFd, limit time.Duration) (ready, interrupted bool) {
	timeout := unix.NsecToTimespec(int64(min(max(limit, 0), longestOnThread)))
	n, _, errno := unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(fds)), uintptr(len(fds)),
		uintptr(unsafe.Pointer(&timeout)), 0, 0, 0)
	if errno != 0 { // EINTR
		return false, true
	}
	return n > 0, false
}

// pollResumed is pollOnce for a goroutine that Go's network poller has just resumed: the scheduler
// sees the call. While all goroutines of a process wait, the scheduler's monitor sleeps, for up to
// a minute, and only a system call that the scheduler sees wakes it. Until then no goroutine that
// computes is preempted, and while one is able to run the network poller is not asked.
func pollResumed(epfd uintptr, events []unix.EpollEvent) (int, unix.Errno) {
	n, _, errno := unix.Syscall6(unix.SYS_EPOLL_PWAIT, epfd, uintptr(unsafe.Pointer(&events[0])), uintptr(len(events)), 0, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

// pollOnce returns what has happened to the descriptors of an epoll instance, and does not wait.
func pollOnce(epfd uintptr, events []unix.EpollEvent) (int, unix.Errno) {
	n, _, errno := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, epfd, uintptr(unsafe.Pointer(&events[0])), uintptr(len(events)), 0, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}
