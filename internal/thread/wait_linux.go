package thread

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Longest is how long a thread is kept. What takes longer is Go's poller's.
const Longest = 2 * time.Millisecond

// Wait waits for one of two descriptors, for at most limit and Longest, and reports whether one is ready: its Revents say
// which. If the scheduler needs the thread, as for a garbage collection, its signal ends the wait, interrupted. The next
// function called then lets it have its way, as long as that is not runtime.Gosched: who has been rescheduled is taken not
// to have been asked, and would be asked again, in vain if the asker is not there at the very moment.
func Wait(fds *[2]unix.PollFd, limit time.Duration) (ready, interrupted bool) {
	timeout := unix.NsecToTimespec(int64(min(max(limit, 0), Longest)))
	n, _, errno := unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(fds)), uintptr(len(fds)),
		uintptr(unsafe.Pointer(&timeout)), 0, 0, 0)
	if errno != 0 { // EINTR
		return false, true
	}
	return n > 0, false
}

// PollResumed is Poll for a goroutine that Go's network poller has just resumed: the scheduler sees the call. While all
// goroutines of a process wait, the scheduler's monitor goes to sleep, for up to a minute, and only a system call that the
// scheduler sees wakes it. Until then no goroutine that computes is preempted, and while one is ready to run the network
// poller is not asked.
func PollResumed(epfd uintptr, events []unix.EpollEvent) (int, unix.Errno) {
	n, _, errno := unix.Syscall6(unix.SYS_EPOLL_PWAIT, epfd, uintptr(unsafe.Pointer(&events[0])), uintptr(len(events)), 0, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

// Poll returns what has happened to the descriptors of an epoll instance, and does not wait.
func Poll(epfd uintptr, events []unix.EpollEvent) (int, unix.Errno) {
	n, _, errno := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, epfd, uintptr(unsafe.Pointer(&events[0])), uintptr(len(events)), 0, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}
