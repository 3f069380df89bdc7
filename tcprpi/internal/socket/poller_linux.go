package socket

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/internal/thread"
)

// Event says what has become possible on a connection.
type Event struct {
	Token              uint64 // with which the connection was added
	Readable, Writable bool
	Hangup             bool // the peer's side is closed, or the connection broken
}

// Poller watches connections: an epoll instance, edge-triggered. Who waits does so at
// another one, the gate, that is watched by Go's network poller, so that waiting takes a
// goroutine and not a thread. The gate is open only while somebody waits: an arrival wakes
// no thread of a process that looks for itself. Go does not ask its network poller while all
// its processors are busy: then Rouse makes a goroutine able to run that waits at the gate and
// has been woken.
type Poller struct {
	meter   *Meter
	fd      int
	eventfd int
	gate    *os.File
	raw     syscall.RawConn
	// waiting is held by who waits. arm, check and drain are callbacks of Wait, made once.
	waiting sync.Mutex
	arm     func(gate uintptr)
	check   func(gate uintptr) bool
	drain   func(gate uintptr)
	fired   bool
	looked  bool // check has been called
	expired bool // the gate's deadline has passed, perhaps
	opened  [2]unix.EpollEvent
	polled  [2]unix.PollFd // of keepThread

	mu     sync.Mutex
	events []unix.EpollEvent
	ready  []Event // what has happened and has not been returned
	spare  []Event // what has been returned, for reuse
	place  place   // where somebody waits
	woken  bool
	closed bool
	err    error
}

// place is where somebody waits, and how a Wake gets there.
type place uint8

const (
	nowhere place = iota
	waits         // by the eventfd
	atGate        // the same, in Go's network poller
)

// NewPoller makes a poller whose system calls meter counts.
func NewPoller(meter *Meter) (*Poller, error) {
	p := &Poller{meter: meter, fd: -1, eventfd: -1, events: make([]unix.EpollEvent, 256)}
	if err := p.open(); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (p *Poller) open() (err error) {
	if p.fd, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return os.NewSyscallError("epoll_create1", err)
	}
	if p.eventfd, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK); err != nil {
		return os.NewSyscallError("eventfd", err)
	}
	gate, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return os.NewSyscallError("epoll_create1", err)
	}
	err = unix.SetNonblock(gate, true) // tells os.NewFile that it can be polled
	p.gate = os.NewFile(uintptr(gate), "epoll")
	if err != nil {
		return os.NewSyscallError("fcntl", err)
	}
	if p.raw, err = p.gate.SyscallConn(); err != nil {
		return err
	}
	for fd, events := range map[int]uint32{p.fd: unix.EPOLLONESHOT, p.eventfd: unix.EPOLLIN | unix.EPOLLET} {
		if err := unix.EpollCtl(gate, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: events, Fd: int32(fd)}); err != nil {
			return os.NewSyscallError("epoll_ctl", err)
		}
	}
	p.arm = func(gate uintptr) {
		err := unix.EpollCtl(int(gate), unix.EPOLL_CTL_MOD, p.fd, &unix.EpollEvent{
			Events: unix.EPOLLIN | unix.EPOLLONESHOT, Fd: int32(p.fd),
		})
		p.fired, p.looked = err != nil, false // then Poll tells what is wrong
	}
	p.drain = func(gate uintptr) { _, _ = thread.Poll(gate, p.opened[:]) }
	p.check = func(gate uintptr) bool {
		poll := thread.Poll
		if p.looked {
			poll = thread.PollResumed
		}
		p.looked = true
		n, _ := poll(gate, p.opened[:])
		p.fired = p.fired || n > 0
		return p.fired
	}
	return nil
}

// Add watches fd from now on, until it is closed. Its events carry token.
func (p *Poller) Add(fd int, token uint64) error { return p.control(unix.EPOLL_CTL_ADD, fd, token) }

// Rearm has the next Poll report what is possible on fd, even if nothing has
// happened since the last.
func (p *Poller) Rearm(fd int, token uint64) error { return p.control(unix.EPOLL_CTL_MOD, fd, token) }

func (p *Poller) control(op, fd int, token uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return os.ErrClosed
	}
	return os.NewSyscallError("epoll_ctl", unix.EpollCtl(p.fd, op, fd, &unix.EpollEvent{
		Events: unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLRDHUP | unix.EPOLLET,
		Fd:     int32(token), // the two halves of what comes back with the event
		Pad:    int32(token >> 32),
	}))
}

// Poll returns what has happened since the last call, and does not wait. It fails once
// the poller is closed. Callers take turns, and use what it returns before the next.
func (p *Poller) Poll() ([]Event, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, os.ErrClosed
	}
	p.collect()
	p.ready, p.spare = p.spare[:0], p.ready
	return p.spare, p.err
}

