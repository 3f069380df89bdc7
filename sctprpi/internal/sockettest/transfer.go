package sockettest

import (
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// sizes are message lengths around the limits of packets and buffers.
var sizes = []int{
	1, 2, 3, 4, 5, 100, 1199, 1200, 1400, 1452, 1453, 1500, 4096, 16_383,
	65_495, 65_507, 65_535, 65_536, 65_537, 300_000, 1 << 20,
}

// bySize returns a message of each size, spread over n streams.
func bySize(n int) []message {
	ms := make([]message, len(sizes))
	for i, size := range sizes {
		ms[i] = numbered(socket.StreamID(i%n), i, size)
	}
	return ms
}

var transferTests = []test{
	{rule: "messages of all sizes arrive intact", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		for _, m := range bySize(1) {
			a.mustSend(m.copied())
			b.untilReceived(1)
			b.requireReceived([]message{m})
			b.messages = nil
		}
	}},
	{rule: "messages go both ways at once, over many streams", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		var there, back []message
		for i := range 4 {
			there = append(there, bySize(100)...)
			for stream := range 64 {
				back = append(back, numbered(socket.StreamID(stream), i, 2000*(1+i)))
			}
		}
		s.exchange(a, b, copies(there), copies(back))
		b.requireReceived(there)
		a.requireReceived(back)
	}},
	{rule: "messages of a stream arrive in the order in which they were sent", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		var sent []message
		for i := range 2000 {
			sent = append(sent, numbered(socket.StreamID(i%7), i, []int{8, 3000, 70, 20_000}[i%4]))
		}
		s.exchange(a, b, copies(sent), nil)
		b.requireReceived(sent)
	}},
	{rule: "unordered messages arrive once each", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		var sent []message
		for i := range 600 {
			m := numbered(socket.StreamID(i%3), i, []int{8, 3000, 70, 90_000}[i%4])
			m.Unordered = i%2 == 0
			sent = append(sent, m)
		}
		s.exchange(a, b, copies(sent), nil)
		b.requireReceived(sent)
	}},
	{rule: "a message is the concatenation of its gather list", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		for i, n := range []int{1, 10, 5000, 200_000} {
			for _, lend := range []bool{false, true} {
				m := numbered(0, i, n)
				w := m.lent()
				w.ZeroCopy = lend
				w.Data = scatter(m.Body)
				a.mustSend(w)
				b.untilReceived(1)
				b.requireReceived([]message{m})
				b.messages = nil
			}
		}
		a.untilReleased()
	}},
	{rule: "payload protocol identifiers travel unchanged", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		for _, ppid := range []socket.PPID{0, 1, 0x01020304, 1 << 31, 1<<32 - 1} {
			m := numbered(1, 0, 50_000)
			m.PPID = ppid
			a.mustSend(m.copied())
			b.untilReceived(1)
			require.Equal(s, ppid, b.messages[0].PPID)
			b.messages = nil
		}
	}},
	{rule: "an immediate message arrives like any other", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		sent := series(0, 100, 700)
		ms := copies(sent)
		for i := range ms {
			ms[i].Immediate = i%3 == 0
		}
		s.exchange(a, b, ms, nil)
		b.requireReceived(sent)
	}},
	{rule: "an association works without calls at its sender", run: func(s *suite) {
		// The message takes many round trips; after Send there is no call
		// to the socket that sends it.
		a, b := s.pair(socket.Config{}, socket.Config{ReceiveBuffer: 128 << 10})
		m := numbered(0, 0, 3<<20)
		a.mustSend(m.copied())
		b.untilReceived(1)
		b.requireReceived([]message{m})
	}},
	{rule: "pieces are the same received one at a time or many", run: func(s *suite) {
		for _, n := range []int{1, 3, 1000} {
			x, y := s.open(socket.Config{}), s.open(socket.Config{})
			x.batch, y.batch = make([]socket.Event, n), make([]socket.Event, n)
			a, b := s.join(x, y)
			sent := bySize(5)
			s.exchange(a, b, loans(sent), copies(sent))
			a.requireReceived(sent)
			b.requireReceived(sent)
		}
	}},
}

// exchange sends messages each way at the same time and waits until all have
// been received and all that was lent has come back.
func (s *suite) exchange(a, b *assoc, there, back []socket.Message) {
	s.Helper()
	a.queue(there...)
	b.queue(back...)
	gotA, gotB := len(a.messages)+len(back), len(b.messages)+len(there)
	done := func(end *assoc, got int) func() error {
		return func() error {
			return end.await("the exchange", func() bool {
				return len(end.outbox) == 0 && len(end.lent) == 0 && len(end.messages) >= got
			})
		}
	}
	s.together(done(a, gotA), done(b, gotB))
}

// scatter cuts a body into pieces of growing length, with empty ones between.
func scatter(body []byte) [][]byte {
	list := [][]byte{nil}
	for n := 1; len(body) > 0; n = 3*n + 1 {
		n = min(n, len(body))
		list = append(list, slices.Clone(body[:n]), []byte{})
		body = body[n:]
	}
	return append(list, nil)
}
