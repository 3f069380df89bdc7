package engine

import (
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket/waiters"
)

// rounds is how many batches a caller sends before the event loop takes over, so that
// nobody is kept sending for others.
const rounds = 16

// flush sends what there is to send, with mu held but while it is in the system. If
// somebody is at it already it leaves it to them: they look again before they stop.
func (s *Socket) flush(now time.Duration) {
	if s.flushing {
		s.announce()
		return
	}
	s.flushing = true
	for round := 0; ; round++ {
		s.ep.Collect()
		s.batch.Reset()
		if round < rounds && !s.closed {
			s.ep.Next(now, &s.batch, outPackets, outBytes)
		}
		if s.batch.Len() == 0 {
			break
		}
		s.announce()
		s.mu.Unlock()
		s.batch.Seal()
		s.record(&s.batch)
		_ = s.conn.Send(&s.batch) // fails only when it is closed: see shut
		s.mu.Lock()
		if s.ep.Sending() {
			now = s.now()
		}
	}
	s.flushing = false
	if s.closed {
		s.idle.Broadcast()
		return
	}
	s.schedule()
	if s.ep.Sending() {
		s.conn.Wake()
		s.resume()
	}
}

// schedule takes in, after something has happened, what there is to wait for.
func (s *Socket) schedule() {
	due, _ := s.ep.Deadline()
	s.due.Store(int64(due))
	if due < s.waits {
		s.conn.Wake()
	}
	s.announce()
}

// announce tells those who wait that there are events.
func (s *Socket) announce() {
	if s.ep.Ready() {
		s.ready.Store(true)
		s.waiters.Wake()
		if s.parked.Load() {
			s.conn.Wake()
		}
	}
	if !s.streamWaiters.Empty() {
		s.streamWaiters.WakeIf(func(w *waiters.Waiter) bool {
			ready, err := s.ep.StreamReady(w.Assoc, w.Stream)
			return ready || err != nil
		})
	}
}

// read takes in packets that have arrived, as many as one system call gives, and
// returns how many that were. Its caller holds reading.
func (s *Socket) read() int {
	n, err := s.conn.Receive(s.in[:])
	if err != nil || n == 0 {
		return 0
	}
	for i := range s.in[:n] {
		s.checked[i] = s.ep.Checked(s.in[i].Bytes)
	}
	if c := s.config.Capture; c != nil {
		at := time.Now()
		for i := range s.in[:n] {
			d := &s.in[i]
			c.Packet(at, true, d.From, s.local(d.To), d.Bytes)
		}
	}
	s.accept(n)
	for i := range s.in[:n] {
		s.in[i].Buffer.Release()
		s.in[i] = packet.Datagram{}
	}
	return n
}

// accept gives n packets to the Endpoint, and the time.
func (s *Socket) accept(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	now := s.now()
	for i := range s.in[:n] {
		if s.checked[i] {
			s.ep.Receive(now, &s.in[i])
		} else {
			s.ep.Bad()
		}
	}
	if now >= time.Duration(s.due.Load()) { // and the packets have not stopped the timer
		s.ep.Expire(now)
	}
	s.flush(now)
}

// tooBig is told about packets that were larger than an MTU.
func (s *Socket) tooBig(to netip.AddrPort, mtu int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		now := s.now()
		s.ep.TooBig(now, to, mtu)
		s.flush(now)
	}
}

// unreachable is told about packets that nobody was there to take.
func (s *Socket) unreachable(to netip.AddrPort, quoted []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		now := s.now()
		s.ep.Unreachable(now, to, quoted)
		s.flush(now)
	}
}

// record captures packets that are being sent.
func (s *Socket) record(b *packet.Batch) {
	c := s.config.Capture
	if c == nil {
		return
	}
	at := time.Now()
	for i := range b.Packets() {
		p := &b.Packets()[i]
		c.Packet(at, false, s.local(p.From), p.To, b.Parts(p)...)
	}
}

// local returns a local address for a capture: the first when the system chose.
func (s *Socket) local(a netip.Addr) netip.AddrPort {
	if !a.IsValid() {
		a = s.config.Addrs[0]
	}
	return netip.AddrPortFrom(a, s.conn.Port())
}
