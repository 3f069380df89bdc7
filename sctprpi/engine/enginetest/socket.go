package enginetest

import (
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/endpoint"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/simnet"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Socket is a socket.Core, socket.StreamScheduler and socket.Authenticator of a World.
type Socket struct {
	world  *World
	addrs  []netip.AddrPort
	ep     *endpoint.Endpoint
	pool   packet.Pool
	guard  socket.Guard
	batch  packet.Batch
	sealed packet.Batch
	wake   func()
	rests  bool // its driver waits for events
	closed bool
}

var _ interface {
	socket.Core
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
	s.announce()
	s.world.changed.Broadcast()
}

func (s *Socket) send(b *packet.Batch) {
	defer b.Reset()
	if s.guard == nil {
		b.Seal()
	} else {
		b.SealInto(&s.sealed, s.guard, s.world.net.Now())
		b = &s.sealed
	}
	for i := range b.Packets() {
		p := &b.Packets()[i]
		from := s.source(p)
		var whole []byte
		for _, part := range b.Parts(p) {
			whole = append(whole, part...)
		}
		if c := s.world.copier; c != nil {
			if as, copies := c(from, p.To); copies {
				s.world.net.Send(as, p.To, whole)
			}
		}
		if f := s.world.filter; f == nil || f(from, p.To, whole) {
			s.world.net.SendAs(simnet.Kind{Fragment: p.Fragment, Markable: p.ECN == packet.ECT0}, from, p.To, whole)
		}
	}
}

// call calls the Endpoint and sends what follows from it.
func (s *Socket) call(do func() error) error {
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	s.world.catchUp()
	if s.closed {
		return socket.ErrClosed
	}
	err := do()
	s.flush()
	s.world.hurry()
	return err
}

// source is what a packet is sent from: the address that it names, or one of the same network, 24 bits, as where it goes.
func (s *Socket) source(p *packet.Packet) netip.AddrPort {
	for _, a := range s.addrs {
		if network, err := a.Addr().Prefix(24); a.Addr() == p.From || err == nil && !p.From.IsValid() && network.Contains(p.To.Addr()) {
			return a
		}
	}
	return s.addrs[0]
}

// LocalAddrs returns the socket's addresses.
func (s *Socket) LocalAddrs() []socket.Addr {
	var list []socket.Addr
	for _, a := range s.addrs {
		list = append(list, socket.Addr{IP: a.Addr(), Port: a.Port(), UDP: a.Port()})
	}
	return list
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
		now := s.world.net.Now()
		if s.ep.SendLone(now, id, messages, &s.batch) {
			n = 1
			s.send(&s.batch)
			return nil
		}
		n, err = s.ep.Send(now, id, messages)
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

// Poll has nothing to do: the world has the packets and the timers.
func (s *Socket) Poll() error { return s.call(func() error { return nil }) }

// Ready implements socket.Core.
func (s *Socket) Ready() bool {
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	return s.closed || s.ep.Ready()
}

// Rest implements socket.Core: time goes on while all sockets rest for events.
func (s *Socket) Rest(events bool) (deadline time.Time, ready bool) {
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	if s.closed || events && s.ep.Ready() {
		return deadline, true
	}
	s.rests = events
	s.world.changed.Broadcast()
	return deadline, false
}

// Resume implements socket.Core.
func (s *Socket) Resume() {
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	s.rests = false
}

// announce wakes the driver if there are events.
func (s *Socket) announce() {
	if s.rests && s.ep.Ready() {
		s.rests = false
		s.wake()
	}
}

// Descriptor implements socket.Core.
func (s *Socket) Descriptor() int { return -1 }

// SetWake implements socket.Core.
func (s *Socket) SetWake(wake func()) { s.wake = wake }

// Embedded implements socket.Core: the world does what the protocol has to do.
func (s *Socket) Embedded() bool { return false }

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

// Hold keeps a stream's messages in the socket, or lets them go: see engine.Core.
func (s *Socket) Hold(id socket.AssocID, stream socket.StreamID, hold bool) error {
	return s.call(func() error { return s.ep.Hold(id, stream, hold) })
}

// PutBack gives back what has been received and not taken: see engine.Core.
func (s *Socket) PutBack(e *socket.Event, taken int) error {
	return s.call(func() error { return s.ep.PutBack(e, taken) })
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
