package driver

import (
	"encoding/binary"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// newPlace returns the place for a descriptor, -1 for none.
func newPlace(fd int, calls *atomic.Uint64) (place, error) {
	if fd < 0 {
		return newChannelPlace(), nil
	}
	g := &gate{fd: fd, calls: calls, eventfd: -1, level: -1}
	if err := g.open(); err != nil {
		g.close()
		return nil, err
	}
	return g, nil
}

// gate is the place of a network with a descriptor: an epoll instance, which Go's network poller
// watches. So a goroutine that waits takes no thread. The gate is open only while it waits: an
// arrival wakes no thread of a process that looks at the network by itself.
type gate struct {
	calls   *atomic.Uint64
	fd      int      // of the network
	level   int      // an epoll instance for waits on a thread: readable while the network's descriptor is, unless that is paused
	eventfd int      // by which wake ends a wait
	file    *os.File // the epoll instance
	raw     syscall.RawConn

	// The goroutine that waits has these. The functions are callbacks, made once.
	arm      func(epfd uintptr)
	disarm   func(epfd uintptr)
	change   func(epfd uintptr)
	check    func(epfd uintptr) bool
	drain    func(epfd uintptr)
	armed    bool      // the network's descriptor is watched, and has not fired
	fired    bool      // a descriptor has, or cannot be watched
	looked   bool      // check has been called
	deadline time.Time // that Go's poller has, unless it has passed
	passed   bool
	opened   [2]unix.EpollEvent
	polled   [2]unix.PollFd // of keepThread

	mu     sync.Mutex // held in calls of wanted, setQuiet, signal and change
	at     position
	woken  bool
	roused bool // Go's poller has a deadline that has passed
	paused bool // see place.pause
	quiet  bool // level does not watch the network's descriptor
	closed bool
}

// position is where the goroutine is.
type position uint8

const (
	elsewhere position = iota
	waiting
	inNetworkPoller
)

func (g *gate) open() (err error) {
	if g.eventfd, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK); err != nil {
		return os.NewSyscallError("eventfd", err)
	}
	epfd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return os.NewSyscallError("epoll_create1", err)
	}
	err = unix.SetNonblock(epfd, true) // tells os.NewFile that it can be polled
	g.file = os.NewFile(uintptr(epfd), "epoll")
	if err != nil {
		return os.NewSyscallError("fcntl", err)
	}
	if g.raw, err = g.file.SyscallConn(); err != nil {
		return err
	}
	for fd, events := range map[int]uint32{g.fd: unix.EPOLLONESHOT, g.eventfd: unix.EPOLLIN | unix.EPOLLET} {
		if err := unix.EpollCtl(epfd, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: events, Fd: int32(fd)}); err != nil {
			return os.NewSyscallError("epoll_ctl", err)
		}
	}
	if g.level, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return os.NewSyscallError("epoll_create1", err)
	}
	if err := unix.EpollCtl(g.level, unix.EPOLL_CTL_ADD, g.fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(g.fd)}); err != nil {
		return os.NewSyscallError("epoll_ctl", err)
	}
	g.arm = func(epfd uintptr) {
		g.mu.Lock()
		defer g.mu.Unlock()
		// If it fails the network tells what is wrong.
		g.armed, g.looked = g.watch(epfd, g.wanted()), false
		g.fired = !g.armed
	}
	g.disarm = func(epfd uintptr) { g.watch(epfd, 0) }
	g.change = func(epfd uintptr) { g.watch(epfd, g.wanted()) }
	g.check, g.drain = g.over, g.collect
	return nil
}

// watch has the network's descriptor watched for events until it has fired.
func (g *gate) watch(epfd uintptr, events uint32) (watched bool) {
	g.calls.Add(1)
	return unix.EpollCtl(int(epfd), unix.EPOLL_CTL_MOD, g.fd, &unix.EpollEvent{
		Events: events | unix.EPOLLONESHOT, Fd: int32(g.fd),
	}) == nil
}

// wanted are the events of the network's descriptor that end a wait.
func (g *gate) wanted() uint32 {
	if g.paused {
		return 0
	}
	return unix.EPOLLIN
}

// over is called by Go's network poller before it waits, and when something has happened. It
// reports whether the wait is over.
func (g *gate) over(epfd uintptr) bool {
	g.collect(epfd)
	return g.fired
}

// collect takes in what has happened.
func (g *gate) collect(epfd uintptr) {
	poll := pollOnce
	if g.looked {
		poll = pollResumed
	}
	g.looked = true
	g.calls.Add(1)
	n, _ := poll(epfd, g.opened[:])
	for _, e := range g.opened[:n] {
		g.fired = true
		if e.Fd == int32(g.fd) {
			g.armed = false
		} else {
			g.clear()
		}
	}
}

// clear makes the eventfd not readable again.
func (g *gate) clear() {
	var count [8]byte
	_, _ = unix.Read(g.eventfd, count[:])
}

