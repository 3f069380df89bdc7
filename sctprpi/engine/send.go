package engine

import (
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// rounds is how many batches a caller sends before it leaves the rest to the driver, so that it is
// not kept sending for others.
const rounds = 16

// flush sends what there is to send, with mu held but while it is in the system. If another
// goroutine is at it already, that one does: it looks again before it stops.
func (s *Core) flush(now time.Duration) {
	if s.flushing {
		s.announce()
		return
	}
	for round := 0; s.ep.Sending(); round++ {
		s.ep.Collect()
		if round < rounds && !s.closed {
			s.ep.Next(now, &s.batch, outPackets, outBytes)
		}
		if s.batch.Len() == 0 {
			break
		}
		s.announce()
		now = s.hand(now)
	}
	if !s.closed {
		s.schedule()
	}
}

// hand gives the batch to the system, with mu held before and after. It returns the time for what others want sent meanwhile.
func (s *Core) hand(now time.Duration) time.Duration {
	s.flushing = true
	s.mu.Unlock()
	_ = s.transmit(now, &s.batch, &s.sealed) // fails only when it is closed: see shut
	s.mu.Lock()
	s.flushing = false
	s.batch.Reset()
	if s.closed {
		s.idle.Broadcast()
	}
	if s.ep.Sending() {
		now = s.now()
	}
	return now
}

// transmit sends a batch, which gets its checksums, or is sealed into another one.
func (s *Core) transmit(now time.Duration, b, sealed *packet.Batch) error {
	g := s.config.Guard
	if g == nil {
		b.Seal()
		s.record(b)
		return s.conn.Send(b)
	}
	s.record(b)
	b.SealInto(sealed, g, now)
	return s.conn.Send(sealed)
}

// schedule takes in, after something has happened, what the driver has to do.
func (s *Core) schedule() {
	due, _ := s.ep.Deadline()
	if s.ep.Sending() { // see rounds
		due = 0
	}
	s.due.Store(int64(due))
	s.rest.wake(s, due)
	s.announce()
}

// announce says that there are events.
func (s *Core) announce() {
	if s.ep.Ready() {
		s.ready.Store(true)
		s.rest.wakeForEvents(s)
	}
}

// record captures packets that are being sent.
func (s *Core) record(b *packet.Batch) {
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
func (s *Core) local(a netip.Addr) netip.AddrPort {
	if !a.IsValid() {
		a = s.config.Addrs[0]
	}
	return netip.AddrPortFrom(a, s.conn.Port())
}
