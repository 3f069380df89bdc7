package kernel

import (
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ishidawataru/sctp"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/internal/backlog"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// endpoint is a socket.
type endpoint struct {
	config Config
	fd     int
	udp    uint16 // where the kernel takes packets in UDP, 0 if it does not
	addrs  []socket.Addr

	// use is read-locked while the descriptor is used, so that it is not closed
	// meanwhile. Calls made under it do not block.
	use  sync.RWMutex
	shut bool

	// reading is held while the socket is read, or associations are begun, so that
	// nothing is read of one that is not known yet. It comes before mu.
	reading sync.Mutex
	reader  reader
	// refusing: associations that peers begin are refused, as there are enough.
	// encap is the UDP port that new associations get.
	refusing bool
	encap    uint16

	// mu guards what follows, and all associations. No system call is made while
	// it is held.
	mu     sync.Mutex
	assocs map[socket.AssocID]*association
	// backlog are those whose peers are not known, and that may stay, nil if that makes
	// no difference. unauthenticated counts them until they have ended.
	backlog         *backlog.Backlog
	unauthenticated int
	queue           queue
	// err is what made the socket unusable.
	err    error
	closed bool
	// resting: the driver waits, for events too, and is to be woken by wake.
	resting bool
	wake    func()
	// stalled are associations for which something has to be tried again, by retry,
	// when timer fires, for which armed says that it is set.
	stalled []*association
	timer   *time.Timer
	armed   bool
	pause   time.Duration
	// watcher takes the pulses of peers, and watching says that it is set.
	watcher  *time.Timer
	watching bool

	// early counts records that have come before their turn: see ordering.
	early atomic.Int32

	// calls counts system calls that move messages.
	calls atomic.Uint64

	closing sync.Once
}

var _ interface {
	socket.Core
	socket.StreamScheduler
	socket.Meter
	socket.Authenticator
} = (*endpoint)(nil)

// SystemCalls implements socket.Meter.
func (e *endpoint) SystemCalls() uint64 { return e.calls.Load() }

func newEndpoint(c Config, fd int, udp uint16) *endpoint {
	e := &endpoint{
		config: c, fd: fd, udp: udp, assocs: make(map[socket.AssocID]*association), pause: shortPause,
		wake: func() {},
	}
	if n := c.MaxUnauthenticated; n > 0 {
		e.backlog = backlog.New(n)
	}
	e.reader.init()
	e.timer = time.AfterFunc(time.Hour, e.retry)
	e.timer.Stop()
	e.watcher = time.AfterFunc(time.Hour, e.takePulses)
	e.watcher.Stop()
	return e
}

// using calls do with the descriptor, unless that is closed.
func (e *endpoint) using(do func(fd int) error) error {
	e.use.RLock()
	defer e.use.RUnlock()
	if e.shut {
		return socket.ErrClosed
	}
	return do(e.fd)
}

// learnAddrs asks for the addresses that the socket is bound to.
func (e *endpoint) learnAddrs() error {
	bound, err := localAddrs(e.fd)
	for _, a := range bound {
		addr := socket.Addr{IP: a.Addr(), Port: a.Port()}
		if e.config.Encapsulated {
			addr.UDP = e.udp
		}
		e.addrs = append(e.addrs, addr)
	}
	return err
}

// LocalAddrs returns the addresses that the socket is bound to.
func (e *endpoint) LocalAddrs() []socket.Addr { return e.addrs }

func localAddrs(fd int) ([]netip.AddrPort, error) { return addrList(fd, sctp.SCTP_GET_LOCAL_ADDRS, 0) }

// Close aborts all associations and closes the socket. No rest may be under way.
func (e *endpoint) Close() (err error) {
	e.closing.Do(func() {
		e.mu.Lock()
		e.closed = true
		e.timer.Stop()
		e.watcher.Stop()
		e.announce()
		e.mu.Unlock()

		e.reading.Lock() // a goroutine that reads has finished
		e.reader.drop()
		e.reading.Unlock()
		e.use.Lock()
		e.shut = true
		err = os.NewSyscallError("close", unix.Close(e.fd))
		e.use.Unlock()

		e.mu.Lock()
		e.queue.drop()
		clear(e.assocs)
		e.stalled = nil
		e.mu.Unlock()
	})
	return err
}

// state returns an error if the socket cannot be used any more.
func (e *endpoint) state() error {
	if e.closed {
		return socket.ErrClosed
	}
	return e.err
}

// get returns an association.
func (e *endpoint) get(id socket.AssocID) (*association, error) {
	if e.closed {
		return nil, socket.ErrClosed
	}
	if a := e.assocs[id]; a != nil {
		return a, nil
	}
	return nil, socket.ErrAssoc
}

// push queues an event.
func (e *endpoint) push(a *association, event socket.Event) {
	if e.closed {
		event.Release()
		return
	}
	event.Assoc = a.id
	e.queue.push(entry{event, a})
}
