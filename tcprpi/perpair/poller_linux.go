package perpair

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/matching"
)

// event says what has become possible on the connection with a peer.
type event struct {
	peer               matching.Rank
	readable, writable bool
	hangup             bool // the peer's side is closed, or the connection broken
}

// poller watches connections: an epoll instance, edge-triggered, that is
// itself watched by Go's network poller, so that waiting takes a goroutine and
// not a thread, and one goroutine whatever the number of connections.
type poller struct {
	file   *os.File
	raw    syscall.RawConn
	events []unix.EpollEvent
	ready  []event
}

func newPoller() (*poller, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	if err := unix.SetNonblock(fd, true); err != nil { // tells os.NewFile that it can be polled
		unix.Close(fd)
		return nil, os.NewSyscallError("fcntl", err)
	}
	p := &poller{file: os.NewFile(uintptr(fd), "epoll"), events: make([]unix.EpollEvent, 256)}
	if p.raw, err = p.file.SyscallConn(); err != nil {
		p.file.Close()
		return nil, err
	}
	return p, nil
}

// add watches fd from now on, until it is closed.
func (p *poller) add(fd int, peer matching.Rank) error {
	var ctlErr error
	err := p.raw.Control(func(epfd uintptr) {
		ctlErr = unix.EpollCtl(int(epfd), unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{
			Events: unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLRDHUP | unix.EPOLLET,
			Fd:     int32(peer), // what comes back with the event
		})
	})
	if err == nil {
		err = os.NewSyscallError("epoll_ctl", ctlErr)
	}
	return err
}

// wait returns what has happened since the last call. If block is set it
// waits until there is something. It fails once the poller is closed.
func (p *poller) wait(block bool) ([]event, error) {
	var n int
	var waitErr error
	err := p.raw.Read(func(epfd uintptr) bool {
		n, waitErr = unix.EpollWait(int(epfd), p.events, 0)
		return !block || n != 0 && waitErr != unix.EINTR
	})
	if err == nil && waitErr != nil && waitErr != unix.EINTR {
		err = os.NewSyscallError("epoll_wait", waitErr)
	}
	if err != nil {
		return nil, err
	}
	p.ready = p.ready[:0]
	for _, e := range p.events[:max(n, 0)] {
		const broken = unix.EPOLLHUP | unix.EPOLLERR
		p.ready = append(p.ready, event{
			peer:     matching.Rank(e.Fd),
			readable: e.Events&(unix.EPOLLIN|unix.EPOLLRDHUP|broken) != 0,
			writable: e.Events&(unix.EPOLLOUT|broken) != 0,
			hangup:   e.Events&(unix.EPOLLRDHUP|broken) != 0,
		})
	}
	return p.ready, nil
}

func (p *poller) close() { p.file.Close() }
