package kernel

import (
	"errors"
	"os"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// poller waits for the socket: an epoll instance of our own, watched by Go's network
// poller, so that waiting takes a goroutine and not a thread. The socket is armed for
// one event, and only by who is about to wait: Go's poller itself would be woken by
// each chunk that is acknowledged.
type poller struct {
	fd   int
	file *os.File // the epoll instance
	raw  syscall.RawConn

	// What wait and its callback, made once, tell each other.
	check  func(epfd uintptr) bool
	events [1]unix.EpollEvent
	armed  bool
	err    error
	calls  atomic.Uint64
}

func (p *poller) open(fd int) error {
	epfd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return os.NewSyscallError("epoll_create1", err)
	}
	if err := unix.SetNonblock(epfd, true); err != nil { // tells os.NewFile that it can be polled
		unix.Close(epfd)
		return os.NewSyscallError("fcntl", err)
	}
	p.fd, p.file, p.check = fd, os.NewFile(uintptr(epfd), "epoll"), p.ready
	p.raw, err = p.file.SyscallConn()
	if err == nil {
		err = p.control(epfd, unix.EPOLL_CTL_ADD, 0)
	}
	if err != nil {
		p.file.Close()
	}
	return err
}

func (p *poller) control(epfd, op int, events uint32) error {
	p.calls.Add(1)
	err := unix.EpollCtl(epfd, op, p.fd, &unix.EpollEvent{Events: events | unix.EPOLLONESHOT})
	return os.NewSyscallError("epoll_ctl", err)
}

// ready is called by the network poller before it waits, and when something has
// happened. It returns whether the wait is over.
func (p *poller) ready(epfd uintptr) bool {
	if !p.armed {
		p.armed = true
		if p.err = p.control(int(epfd), unix.EPOLL_CTL_MOD, unix.EPOLLIN); p.err != nil {
			return true
		}
	}
	p.calls.Add(1)
	n, err := unix.EpollWait(int(epfd), p.events[:], 0)
	if err != nil && err != unix.EINTR {
		p.err = os.NewSyscallError("epoll_wait", err)
	}
	return n > 0 || p.err != nil
}

// wait waits until there is something to read. Its error says that it is closed.
func (p *poller) wait() error {
	p.armed, p.err = false, nil
	return errors.Join(p.raw.Read(p.check), p.err)
}

// close makes wait return.
func (p *poller) close() error { return p.file.Close() }
