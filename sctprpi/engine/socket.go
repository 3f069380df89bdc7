package engine

import (
	"context"
	"crypto/rand"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/endpoint"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/udp"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket/waiters"
)

// Socket is a one-to-many SCTP socket over UDP. Use Listen. It implements
// socket.Socket, socket.StreamReceiver, socket.StreamScheduler, socket.Meter and
// socket.Authenticator.
type Socket struct {
	config Config
	conn   Network
	pool   packet.Pool
	addrs  []socket.Addr
	epoch  time.Time

	// reading is held by whoever reads the network. It comes before mu.
	reading sync.Mutex
	in      [inBatch]packet.Datagram
	checked [inBatch]bool

	// leader is held by whoever waits for the network: the event loop, or one who is in
	// Wait, so that a packet wakes them and nobody between. It comes after mu.
	leader sync.Mutex

	// parked: the leader waits for events, and somebody else may come upon one.
	parked atomic.Bool

	// mu guards what follows.
	mu sync.Mutex
	ep *endpoint.Endpoint
	// flushing: somebody sends packets, without mu; batch is theirs. idle is
	// signalled when they have done.
	flushing bool
	batch    packet.Batch
	idle     *sync.Cond
	// waits is until when the leader waits at most.
	waits time.Duration
	// woken: Wake has been called, and nobody has returned from Wait for it.
	woken   bool
	waiters waiters.List
	// streamWaiters wait for data of a stream.
	streamWaiters waiters.List
	closed        bool

	// ready says that the Endpoint may have events and due when its next timer
	// is, so that one who finds neither needs no lock.
	ready atomic.Bool
	due   atomic.Int64
	// polls counts how often somebody other than the event loop has looked at
	// the network; handover ends the loop's pause. asleep: it waits until nobody else
	// leads, and is to be told.
	polls    atomic.Uint64
	handover chan struct{}
	asleep   atomic.Bool
	done     chan struct{} // the event loop has ended
}

// How much is moved at a time. A batch is what the peer waits for while it is put
// together, and what one system call is spread over.
const (
	inBatch    = 128
	outPackets = 64
	outBytes   = 512 << 10
)

var _ interface {
	socket.Socket
	socket.StreamReceiver
	socket.StreamScheduler
	socket.Meter
	socket.Authenticator
} = (*Socket)(nil)

// Listen opens a socket.
func Listen(c Config) (*Socket, error) {
	if len(c.Addrs) == 0 {
		c.Addrs = []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1})}
	}
	s := &Socket{
		config: c, epoch: time.Now(),
		handover: make(chan struct{}, 1), done: make(chan struct{}),
	}
	s.idle = sync.NewCond(&s.mu)
	conn, err := udp.Listen(&s.pool, c.UDPPort, c.Addrs, udp.Config{NoOffload: c.NoOffload})
	if err != nil {
		return nil, err
	}
	s.conn = conn
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
	go s.loop()
	return s, nil
}

func (s *Socket) endpoint(c Config) (*endpoint.Endpoint, error) {
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
func (s *Socket) now() time.Duration { return time.Since(s.epoch) + 1 }

// LocalAddrs returns the addresses that the socket is bound to.
func (s *Socket) LocalAddrs() []socket.Addr { return s.addrs }

// SystemCalls implements socket.Meter. A network of Config.Network that is not counted
// counts for none.
func (s *Socket) SystemCalls() uint64 {
	c, ok := s.conn.(interface{ Stats() udp.Stats })
	if !ok {
		return 0
	}
	n := c.Stats()
	return n.SendCalls + n.ReceiveCalls + n.WaitCalls
}

// Connect begins an association.
func (s *Socket) Connect(peer ...socket.Addr) (id socket.AssocID, err error) {
	err = s.call(func() error {
		id, err = s.ep.Connect(s.now(), peer...)
		return err
	})
	return id, err
}

// Send queues messages and sends what can be sent.
func (s *Socket) Send(id socket.AssocID, messages []socket.Message) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, socket.ErrClosed
	}
	now := s.now()
	n, err = s.ep.Send(now, id, messages)
	s.flush(now)
	return n, err
}

// Shutdown ends an association gracefully.
func (s *Socket) Shutdown(id socket.AssocID) error {
	return s.call(func() error { return s.ep.Shutdown(s.now(), id) })
}

// Abort ends an association at once.
func (s *Socket) Abort(id socket.AssocID, reason string) error {
	return s.call(func() error { return s.ep.Abort(id, reason) })
}

