package engine

import (
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

const (
	// clockEvery: a caller that polls again and again checks the timers in one of so many polls,
	// and in the first one after a rest.
	clockEvery = 4
	// readsAtOnce is how often the network is read in a row while packets arrive that make no
	// event, such as acknowledgements.
	readsAtOnce = 16
)

// Receive fills in events, and looks at the network if there are none.
func (s *Core) Receive(events []socket.Event) (int, error) {
	if s.ready.Load() {
		if n, err := s.take(events, false); n > 0 || err != nil {
			return n, err
		}
	}
	// What has arrived may stop timers that have run out.
	s.readAll()
	timers := s.looks.Add(1)%clockEvery == 1 && s.now() >= time.Duration(s.due.Load())
	if !timers && !s.ready.Load() {
		return 0, nil
	}
	return s.take(events, timers)
}

// Poll takes in what has arrived and handles timers that have run out.
func (s *Core) Poll() error {
	s.readAll()
	_, err := s.take(nil, true)
	return err
}

// readAll takes in packets until there are events, or no more packets. It reports whether there
// were any.
func (s *Core) readAll() (some bool) {
	if !s.reading.TryLock() {
		return false // another goroutine does
	}
	defer s.reading.Unlock()
	for range readsAtOnce {
		if s.read() == 0 {
			break
		}
		if some = true; s.ready.Load() {
			break
		}
	}
	return some
}

// take fills in events that the Endpoint has, perhaps after the timers have had their turn, and
// sends what there is to send.
func (s *Core) take(events []socket.Event, timers bool) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, socket.ErrClosed
	}
	if timers {
		s.expire()
	}
	n = s.ep.Poll(events)
	if s.ep.Sending() { // a timer says so, or there is room in a receive window again
		s.flush(s.now())
	}
	s.ready.Store(s.ep.Ready())
	return n, nil
}

// expire handles timers that have run out.
func (s *Core) expire() {
	if now := s.now(); now >= time.Duration(s.due.Load()) {
		s.ep.Expire(now)
		s.flush(now)
	}
}

// read takes in packets that have arrived, as many as one system call gives, and
// returns how many that were. Its caller holds reading.
func (s *Core) read() int {
	n, err := s.conn.Receive(s.in[:])
	if err != nil || n == 0 {
		return 0
	}
	if s.check(n) {
		s.capture(n)
		s.accept(n)
	}
	for i := range s.in[:n] {
		s.in[i].Buffer.Release()
		s.in[i] = packet.Datagram{}
	}
	return n
}

// check verifies n packets, without a lock, and reports whether the Endpoint has to hear of them: of what it has not admitted,
// or a guard has not opened, it does not.
func (s *Core) check(n int) (some bool) {
	now, g := s.now(), s.config.Guard
	if g == nil {
		return s.admit(now, n)
	}
	for i := range s.in[:n] {
		d := &s.in[i]
		var sender socket.Sender
		d.Bytes, sender, s.checked[i] = g.Open(now, d.Bytes, d.From)
		d.Sender = packet.Sender(sender)
		some = some || s.checked[i]
	}
	return some
}

// admit is check without a guard.
func (s *Core) admit(now time.Duration, n int) (some bool) {
	if s.ep.Admit(now, s.in[:n], s.admitted[:]) {
		s.refused()
	}
	for i := range s.in[:n] {
		s.checked[i] = s.admitted[i] && s.ep.Checked(s.in[i].Bytes)
		some = some || s.admitted[i]
	}
	return some
}

// capture captures n packets that have been received, and opened.
func (s *Core) capture(n int) {
	c := s.config.Capture
	if c == nil {
		return
	}
	at := time.Now()
	for i := range s.in[:n] {
		if d := &s.in[i]; s.checked[i] || s.admitted[i] {
			c.Packet(at, true, d.From, s.local(d.To), d.Bytes)
		}
	}
}

// accept gives n packets to the Endpoint, and the time.
func (s *Core) accept(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	now := s.now()
	for i := range s.in[:n] {
		switch {
		case s.checked[i]:
			s.ep.Receive(now, &s.in[i])
		case s.admitted[i]:
			s.ep.Bad()
		}
	}
	if now >= time.Duration(s.due.Load()) { // and the packets have not stopped the timer
		s.ep.Expire(now)
	}
	s.flush(now)
}

// tooBig is told about packets that were larger than an MTU.
func (s *Core) tooBig(to netip.AddrPort, mtu int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		now := s.now()
		s.ep.TooBig(now, to, mtu)
		s.flush(now)
	}
}

// denied is told about packets that this host does not send.
func (s *Core) denied(to netip.AddrPort, why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		now := s.now()
		s.ep.Denied(now, to, why)
		s.flush(now)
	}
}

// unreachable is told about packets for which the host had no socket.
func (s *Core) unreachable(to netip.AddrPort, quoted []byte) {
	g := s.config.Guard
	if g != nil && !g.Quotes(quoted, to) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		now := s.now()
		if g != nil {
			s.ep.Refused(now, to)
		} else {
			s.ep.Unreachable(now, to, quoted)
		}
		s.flush(now)
	}
}
