package waiting

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// connection is one of TCP over loopback.
type connection struct{ near, far *os.File }

// waiter is a way to wait.
type waiter interface {
	// wait returns when a connection can be read from.
	wait() error
	close() error
}

func measure(call string, n int, duration time.Duration) (us float64, err error) {
	connections, err := connect(n)
	defer func() {
		for _, c := range connections {
			err = errors.Join(err, c.near.Close(), c.far.Close())
		}
	}()
	if err != nil {
		return 0, err
	}
	fds := make([]int, n)
	for i, c := range connections {
		fds[i] = int(c.near.Fd())
	}
	w, err := newWaiter(call, fds)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	random := rand.New(rand.NewPCG(1, uint64(n)))
	data := make([]byte, 1)
	var waited time.Duration
	calls := 0
	for begun := time.Now(); calls == 0 || time.Since(begun) < duration; calls++ {
		c := connections[random.IntN(n)]
		if _, err := c.far.Write(data); err != nil {
			return 0, err
		}
		before := time.Now()
		if err := w.wait(); err != nil {
			return 0, fmt.Errorf("%s: %w", call, err)
		}
		waited += time.Since(before)
		if _, err := c.near.Read(data); err != nil {
			return 0, err
		}
	}
	return float64(waited) / 1e3 / float64(calls), nil
}

// connect makes connections, whose files are no longer in the epoll of Go's runtime, which would take its time too.
func connect(n int) (all []connection, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	for range n {
		near, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			return all, err
		}
		defer near.Close()
		far, err := listener.Accept()
		if err != nil {
			return all, err
		}
		defer far.Close()
		var c connection
		if c.near, err = near.(*net.TCPConn).File(); err != nil {
			return all, err
		}
		if c.far, err = far.(*net.TCPConn).File(); err != nil {
			return all, errors.Join(err, c.near.Close())
		}
		all = append(all, c)
	}
	return all, nil
}

func newWaiter(call string, fds []int) (waiter, error) {
	switch call {
	case "select":
		return newSelecting(fds), nil
	case "poll":
		return &polling{fds: fds, set: make([]unix.PollFd, len(fds))}, nil
	case "epoll":
		return newEpolling(fds)
	}
	return nil, fmt.Errorf("%q is none of the calls %v", call, Calls)
}

// selecting waits by select(2). Its sets may be larger than the 1,024 descriptors of C's fd_set: the kernel minds only how many it is told.
type selecting struct {
	fds []int
	set []uint64
	n   int
}

func newSelecting(fds []int) *selecting {
	s := &selecting{fds: fds}
	for _, fd := range fds {
		s.n = max(s.n, fd+1)
	}
	s.set = make([]uint64, (s.n+63)/64)
	return s
}

func (s *selecting) wait() error {
	clear(s.set)
	for _, fd := range s.fds {
		s.set[fd/64] |= 1 << (fd % 64)
	}
	for {
		_, _, e := unix.Syscall6(unix.SYS_PSELECT6, uintptr(s.n), uintptr(unsafe.Pointer(&s.set[0])), 0, 0, 0, 0)
		switch e {
		case 0:
			return nil
		case unix.EINTR:
		default:
			return e
		}
	}
}

func (*selecting) close() error { return nil }

// polling waits by poll(2).
type polling struct {
	fds []int
	set []unix.PollFd
}

func (p *polling) wait() error {
	for i, fd := range p.fds {
		p.set[i] = unix.PollFd{Fd: int32(fd), Events: unix.POLLIN}
	}
	for {
		if _, err := unix.Poll(p.set, -1); err != unix.EINTR {
			return err
		}
	}
}

func (*polling) close() error { return nil }

// epolling waits by epoll(7), which is told of the connections once.
type epolling struct {
	fd     int
	events [1]unix.EpollEvent
}

func newEpolling(fds []int) (*epolling, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	for _, c := range fds {
		if err := unix.EpollCtl(fd, unix.EPOLL_CTL_ADD, c, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(c)}); err != nil {
			return nil, errors.Join(os.NewSyscallError("epoll_ctl", err), unix.Close(fd))
		}
	}
	return &epolling{fd: fd}, nil
}

func (e *epolling) wait() error {
	for {
		if _, err := unix.EpollWait(e.fd, e.events[:], -1); err != unix.EINTR {
			return err
		}
	}
}

func (e *epolling) close() error { return unix.Close(e.fd) }
