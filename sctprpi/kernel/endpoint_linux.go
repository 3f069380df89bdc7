package kernel

import (
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket/backlog"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket/waiters"
)

// endpoint is a socket.
type endpoint struct {
	config Config
	fd     int
	udp    uint16 // where the kernel takes packets in UDP, 0 if it does not
	addrs  []socket.Addr

	// use is read-locked by whoever uses the descriptor, so that it is not closed
	// meanwhile. Calls made under it do not block.
	use  sync.RWMutex
	shut bool

	// reading is held by whoever reads the socket, or begins associations, so that
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
	// no difference. unknown counts them until they have ended.
	backlog *backlog.Backlog
	unknown int
	queue   queue
	// err is what made the socket unusable.
	err    error
	closed bool
	// waiters wait for events.
	waiters waiters.List
	// woken: Wake has been called, and nobody has returned from Wait for it.
	woken bool
	// stalled are associations for which something has to be tried again, by retry,
	// when timer fires, for which armed says that it is set.
	stalled []*association
	timer   *time.Timer
	armed   bool
	pause   time.Duration

	// early counts records that have come before their turn: see ordering.
	early atomic.Int32

	// calls counts system calls that move messages.
	calls atomic.Uint64

	poller  poller
	wanted  chan struct{} // somebody waits
	closing sync.Once
	quit    chan struct{}
	done    chan struct{} // watch has ended
}

var _ interface {
	socket.Socket
	socket.StreamScheduler
	socket.Meter
	socket.Authenticator
} = (*endpoint)(nil)

// SystemCalls implements socket.Meter.
func (e *endpoint) SystemCalls() uint64 { return e.calls.Load() + e.poller.calls.Load() }

func newEndpoint(c Config, fd int, udp uint16) *endpoint {
	e := &endpoint{
		config: c, fd: fd, udp: udp, assocs: make(map[socket.AssocID]*association), pause: shortPause,
		wanted: make(chan struct{}, 1), quit: make(chan struct{}), done: make(chan struct{}),
	}
	if n := c.MaxUnauthenticated; n > 0 {
		e.backlog = backlog.New(n)
	}
	e.reader.init()
	e.timer = time.AfterFunc(time.Hour, e.retry)
	e.timer.Stop()
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

func localAddrs(fd int) ([]netip.AddrPort, error) { return addrList(fd, optGetLocalAddrs, 0) }

// Close aborts all associations and closes the socket.
func (e *endpoint) Close() (err error) {
	e.closing.Do(func() {
		e.mu.Lock()
		e.closed = true
		e.timer.Stop()
		e.waiters.Wake()
		e.mu.Unlock()

		close(e.quit)
		err = e.poller.close()
		<-e.done
		e.reading.Lock() // whoever reads has finished
		e.reader.drop()
		e.reading.Unlock()
		e.use.Lock()
		e.shut = true
		if closeErr := unix.Close(e.fd); err == nil {
			err = os.NewSyscallError("close", closeErr)
		}
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