// collect takes over what has happened. mu is held.
func (p *Poller) collect() {
	if len(p.ready) > 0 {
		return
	}
	p.meter.Polls.Add(1)
	n, errno := thread.Poll(uintptr(p.fd), p.events)
	if errno != 0 && errno != unix.EINTR {
		p.err = os.NewSyscallError("epoll_wait", errno)
	}
	for _, e := range p.events[:n] {
		const broken = unix.EPOLLHUP | unix.EPOLLERR
		p.ready = append(p.ready, Event{
			Token:    uint64(uint32(e.Fd)) | uint64(uint32(e.Pad))<<32,
			Readable: e.Events&(unix.EPOLLIN|unix.EPOLLRDHUP|broken) != 0,
			Writable: e.Events&(unix.EPOLLOUT|broken) != 0,
			Hangup:   e.Events&(unix.EPOLLRDHUP|broken) != 0,
		})
	}
}

// Wait waits until Poll has something to return, or a Wake. It does not begin to wait when
// ctx has ended, which is not heeded later. It may return early, and fails once the poller
// is closed.
func (p *Poller) Wait(ctx context.Context) error {
	p.waiting.Lock()
	defer p.waiting.Unlock()
	if err := p.clearDeadline(); err != nil {
		return err
	}
	if done, err := p.over(atGate); done || ctx.Err() != nil {
		p.leave()
		return err
	}
	err := p.raw.Control(p.arm)
	if err == nil {
		p.meter.Polls.Add(1)
		err = p.raw.Read(p.check)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = nil
	}
	if _, failed := p.over(nowhere); failed != nil {
		return failed
	}
	return err
}

// over reports whether a wait is over, and how. If it is not, it goes on at a place. A Wake
// counts once.
func (p *Poller) over(next place) (done bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.place = nowhere
	if p.closed {
		return true, os.ErrClosed
	}
	p.collect()
	done = p.woken || len(p.ready) > 0 || p.err != nil
	p.woken = false
	if !done {
		p.place = next
	}
	return done, p.err
}

// clearDeadline takes back what Rouse has set for the wait before, which has not taken in the
// event of its Wake.
func (p *Poller) clearDeadline() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.expired || p.closed {
		return nil
	}
	p.expired = false
	return errors.Join(p.gate.SetReadDeadline(time.Time{}), p.raw.Control(p.drain))
}

// leave takes in that nobody waits.
func (p *Poller) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.place = nowhere
}

// Block is Wait for somebody who is in a hurry: it keeps the caller's thread, at first.
func (p *Poller) Block() error {
	if thread.Take() {
		over, err := p.keepThread()
		thread.Give()
		if over || err != nil {
			return err
		}
	}
	return p.Wait(context.Background())
}

// keepThread waits for a while and reports whether the wait is over.
func (p *Poller) keepThread() (over bool, err error) {
	p.waiting.Lock() // Close waits for it
	defer p.waiting.Unlock()
	if done, err := p.over(waits); done {
		return true, err
	}
	p.polled = [2]unix.PollFd{{Fd: int32(p.fd), Events: unix.POLLIN}, {Fd: int32(p.eventfd), Events: unix.POLLIN}}
	p.meter.Polls.Add(1)
	if _, interrupted := thread.Wait(&p.polled, thread.Longest); interrupted {
		p.leave()
		return true, nil
	}
	if p.polled[1].Revents != 0 {
		var count [8]byte
		_, _ = unix.Read(p.eventfd, count[:])
	}
	return p.over(nowhere)
}

// Wake makes a Wait or Block return: one that is under way, or the next.
func (p *Poller) Wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.woken && !p.closed {
		p.woken = true
		p.rouse()
	}
}

// rouse ends the wait that is under way, if there is one. mu is held.
func (p *Poller) rouse() {
	if p.place != nowhere {
		_, _ = unix.Write(p.eventfd, one)
	}
}

// Rouse has a Wait that has been woken return though Go's network poller is not asked: the
// goroutine becomes able to run by a deadline that has passed. Where the poller is asked a Wake
// is faster, as it lets this goroutine keep its processor.
func (p *Poller) Rouse() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.place == atGate && (p.woken || p.closed) && !p.expired {
		p.expired = true
		_ = p.gate.SetReadDeadline(past)
	}
}

// past is a deadline that has passed.
var past = time.Unix(1, 0)

// one is what adds one to an eventfd.
var one = binary.NativeEndian.AppendUint64(nil, 1)

// Close ends Wait and Block.
func (p *Poller) Close() {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return
	}
	p.closed = true
	p.rouse()
	p.mu.Unlock()
	p.waiting.Lock() // nobody is in Wait or Block
	defer p.waiting.Unlock()
	if p.gate != nil {
		p.gate.Close()
	}
	for _, fd := range []int{p.fd, p.eventfd} {
		if fd >= 0 {
			unix.Close(fd)
		}
	}
}
