package udp

import (
	"encoding/binary"
	"errors"
	"net"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/internal/thread"
)

// waiter waits for the socket: an epoll instance of our own, watched by Go's network
// poller, so that waiting takes a goroutine and not a thread. The socket is armed for
// one event, and only by who is about to wait.
//
// A wake makes a goroutine that waits there able to run by itself, by a deadline that has
// passed: Go does not ask its network poller while all its processors are busy.
type waiter struct {
	socket   *native
	file     *os.File // the epoll instance
	raw      syscall.RawConn
	eventfd  int
	deadline time.Time // that Go's poller has, unless there has been a wake
	passed   bool      // it has been found to
	state    atomic.Int32

	// What wait and its callback, made once, tell each other.
	poll     func(epfd uintptr) bool
	disarm   func(epfd uintptr)
	events   [1]unix.EpollEvent
	polled   [2]unix.PollFd // of keepThread
	armed    bool
	looked   bool // since it was armed
	readable bool
	err      error
}

// States of a waiter.
const (
	idle    int32 = iota
	parked        // in wait: by the deadline wake ends it
	polling       // in keepThread: by the eventfd wake ends it
	woken         // by wake, and that has not been heeded yet
)

func (w *waiter) open(n *native) error {
	epfd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return os.NewSyscallError("epoll_create1", err)
	}
	if err := unix.SetNonblock(epfd, true); err != nil { // tells os.NewFile that it can be polled
		unix.Close(epfd)
		return os.NewSyscallError("fcntl", err)
	}
	file := os.NewFile(uintptr(epfd), "epoll")
	eventfd, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		file.Close()
		return os.NewSyscallError("eventfd", err)
	}
	w.socket, w.file, w.eventfd, w.poll = n, file, eventfd, w.check
	w.disarm = func(epfd uintptr) { _ = w.arm(int(epfd), 0) }
	w.raw, err = file.SyscallConn()
	if err == nil {
		err = epollControl(epfd, unix.EPOLL_CTL_ADD, n.fd, unix.EPOLLONESHOT)
	}
	if err != nil {
		file.Close()
		unix.Close(eventfd)
	}
	return err
}

func epollControl(epfd, op, fd int, events uint32) error {
	return os.NewSyscallError("epoll_ctl", unix.EpollCtl(epfd, op, fd, &unix.EpollEvent{Events: events}))
}

// arm has the socket watched for events, once; without any, not at all.
func (w *waiter) arm(epfd int, events uint32) error {
	n := w.socket
	n.use.RLock()
	defer n.use.RUnlock()
	if n.closed {
		return net.ErrClosed
	}
	n.counters.waitCalls.Add(1)
	return epollControl(epfd, unix.EPOLL_CTL_MOD, n.fd, events|unix.EPOLLONESHOT)
}

// check is called by the network poller before it waits, and when something has
// happened. It returns whether the wait is over.
func (w *waiter) check(epfd uintptr) bool {
	if !w.armed {
		w.armed = true
		if w.err = w.arm(int(epfd), unix.EPOLLIN); w.err != nil {
			return true
		}
	}
	w.socket.counters.waitCalls.Add(1)
	poll := thread.Poll
	if w.looked {
		poll = thread.PollResumed
	}
	w.looked = true
	n, errno := poll(epfd, w.events[:])
	if errno != 0 && errno != unix.EINTR {
		w.err = os.NewSyscallError("epoll_wait", errno)
		return true
	}
	for _, e := range w.events[:n] {
		w.readable = true
		if e.Events&unix.EPOLLERR != 0 {
			w.socket.reader.errors.Store(true)
		}
	}
	return w.readable || w.state.Load() == woken
}

func (n *native) wait(deadline time.Time) error {
	w := &n.waiter
	if !w.state.CompareAndSwap(idle, parked) {
		w.state.Store(idle)
		return n.alive()
	}
	defer func() { w.passed = w.state.Swap(idle) == woken || w.passed }()
	if n.reader.kept.Load() {
		return n.alive()
	}
	if err := w.setDeadline(deadline); err != nil {
		return n.orClosed(err)
	}
	w.armed, w.looked, w.readable, w.err = false, false, false, nil
	err := w.raw.Read(w.poll)
	if err == nil {
		err = w.err
	}
	if w.armed && !w.readable {
		_ = w.raw.Control(w.disarm) // fails if closed, and so has Read
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		w.passed, err = true, nil
	}
	return n.orClosed(err)
}

// setDeadline makes sure that the wait ends at a deadline, or before: deadlines mostly are those
// of retransmissions, put off with each acknowledgement, and Go's timers take long to be set.
func (w *waiter) setDeadline(deadline time.Time) error {
	if !w.passed && (deadline.IsZero() || !w.deadline.IsZero() && !deadline.Before(w.deadline)) {
		return nil
	}
	w.deadline, w.passed = deadline, false
	return w.file.SetReadDeadline(deadline)
}

// alive fails if the socket is closed.
func (n *native) alive() error {
	n.use.RLock()
	defer n.use.RUnlock()
	if n.closed {
		return net.ErrClosed
	}
	return nil
}

// orClosed is err, unless that is because the socket is closed.
func (n *native) orClosed(err error) error {
	if closed := n.alive(); closed != nil {
		return closed
	}
	return err
}

func (n *native) wake() {
	w := &n.waiter
	switch w.state.Swap(woken) {
	case parked: // its deadline has been set, or it will see the state
		_ = w.file.SetReadDeadline(past)
	case polling:
		n.use.RLock()
		defer n.use.RUnlock()
		if !n.closed {
			_, _ = unix.Write(w.eventfd, one)
		}
	}
}

// past is a deadline that has passed.
var past = time.Unix(1, 0)

// one is what adds one to an eventfd.
var one = binary.NativeEndian.AppendUint64(nil, 1)
