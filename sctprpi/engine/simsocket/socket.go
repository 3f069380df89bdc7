package simsocket

import (
	"context"
	"net/netip"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/endpoint"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Socket is a socket.Socket, socket.StreamScheduler and socket.Authenticator of a World.
type Socket struct {
	world   *World
	addr    netip.AddrPort
	ep      *endpoint.Endpoint
	pool    packet.Pool
	batch   packet.Batch
	waiting int // goroutines in Wait
	woken   bool
	closed  bool
}

var _ interface {
	socket.Socket
	socket.StreamScheduler
	socket.Authenticator
} = (*Socket)(nil)

// flush puts all that is to be sent on its way.
func (s *Socket) flush() {
	for more := true; more; {
		s.ep.Collect()
		more = s.ep.Next(s.world.net.Now(), &s.batch, 64, 1<<20)
		s.send(&s.batch)
	}
	s.ep.Collect()
	s.world.changed.Broadcast()
}

func (s *Socket) send(b *packet.Batch) {
	b.Seal()
	for i := range b.Packets() {
		p := &b.Packets()[i]
		var whole []byte
		for _, part := range b.Parts(p) {
			whole = append(whole, part...)
		}
		if f := s.world.filter; f == nil || f(s.addr, p.To, whole) {
			if p.Fragment {
				s.world.net.SendFragmented(s.addr, p.To, whole)
				continue
			}
			s.world.net.Send(s.addr, p.To, whole)
		}
	}
	b.Reset()
}

// call calls the Endpoint and sends what follows from it.
func (s *Socket) call(do func() error) error {
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	if s.closed {
		return socket.ErrClosed
	}
	err := do()
	s.flush()
	return err
}

// LocalAddrs returns the socket's one address.
func (s *Socket) LocalAddrs() []socket.Addr {
	return []socket.Addr{{IP: s.addr.Addr(), Port: s.addr.Port(), UDP: s.addr.Port()}}
}

// Connect begins an association.
func (s *Socket) Connect(peer ...socket.Addr) (id socket.AssocID, err error) {
	err = s.call(func() error {
		id, err = s.ep.Connect(s.world.net.Now(), peer...)
		return err
	})
	return id, err
}

// Send queues messages.
func (s *Socket) Send(id socket.AssocID, messages []socket.Message) (n int, err error) {
	err = s.call(func() error {
		n, err = s.ep.Send(s.world.net.Now(), id, messages)
		return err
	})
	return n, err
}

// Receive fills in events.
func (s *Socket) Receive(events []socket.Event) (n int, err error) {
	err = s.call(func() error {
		n = s.ep.Poll(events)
		return nil
	})
	return n, err
}

// Wait waits until Receive has something to return, which is when time goes on.
func (s *Socket) Wait(ctx context.Context) error {
	w := s.world
	defer context.AfterFunc(ctx, w.wake)()
	w.mu.Lock()
	defer w.mu.Unlock()
	s.waiting++
	defer func() { s.waiting-- }()
	w.changed.Broadcast()
	for !s.closed && !s.woken && !s.ep.Ready() && ctx.Err() == nil {
		w.changed.Wait()
	}
	switch {
	case s.closed:
		return socket.ErrClosed
	case s.woken || s.ep.Ready():
		s.woken = false
		return nil
	}
	return ctx.Err()
}

// Wake makes a Wait return.
func (s *Socket) Wake() {
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	s.woken = true
	s.world.changed.Broadcast()
}

func (w *World) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.changed.Broadcast()
}

// Shutdown ends an association gracefully.
func (s *Socket) Shutdown(id socket.AssocID) error {
	return s.call(func() error { return s.ep.Shutdown(s.world.net.Now(), id) })
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

// SetStreamValue sets what a stream counts for in the schedule.
func (s *Socket) SetStreamValue(id socket.AssocID, stream socket.StreamID, value uint16) error {
	return s.call(func() error { return s.ep.SetStreamValue(id, stream, value) })
}

// Close aborts all associations and closes the socket.
func (s *Socket) Close() error {
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	s.ep.Close(s.world.net.Now(), &s.batch)
	s.send(&s.batch)
	s.ep.Discard()
	s.world.changed.Broadcast()
	return nil
}
