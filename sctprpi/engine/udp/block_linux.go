package udp

import (
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// blockers counts the threads of the process that are in block: no more than there are
// processors gain by it.
var blockers atomic.Int32

// block is wait in a system call of the thread's own. Go's poller, which the others use,
// costs a change of goroutine, and mostly of thread, on either side of the wait.
func (n *native) block(deadline time.Time) error {
	defer blockers.Add(-1)
	if int(blockers.Add(1)) > runtime.GOMAXPROCS(0) {
		return n.wait(deadline)
	}
	n.blocking.Lock() // close waits for it
	defer n.blocking.Unlock()
	w := &n.waiter
	if !w.state.CompareAndSwap(idle, waiting) {
		w.state.Store(idle)
		return n.alive()
	}
	defer w.state.Store(idle)
	if n.reader.kept.Load() || n.alive() != nil {
		return n.alive()
	}
	var timeout *unix.Timespec
	if !deadline.IsZero() {
		left := unix.NsecToTimespec(int64(max(time.Until(deadline), 0)))
		timeout = &left
	}
	w.polled = [2]unix.PollFd{{Fd: int32(n.fd), Events: unix.POLLIN}, {Fd: int32(w.eventfd), Events: unix.POLLIN}}
	_, err := unix.Ppoll(w.polled[:], timeout, nil)
	if err != nil && err != unix.EINTR {
		return os.NewSyscallError("ppoll", err)
	}
	if w.polled[0].Revents&unix.POLLERR != 0 {
		n.reader.errors.Store(true)
	}
	if w.polled[1].Revents != 0 {
		var count [8]byte
		_, _ = unix.Read(w.eventfd, count[:])
	}
	return n.alive()
}

// unblock ends block, for a socket that is closed, and waits until it has ended.
func (n *native) unblock() {
	_, _ = unix.Write(n.waiter.eventfd, one)
	n.blocking.Lock()
	defer n.blocking.Unlock()
}
