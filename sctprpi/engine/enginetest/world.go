package enginetest

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/endpoint"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/simnet"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Conditions are those of one way between two addresses.
type Conditions = simnet.Conditions

// World is a network with sockets. Use New.
type World struct {
	mu sync.Mutex
	// changed is signalled when a socket has events, or its driver waits for them.
	changed *sync.Cond
	net     *simnet.Network
	sockets []*Socket
	ports   uint16
	filter  func(from, to netip.AddrPort, packet []byte) (pass bool)
	copier  func(from, to netip.AddrPort) (as netip.AddrPort, copies bool)
	mtu     int
	// While the world follows the clock: what has been sent may be due before what it waits for, and when it began.
	sent  chan struct{}
	began time.Time
}

// New returns an empty world. Everything random in it follows from seed.
func New(seed uint64) *World {
	w := &World{net: simnet.New(seed), ports: 9899, mtu: jumbo}
	w.changed = sync.NewCond(&w.mu)
	return w
}

// Duplex sets the conditions of both ways between two addresses.
func (w *World) Duplex(a, b netip.Addr, c Conditions) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.net.Duplex(a, b, c)
}

// Filter sets a function that sees each packet when it is sent, as a UDP payload, and
// says whether it may pass. It must not use the world.
func (w *World) Filter(f func(from, to netip.AddrPort, packet []byte) (pass bool)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.filter = f
}

// Copy sets a function that says of each packet that is sent whether a copy of it goes to the same place, and with which source. It
// leaves before the packet, and is faster if the way from there is. f must not use the world.
func (w *World) Copy(f func(from, to netip.AddrPort) (as netip.AddrPort, copies bool)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.copier = f
}

// Follow has the world's time be that of the clock, until the context ends. It is for programs that look at the clock themselves,
// in a bubble of package testing/synctest: the clock stands still there as long as any goroutine has something to do.
func (w *World) Follow(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent, w.began = make(chan struct{}, 1), time.Now().Add(-w.net.Now())
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		w.catchUp()
		wait := time.Duration(math.MaxInt64)
		if next, some := w.net.Next(); some {
			wait = next - w.net.Now()
		}
		timer.Reset(wait)
		w.mu.Unlock()
		select {
		case <-timer.C:
		case <-w.sent:
		case <-ctx.Done():
		}
		w.mu.Lock()
	}
	w.sent = nil
}

// catchUp lets time pass to that of the clock, if the world follows it. mu is held.
func (w *World) catchUp() {
	if w.sent != nil {
		w.net.Advance(time.Since(w.began))
	}
}

// hurry has the world look again when the next thing happens. mu is held.
func (w *World) hurry() {
	select {
	case w.sent <- struct{}{}:
	default: // it is about to, or does not follow the clock
	}
}

// Now is the time since the world began.
func (w *World) Now() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.net.Now()
}

// Listen opens a socket at some addresses. Port 0 picks a free one.
func (w *World) Listen(c socket.Config, local []netip.Addr, port uint16) (*Socket, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if port == 0 {
		port = w.ports
		w.ports++
	}
	s := &Socket{world: w, wake: func() {}, guard: c.Guard}
	for _, ip := range local {
		s.addrs = append(s.addrs, netip.AddrPortFrom(ip, port))
	}
	config := endpoint.Config{
		Config: c, Port: port, Addrs: local, Pool: &s.pool,
		RouteMTU: func(netip.Addr) int { return w.mtu },
	}
	binary.BigEndian.PutUint64(config.Seed[:], uint64(len(w.sockets)))
	ep, err := endpoint.New(config)
	if err != nil {
		return nil, fmt.Errorf("enginetest: %w", err)
	}
	s.ep = ep
	w.sockets = append(w.sockets, s)
	w.net.Attach((*node)(s), s.addrs...)
	return s, nil
}

// jumbo is the MTU of the networks that all sockets seem to be on, unless SetMTU says otherwise: far fewer packets make a test faster.
const jumbo = 9000

// SetMTU sets the MTU of the networks that the sockets seem to be on. Call it before Listen.
func (w *World) SetMTU(bytes int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mtu = bytes
}

// Uplink sets the conditions of the one way that all packets of a host to some others take: they share its rate.
func (w *World) Uplink(host netip.Addr, to []netip.Addr, c Conditions) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.net.Uplink(host, to, c)
}

// Run lets time pass until done reports true, and reports whether it did: false means
// that the time is until, or that nothing will ever happen again. done is called again
// and again, and must not use the world.
func (w *World) Run(until time.Duration, done func() bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		for w.busy() && !done() {
			w.changed.Wait()
		}
		if done() {
			return true
		}
		steps := 0
		if !w.net.Run(until, func() bool { steps++; return steps > 1 }) {
			return false
		}
		// Heartbeats go on for ever: a goroutine that wants to call meanwhile must get the lock.
		w.mu.Unlock()
		w.mu.Lock()
	}
}

// busy reports whether the driver of a socket has something to do.
func (w *World) busy() bool {
	return slices.ContainsFunc(w.sockets, func(s *Socket) bool { return !s.closed && !s.rests })
}

// Drive lets time pass as long as the context lasts. When nothing will ever happen again
// it waits for the users of the sockets to change that.
func (w *World) Drive(ctx context.Context) {
	defer context.AfterFunc(ctx, w.wake)()
	done := func() bool { return ctx.Err() != nil }
	for !w.Run(math.MaxInt64, done) {
		w.mu.Lock()
		for !done() && w.net.Idle() {
			w.changed.Wait()
		}
		w.mu.Unlock()
	}
}

// node is a Socket as the network sees it. Its methods are called with the world's lock
// held.
type node Socket

func (n *node) Receive(now time.Duration, from, to netip.AddrPort, datagram []byte, marked bool) {
	if n.closed {
		return
	}
	b := n.pool.Get(len(datagram))
	d := packet.Datagram{From: from, To: to.Addr(), Bytes: b.Bytes[:copy(b.Bytes, datagram)], Buffer: b}
	if marked {
		d.ECN = packet.CE
	}
	ok := false
	if n.guard == nil {
		ok = n.ep.Checked(d.Bytes)
	} else {
		var sender socket.Sender
		d.Bytes, sender, ok = n.guard.Open(now, d.Bytes, from)
		d.Sender = packet.Sender(sender)
	}
	if ok {
		n.ep.Receive(now, &d)
	} else {
		n.ep.Bad()
	}
	b.Release()
	(*Socket)(n).flush()
}

func (n *node) Deadline() (time.Duration, bool) { return n.ep.Deadline() }

func (n *node) Expire(now time.Duration) {
	n.ep.Expire(now)
	(*Socket)(n).flush()
}