func (g *gate) begin() (over bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return true, rpi.ErrClosed
	}
	if g.woken {
		g.woken = false
		return true, nil
	}
	g.at = waiting
	return false, nil
}

func (g *gate) end() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.at, g.woken = elsewhere, false
	if g.closed {
		return rpi.ErrClosed
	}
	return nil
}

func (g *gate) wait(deadline time.Time, on thread) error {
	if on != anyThread && takeThread() {
		over := g.keepThread(deadline)
		giveThread()
		if over {
			return nil
		}
	}
	if on == ownThread {
		g.stay(deadline)
		return nil
	}
	if over, err := g.enter(deadline); over || err != nil {
		return err
	}
	err := g.raw.Control(g.arm)
	if err == nil {
		err = g.raw.Read(g.check)
	}
	if g.armed { // else an arrival would wake an idle thread later
		g.armed = false
		_ = g.raw.Control(g.disarm)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		g.passed, err = true, nil
	}
	return err
}

// keepThread waits for a while on the caller's thread, and reports whether the wait is over.
func (g *gate) keepThread(deadline time.Time) (over bool) {
	limit := longestOnThread
	if !deadline.IsZero() {
		limit = time.Until(deadline)
	}
	g.beginOnThread()
	ready, interrupted := waitOnThread(&g.polled, limit)
	if g.polled[1].Revents != 0 {
		g.clear()
	}
	return ready || interrupted
}

// beginOnThread makes ready what a thread waits for.
func (g *gate) beginOnThread() {
	g.polled = [2]unix.PollFd{{Fd: int32(g.level), Events: unix.POLLIN}, {Fd: int32(g.eventfd), Events: unix.POLLIN}}
	g.calls.Add(1)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.setQuiet()
}

// setQuiet has level watch the network's descriptor, or not.
func (g *gate) setQuiet() {
	if g.quiet == g.paused {
		return
	}
	g.calls.Add(1)
	if unix.EpollCtl(g.level, unix.EPOLL_CTL_MOD, g.fd, &unix.EpollEvent{Events: g.wanted(), Fd: int32(g.fd)}) == nil {
		g.quiet = g.paused
	}
}

func (g *gate) pause()  { g.setPaused(true) }
func (g *gate) resume() { g.setPaused(false) }

func (g *gate) setPaused(paused bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.paused = paused
	switch g.at {
	case waiting:
		g.setQuiet()
	case inNetworkPoller:
		_ = g.raw.Control(g.change)
	}
}

// stay waits on the caller's thread, in a system call that Go's scheduler knows of: another goroutine may have its processor.
func (g *gate) stay(deadline time.Time) {
	var timeout *unix.Timespec
	if !deadline.IsZero() {
		t := unix.NsecToTimespec(int64(max(time.Until(deadline), 0)))
		timeout = &t
	}
	g.beginOnThread()
	_, _ = unix.Ppoll(g.polled[:], timeout, nil) // if it fails the network tells what is wrong
	if g.polled[1].Revents != 0 {
		g.clear()
	}
}

// enter goes on in Go's network poller, unless the wait is over, and has it end the wait at the deadline, or before:
// deadlines mostly are those of retransmissions, put off with each acknowledgement, and Go's timers
// take long to be set.
func (g *gate) enter(deadline time.Time) (over bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.at = inNetworkPoller
	if g.roused {
		g.roused, g.passed = false, true
		if err := g.raw.Control(g.drain); err != nil { // the event of its wake
			return true, err
		}
	}
	if g.woken || g.closed {
		return true, nil
	}
	if !g.passed && (deadline.IsZero() || !g.deadline.IsZero() && !deadline.Before(g.deadline)) {
		return false, nil
	}
	g.deadline, g.passed = deadline, false
	return false, g.file.SetReadDeadline(deadline)
}

func (g *gate) wake() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.woken && !g.closed {
		g.woken = true
		g.signal()
	}
}

// signal ends the wait that is under way, if there is one.
func (g *gate) signal() {
	if g.at != elsewhere {
		_, _ = unix.Write(g.eventfd, one)
	}
}

// one is what adds one to an eventfd.
var one = binary.NativeEndian.AppendUint64(nil, 1)

func (g *gate) doorbell() int { return g.eventfd }

func (g *gate) rouse() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.at == inNetworkPoller && (g.woken || g.closed) && !g.roused {
		g.roused = true
		_ = g.file.SetReadDeadline(past)
	}
}

// past is a deadline that has passed.
var past = time.Unix(1, 0)

func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	g.signal()
}

func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.file != nil {
		g.file.Close()
		g.file = nil
	}
	for _, fd := range []*int{&g.eventfd, &g.level} {
		if *fd >= 0 {
			unix.Close(*fd)
			*fd = -1
		}
	}
}
