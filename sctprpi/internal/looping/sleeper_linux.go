package looping

import (
	"encoding/binary"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// sleeper waits for a descriptor in a system call, which takes a thread.
type sleeper struct {
	fd    int
	state atomic.Int32
	// mu guards eventfd, by which wake ends a sleep, -1 when it is closed.
	mu      sync.Mutex
	eventfd int
}

// States of a sleeper.
const (
	awake int32 = iota
	asleep
	woken // and has not noticed
)

func (s *sleeper) open(fd int) (err error) {
	s.fd = fd
	s.eventfd, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	return os.NewSyscallError("eventfd", err)
}

// sleep waits until the descriptor is readable, until the deadline, or for a wake, which may have
// come before.
func (s *sleeper) sleep(deadline time.Time) { s.poll(s.fd, deadline) }

// sleepUntilWoken waits for a wake.
func (s *sleeper) sleepUntilWoken() { s.poll(-1, time.Time{}) }

func (s *sleeper) poll(fd int, deadline time.Time) {
	if s.state.CompareAndSwap(awake, asleep) {
		var timeout *unix.Timespec
		if !deadline.IsZero() {
			t := unix.NsecToTimespec(max(int64(time.Until(deadline)), 0))
			timeout = &t
		}
		fds := [2]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}, {Fd: int32(s.eventfd), Events: unix.POLLIN}}
		_, _ = unix.Ppoll(fds[:], timeout, nil) // if it is interrupted the loop goes round
		if fds[1].Revents != 0 {
			var count [8]byte
			_, _ = unix.Read(s.eventfd, count[:])
		}
	}
	s.state.Store(awake)
}

// wake ends a sleep, the one under way or the next.
func (s *sleeper) wake() {
	if s.state.Swap(woken) == asleep {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.eventfd >= 0 {
			_, _ = unix.Write(s.eventfd, one)
		}
	}
}

// one is what adds one to an eventfd.
var one = binary.NativeEndian.AppendUint64(nil, 1)

func (s *sleeper) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	unix.Close(s.eventfd)
	s.eventfd = -1
}
