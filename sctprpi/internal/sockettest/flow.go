package sockettest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

var flowTests = []test{
	{rule: "a receiver that does not read stops the sender", run: func(s *suite) {
		a, b := s.pair(narrow, narrow)
		const total, size = 1000, 8 << 10
		sent := series(0, total, size)
		a.queue(copies(sent)...)
		a.press()
		taken := (total - len(a.outbox)) * size
		// Buffers are counted in a way that each implementation is free in.
		assert.LessOrEqual(s, taken, 2*(narrow.SendBuffer+narrow.ReceiveBuffer)+256<<10)
		assert.GreaterOrEqual(s, taken, narrow.SendBuffer/2)
		require.NotEmpty(s, a.outbox)
		require.True(s, a.blocked)

		s.together(a.awaitSent, func() error { return b.awaitReceived(total) })
		b.requireReceived(sent)
	}},
	{rule: "a receiver that stops and goes on again loses nothing", run: func(s *suite) {
		a, b := s.pair(narrow, narrow)
		sent := series(0, 600, 5000)
		a.queue(loans(sent)...)
		for range 5 {
			a.press()
			n := len(b.messages)
			b.untilReceived(n + 1)
		}
		s.together(a.awaitSent, func() error { return b.awaitReceived(len(sent)) })
		b.requireReceived(sent)
	}},
	{rule: "one association that stands still does not stop another", run: func(s *suite) {
		x := s.open(narrow)
		a, b := s.join(x, s.open(narrow))
		c, d := s.join(x, s.open(narrow))
		stuck := series(0, 300, 8<<10)
		a.queue(copies(stuck)...)
		a.press()
		require.NotEmpty(s, a.outbox)

		moving := series(0, 500, 8<<10)
		s.exchange(c, d, copies(moving), copies(moving))
		d.requireReceived(moving)
		c.requireReceived(moving)

		s.together(a.awaitSent, func() error { return b.awaitReceived(len(stuck)) })
		b.requireReceived(stuck)
	}},
	{rule: "one direction that stands still does not stop the other", run: func(s *suite) {
		a, b := s.pair(narrow, narrow)
		stuck := series(0, 300, 8<<10)
		a.queue(copies(stuck)...)
		a.press()
		require.NotEmpty(s, a.outbox)

		// All that b does is to send.
		back := series(1, 10, 8<<10)
		b.mustSend(copies(back)...)
		a.untilReceived(len(back))
		a.requireReceived(back)
		require.Empty(s, b.messages)

		s.together(a.awaitSent, func() error { return b.awaitReceived(len(stuck)) })
		b.requireReceived(stuck)
	}},
	{rule: "tiny messages fill buffers too, and are not lost", run: func(s *suite) {
		a, b := s.pair(narrow, narrow)
		sent := series(0, 20_000, 1)
		a.queue(copies(sent)...)
		a.press()
		s.together(a.awaitSent, func() error { return b.awaitReceived(len(sent)) })
		b.requireReceived(sent)
	}},
	{rule: "an association with different buffers at its ends works", run: func(s *suite) {
		a, b := s.pair(socket.Config{SendBuffer: 8 << 20, ReceiveBuffer: 64 << 10}, socket.Config{SendBuffer: 64 << 10, ReceiveBuffer: 8 << 20})
		there, back := series(0, 20, 300_000), series(0, 200, 30_000)
		s.exchange(a, b, copies(there), copies(back))
		b.requireReceived(there)
		a.requireReceived(back)
	}},
}

// press sends what is queued until the association has taken no more for a while.
// The time tells how hard it tries, nothing else.
func (a *assoc) press() {
	a.e.s.Helper()
	for before := -1; before != len(a.outbox); {
		before = len(a.outbox)
		a.e.linger(50 * time.Millisecond)
	}
}