// Authenticated implements socket.Authenticator.
func (s *Socket) Authenticated(id socket.AssocID) error {
	return s.call(func() error { return s.ep.Authenticated(id) })
}

// Status returns the state of an association.
func (s *Socket) Status(id socket.AssocID) (status socket.Status, err error) {
	err = s.call(func() error {
		status, err = s.ep.Status(id)
		return err
	})
	return status, err
}

// call calls the Endpoint and sends what follows from it.
func (s *Socket) call(do func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return socket.ErrClosed
	}
	err := do()
	s.flush(s.now())
	return err
}

// clockEvery is how often one who looks again and again sees whether a timer has run out.
// Who looks less than each few milliseconds leaves that to the event loop.
const clockEvery = 4

// Receive fills in events, and looks at the network if there are none.
func (s *Socket) Receive(events []socket.Event) (int, error) {
	polls := s.polls.Add(1)
	timers := polls%clockEvery == 0
	if s.ready.Load() || timers && s.now() >= time.Duration(s.due.Load()) {
		if n, err := s.take(events, timers); n > 0 || err != nil {
			return n, err
		}
	}
	if !s.reading.TryLock() {
		return 0, nil // somebody else is at it
	}
	n := s.read()
	for again := 1; n > 0 && again < acksAtOnce && !s.ready.Load(); again++ {
		if s.read() == 0 { // acknowledgements are no events
			break
		}
	}
	s.reading.Unlock()
	if n == 0 || !s.ready.Load() {
		return 0, nil
	}
	return s.take(events, false)
}

// acksAtOnce is how often Receive reads the network when it finds packets of which no event
// comes.
const acksAtOnce = 16

// take fills in events that the Endpoint has, perhaps after the timers have had their turn.
func (s *Socket) take(events []socket.Event, timers bool) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, socket.ErrClosed
	}
	if timers {
		s.expire()
	}
	n = s.ep.Poll(events)
	if s.ep.Sending() { // there is room in a receive window again
		s.flush(s.now())
	}
	s.ready.Store(s.ep.Ready())
	return n, nil
}

// expire handles timers that have run out.
func (s *Socket) expire() {
	if now := s.now(); now >= time.Duration(s.due.Load()) {
		s.ep.Expire(now)
		s.flush(now)
	}
}

// Wait waits until Receive has something to return, or would fail. A caller whose context
// cannot end is taken to be in a hurry, and keeps its thread, as udp.Conn.Block has it.
func (s *Socket) Wait(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.waited():
	case s.leader.TryLock():
		return s.lead(ctx)
	default: // somebody leads, who tells; next time it shall be us
		s.polls.Add(1)
		w := s.waiters.Add()
		s.mu.Unlock()
		err := s.sleep(ctx, &s.waiters, w)
		s.mu.Lock()
		if err != nil {
			return err
		}
	}
	s.woken = false
	return s.open()
}

// waited reports whether a Wait is over.
func (s *Socket) waited() bool { return s.closed || s.woken || s.ep.Ready() }

// Wake makes those who Wait return, or the next who does.
func (s *Socket) Wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.woken = true
	s.waiters.Wake()
	s.conn.Wake()
}

// sleep waits until w, which is in l, is woken or the context is done.
func (s *Socket) sleep(ctx context.Context, l *waiters.List, w *waiters.Waiter) error {
	select {
	case <-w.Woken:
		w.Done()
		return nil
	case <-ctx.Done():
		s.mu.Lock()
		l.Remove(w)
		s.mu.Unlock()
		return ctx.Err()
	}
}

// open returns an error if the socket is closed.
func (s *Socket) open() error {
	if s.closed {
		return socket.ErrClosed
	}
	return nil
}

// Close aborts all associations and closes the socket.
func (s *Socket) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.shut()
	var last packet.Batch
	s.ep.Close(s.now(), &last)
	s.mu.Unlock()

	last.Seal()
	s.record(&last)
	err := s.conn.Send(&last)
	if closeErr := s.conn.Close(); err == nil {
		err = closeErr
	}
	s.resume()
	<-s.done
	s.reading.Lock() // whoever reads has finished
	defer s.reading.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ep.Discard()
	return err
}

// shut makes all calls fail from now on. Nobody sends any more when it returns.
func (s *Socket) shut() {
	s.closed = true
	s.ready.Store(true)
	for s.flushing {
		s.idle.Wait()
	}
	s.waiters.Wake()
	s.streamWaiters.Wake()
}
