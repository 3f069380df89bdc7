package engine

import (
	"crypto/rand"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/endpoint"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/udp"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Core is a one-to-many SCTP socket over UDP without a goroutine: its driver calls it, see
// socket.Core. Use Open. It implements socket.StreamScheduler, socket.Meter,
// socket.Authenticator and socket.Gatekeeper too, and all of socket.StreamReceiver but WaitStream.
type Core struct {
	config Config
	conn   Network
	pool   packet.Pool
	addrs  []socket.Addr
	epoch  time.Time
	wake   func()

	// reading is held by the goroutine that reads the network. It comes before mu.
	reading sync.Mutex
	in      [inBatch]packet.Datagram
	checked [inBatch]bool
	// admitted: see endpoint.Endpoint.Admit, which is without effect if there is a guard. refused is told of refusals: see OnRefusal.
	admitted [inBatch]bool
	refused  func()

	// mu guards what follows.
	mu sync.Mutex
	ep *endpoint.Endpoint
	// flushing: a goroutine sends packets, without mu, and uses batch. idle is signalled when
	// it has done.
	flushing bool
	batch    packet.Batch
	sealed   packet.Batch // of batch, if there is a guard
	idle     *sync.Cond
	closed   bool

	// ready says that the Endpoint may have events, due when it has something to do, so that
	// Receive needs no lock if there is nothing. looks counts its calls since the last rest.
	ready atomic.Bool
	due   atomic.Int64
	looks atomic.Uint64
	rest  rest
}

// How much is moved at a time. A batch is what the peer waits for while it is put
// together, and what one system call is spread over.
const (
	inBatch    = 128
	outPackets = 64
	outBytes   = 512 << 10
)

var _ interface {
	socket.Core
	socket.StreamScheduler
	socket.Meter
	socket.Authenticator
	socket.Gatekeeper
} = (*Core)(nil)

// loopback is where a socket is bound that is given no address.
var loopback = []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1})}

// Open opens a Core.
func Open(c Config) (*Core, error) {
	if len(c.Addrs) == 0 {
		c.Addrs = loopback
	}
	s := &Core{config: c, epoch: time.Now(), wake: func() {}, refused: func() {}}
	s.idle = sync.NewCond(&s.mu)
	conn, err := udp.Listen(&s.pool, c.UDPPort, c.Addrs, udp.Config{NoOffload: c.NoOffload, ECN: c.ECN})
	if err != nil {
		return nil, err
	}
	s.conn, c.ECN = conn, conn.ECN()
	if c.Network != nil {
		s.conn = c.Network(conn)
	}
	if c.Port == 0 {
		c.Port = conn.Port()
	}
	for _, ip := range conn.LocalAddrs() {
		s.addrs = append(s.addrs, socket.Addr{IP: ip, Port: c.Port, UDP: conn.Port()})
	}
	if s.ep, err = s.endpoint(c); err != nil {
		conn.Close()
		return nil, err
	}
	s.schedule()
	s.conn.OnTooBig(s.tooBig)
	s.conn.OnUnreachable(s.unreachable)
	s.conn.OnDenied(s.denied)
	return s, nil
}

func (s *Core) endpoint(c Config) (*endpoint.Endpoint, error) {
	config := endpoint.Config{
		Config: c.Config, Port: c.Port, Addrs: c.Addrs,
		Pool: &s.pool, RouteMTU: s.conn.RouteMTU, Trusted: c.NoChecksum,
	}
	if _, err := rand.Read(config.Seed[:]); err != nil {
		return nil, err
	}
	return endpoint.New(config)
}

// now is the time of the protocol. It begins a little after 0, which it takes for
// no time at all.
func (s *Core) now() time.Duration { return time.Since(s.epoch) + 1 }

// LocalAddrs returns the addresses that the socket is bound to.
func (s *Core) LocalAddrs() []socket.Addr { return s.addrs }

// SystemCalls implements socket.Meter. A network of Config.Network that is not counted
// counts for none.
func (s *Core) SystemCalls() uint64 {
	c, ok := s.conn.(interface{ Stats() udp.Stats })
	if !ok {
		return 0
	}
	n := c.Stats()
	return n.SendCalls + n.ReceiveCalls
}

// Connect begins an association.
func (s *Core) Connect(peer ...socket.Addr) (id socket.AssocID, err error) {
	err = s.call(func() error {
		id, err = s.ep.Connect(s.now(), peer...)
		return err
	})
	return id, err
}

// Send queues messages and sends what can be sent.
func (s *Core) Send(id socket.AssocID, messages []socket.Message) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, socket.ErrClosed
	}
	now := s.now()
	if !s.flushing && s.ep.SendLone(now, id, messages, &s.batch) {
		n, now = 1, s.hand(now)
	} else {
		n, err = s.ep.Send(now, id, messages)
	}
	s.flush(now)
	return n, err
}

// Shutdown ends an association gracefully.
func (s *Core) Shutdown(id socket.AssocID) error {
	return s.call(func() error { return s.ep.Shutdown(s.now(), id) })
}

// Abort ends an association at once.
func (s *Core) Abort(id socket.AssocID, reason string) error {
	return s.call(func() error { return s.ep.Abort(id, reason) })
}

// Authenticated implements socket.Authenticator.
func (s *Core) Authenticated(id socket.AssocID) error {
	return s.call(func() error { return s.ep.Authenticated(id) })
}

// OnRefusal implements socket.Gatekeeper. With a guard nothing is refused here.
func (s *Core) OnRefusal(f func()) { s.refused = f }

// Expect implements socket.Gatekeeper.
func (s *Core) Expect(peer ...socket.Addr) { s.ep.Expect(peer...) }

// Status returns the state of an association.
func (s *Core) Status(id socket.AssocID) (status socket.Status, err error) {
	err = s.call(func() error {
		status, err = s.ep.Status(id)
		return err
	})
	return status, err
}

// call calls the Endpoint and sends what follows from it.
func (s *Core) call(do func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return socket.ErrClosed
	}
	err := do()
	s.flush(s.now())
	return err
}

// Close aborts all associations and closes the socket. No rest may be under way.
func (s *Core) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.shut()
	var last, sealed packet.Batch
	now := s.now()
	s.ep.Close(now, &last)
	s.mu.Unlock()

	err := s.transmit(now, &last, &sealed)
	if closeErr := s.conn.Close(); err == nil {
		err = closeErr
	}
	s.reading.Lock() // a goroutine that reads has finished
	defer s.reading.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ep.Discard()
	return err
}

// shut makes all calls fail from now on. No goroutine sends any more when it returns.
func (s *Core) shut() {
	s.closed = true
	s.ready.Store(true)
	for s.flushing {
		s.idle.Wait()
	}
	s.rest.wake(s, 0)
}
