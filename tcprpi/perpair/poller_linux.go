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

	// What wait and its callback, made once, tell each other.
	poll  func(epfd uintptr) bool
	block bool
	n     int
	err   error
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
	p.poll = func(epfd uintptr) bool {
		p.n, p.err = unix.EpollWait(int(epfd), p.events, 0)
		return !p.block || p.n != 0 && p.err != unix.EINTR
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
// waits until there is something. It fails once the poller is closed. One
// goroutine calls it, and uses what it returns before the next call.
func (p *poller) wait(block bool) ([]event, error) {
	p.block = block
	err := p.raw.Read(p.poll)
	if err == nil && p.err != nil && p.err != unix.EINTR {
		err = os.NewSyscallError("epoll_wait", p.err)
	}
	if err != nil {
		return nil, err
	}
	p.ready = p.ready[:0]
	for _, e := range p.events[:max(p.n, 0)] {
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
