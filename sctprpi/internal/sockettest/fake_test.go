package sockettest

import (
	"context"
	"net/netip"
	"slices"
	"sync"
	"testing"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// fakeNet is an ideal network: the simplest thing that keeps the contract. All
// happens under one lock, within the calls of its sockets.
type fakeNet struct {
	mu      sync.Mutex
	sockets map[socket.Addr]*fake
	port    uint16
	flaw    flaw
	count   int
}

func newFakeNet(f flaw) *fakeNet {
	return &fakeNet{sockets: make(map[socket.Addr]*fake), port: 20_000, flaw: f}
}

func (n *fakeNet) make(_ testing.TB, c socket.Config, addrs ...netip.Addr) socket.Socket {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.port++
	if len(addrs) == 0 {
		addrs = homes[:1]
	}
	var local []socket.Addr
	for _, ip := range addrs {
		local = append(local, socket.Addr{IP: ip, Port: n.port})
	}
	return n.bind(c, local)
}

func (n *fakeNet) rebind(_ testing.TB, c socket.Config, local socket.Addr) socket.Socket {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.bind(c, []socket.Addr{local})
}

func (n *fakeNet) bind(c socket.Config, local []socket.Addr) socket.Socket {
	set := func(p *int, v int) {
		if *p == 0 {
			*p = v
		}
	}
	set(&c.Streams, 1024)
	set(&c.SendBuffer, 4<<20)
	set(&c.ReceiveBuffer, 4<<20)
	set(&c.MaxAssociations, 65_536)
	s := &fake{net: n, config: c, local: local, assocs: make(map[socket.AssocID]*fakeAssoc), wake: make(chan struct{})}
	for _, addr := range local {
		n.sockets[addr] = s
	}
	return s
}

// fake is a socket of a fakeNet.
type fake struct {
	net    *fakeNet
	config socket.Config
	local  []socket.Addr
	closed bool
	last   socket.AssocID
	assocs map[socket.AssocID]*fakeAssoc
	events []socket.Event
	// wake is closed when there is an event, and replaced.
	wake  chan struct{}
	woken bool
}

func (s *fake) LocalAddrs() []socket.Addr { return slices.Clone(s.local) }

func (s *fake) Connect(peer ...socket.Addr) (socket.AssocID, error) {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	if s.closed {
		return 0, socket.ErrClosed
	}
	if len(peer) == 0 {
		return 0, socket.ErrAddr
	}
	for _, addr := range peer {
		if !addr.IP.IsValid() || addr.Port == 0 || addr.Port != peer[0].Port {
			return 0, socket.ErrAddr
		}
	}
	for id, a := range s.assocs {
		if a.peer != nil && slices.Contains(a.peer.s.local, peer[0]) {
			return id, nil
		}
	}
	if len(s.assocs) >= s.config.MaxAssociations {
		return 0, socket.ErrTooMany
	}
	a := s.associate(peer[0])
	p := s.net.sockets[peer[0]]
	if p == nil || p.config.RefuseIncoming || len(p.assocs) >= p.config.MaxAssociations {
		return a.id, nil // the caller finds out later
	}
	b := p.associate(s.local[0])
	a.peer, b.peer = b, a
	for _, end := range []*fakeAssoc{a, b} {
		end.streams = min(s.config.Streams, p.config.Streams)
		end.emit(socket.Event{Kind: socket.Up, Addr: end.addr})
		if s.net.flaw == doubleUp {
			end.emit(socket.Event{Kind: socket.Up, Addr: end.addr})
		}
	}
	return a.id, nil
}

func (s *fake) associate(peer socket.Addr) *fakeAssoc {
	s.last++
	a := &fakeAssoc{s: s, id: s.last, addr: peer, streams: s.config.Streams, held: make(map[socket.StreamID][]socket.Event)}
	a.served, a.values = make(map[socket.StreamID]int), make(map[socket.StreamID]int)
	s.assocs[a.id] = a
	return a
}

func (s *fake) find(id socket.AssocID) (*fakeAssoc, error) {
	if s.closed {
		return nil, socket.ErrClosed
	}
	if a := s.assocs[id]; a != nil {
		return a, nil
	}
	return nil, socket.ErrAssoc
}

func (s *fake) Receive(events []socket.Event) (int, error) {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	if s.closed {
		return 0, socket.ErrClosed
	}
	s.giveUp()
	n := copy(events, s.events)
	s.events = slices.Delete(s.events, 0, n)
	s.account(events[:n])
	return n, nil
}

// account makes room for what the peers have to send.
func (s *fake) account(events []socket.Event) {
	for _, e := range events {
		if a := s.assocs[e.Assoc]; e.Kind == socket.Data && a != nil {
			a.holds -= len(e.Payload)
			a.peer.move()
		}
	}
}

// giveUp ends the associations with peers that do not exist.
func (s *fake) giveUp() {
	for _, a := range s.assocs {
		if a.peer == nil {
			a.finish(socket.Event{Kind: socket.Lost, Err: socket.ErrUnreachable})
		}
	}
}

func (s *fake) Wait(ctx context.Context) error {
	for {
		s.net.mu.Lock()
		if !s.closed {
			s.giveUp()
		}
		ready, closed, wake := len(s.events) > 0 || s.woken, s.closed, s.wake
		s.woken = s.woken && closed
		s.net.mu.Unlock()
		switch {
		case closed:
			return socket.ErrClosed
		case ready:
			return nil
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *fake) Wake() {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	s.woken = true
	if !s.closed {
		close(s.wake)
		s.wake = make(chan struct{})
	}
}

func (s *fake) Close() error {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	if s.closed {
		return nil
	}
	for _, a := range s.assocs {
		a.abort("closed")
	}
	s.closed = true
	for _, addr := range s.local {
		delete(s.net.sockets, addr)
	}
	close(s.wake)
	return nil
}
