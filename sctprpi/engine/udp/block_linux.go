package udp

import (
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// blockers counts the threads of the process that are in block. One processor at least is
// left to the other goroutines.
var blockers atomic.Int32

// longestBlock is how long a thread is kept. What takes longer is Go's poller's.
const longestBlock = 2 * time.Millisecond

// block is wait in a system call of the thread's own, of which Go's scheduler does not
// know: the poller, which the others use, costs a change of goroutine, and mostly of
// thread, on either side of the wait, and a system call that the scheduler knows of has it
// look every 20 µs for who could use the processor meanwhile. Should it need this one, for a
// garbage collection, its signal ends the call.
func (n *native) block(deadline time.Time) error {
	defer blockers.Add(-1)
	if int(blockers.Add(1)) >= runtime.GOMAXPROCS(0) {
		return n.wait(deadline)
	}
	over, err := n.poll(deadline)
	if over || err != nil {
		return err
	}
	return n.wait(deadline)
}

// poll waits for a while and reports whether the wait is over.
func (n *native) poll(deadline time.Time) (over bool, err error) {
	n.blocking.Lock() // close waits for it
	defer n.blocking.Unlock()
	w := &n.waiter
	if !w.state.CompareAndSwap(idle, waiting) {
		w.state.Store(idle)
		return true, n.alive()
	}
	defer w.state.Store(idle)
	if err := n.alive(); err != nil || n.reader.kept.Load() {
		return true, err
	}
	w.timeout = unix.NsecToTimespec(int64(longestBlock))
	if !deadline.IsZero() {
		w.timeout = unix.NsecToTimespec(int64(min(max(time.Until(deadline), 0), longestBlock)))
	}
	w.polled = [2]unix.PollFd{{Fd: int32(n.fd), Events: unix.POLLIN}, {Fd: int32(w.eventfd), Events: unix.POLLIN}}
	n.counters.waitCalls.Add(1)
	ready, _, errno := unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&w.polled)), uintptr(len(w.polled)),
		uintptr(unsafe.Pointer(&w.timeout)), 0, 0, 0)
	if errno != 0 { // EINTR: the scheduler wants something
		runtime.Gosched()
		return true, n.alive()
	}
	if w.polled[0].Revents&unix.POLLERR != 0 {
		n.reader.errors.Store(true)
	}
	if w.polled[1].Revents != 0 {
		n.use.RLock()
		if !n.closed {
			var count [8]byte
			_, _ = unix.Read(w.eventfd, count[:])
		}
		n.use.RUnlock()
	}
	return ready > 0, n.alive()
}

// unblock ends block, for a socket that is closed, and waits until it has ended.
func (n *native) unblock() {
	_, _ = unix.Write(n.waiter.eventfd, one)
	n.blocking.Lock()
	defer n.blocking.Unlock()
}
