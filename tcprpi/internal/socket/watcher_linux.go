package socket

import (
	"os"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Event says what has become possible on a connection.
type Event struct {
	Token              uint64 // with which the connection was added
	Readable, Writable bool
	Hangup             bool // the peer's side is closed, or the connection broken
}

// Watcher watches connections: an epoll instance, edge-triggered. Its own descriptor is readable when
// something has happened to one of them.
type Watcher struct {
	meter *Meter

	mu     sync.Mutex
	fd     int // -1: closed
	raw    []unix.EpollEvent
	events []Event // what Poll has returned
}

// NewWatcher makes a Watcher whose system calls meter counts.
func NewWatcher(meter *Meter) (*Watcher, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	return &Watcher{meter: meter, fd: fd, raw: make([]unix.EpollEvent, 256)}, nil
}

// Descriptor is the Watcher's own, -1 if there is no Watcher.
func (p *Watcher) Descriptor() int {
	if p == nil {
		return -1
	}
	return p.fd
}

// Add watches fd from now on, until it is closed. Its events carry token.
func (p *Watcher) Add(fd int, token uint64) error { return p.control(unix.EPOLL_CTL_ADD, fd, token) }

// Rearm has the next Poll report what is possible on fd, even if nothing has
// happened since the last.
func (p *Watcher) Rearm(fd int, token uint64) error { return p.control(unix.EPOLL_CTL_MOD, fd, token) }

func (p *Watcher) control(op, fd int, token uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fd < 0 {
		return os.ErrClosed
	}
	return os.NewSyscallError("epoll_ctl", unix.EpollCtl(p.fd, op, fd, &unix.EpollEvent{
		Events: unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLRDHUP | unix.EPOLLET,
		Fd:     int32(token), // the two halves of what comes back with the event
		Pad:    int32(token >> 32),
	}))
}

// Poll returns what has happened since the last call, and does not wait. It fails once
// the Watcher is closed. Callers take turns, and use what it returns before the next.
func (p *Watcher) Poll() ([]Event, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fd < 0 {
		return nil, os.ErrClosed
	}
	p.meter.Polls.Add(1)
	// As it does not wait Go's scheduler need not know of it.
	n, _, errno := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.fd), uintptr(unsafe.Pointer(&p.raw[0])), uintptr(len(p.raw)), 0, 0, 0)
	if errno == unix.EINTR {
		return nil, nil
	}
	if errno != 0 {
		return nil, os.NewSyscallError("epoll_wait", errno)
	}
	p.events = p.events[:0]
	for _, e := range p.raw[:n] {
		const broken = unix.EPOLLHUP | unix.EPOLLERR
		p.events = append(p.events, Event{
			Token:    uint64(uint32(e.Fd)) | uint64(uint32(e.Pad))<<32,
			Readable: e.Events&(unix.EPOLLIN|unix.EPOLLRDHUP|broken) != 0,
			Writable: e.Events&(unix.EPOLLOUT|broken) != 0,
			Hangup:   e.Events&(unix.EPOLLRDHUP|broken) != 0,
		})
	}
	return p.events, nil
}

// Close ends the watch. No goroutine may wait for the descriptor any more.
func (p *Watcher) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fd >= 0 {
		unix.Close(p.fd)
		p.fd = -1
	}
}
