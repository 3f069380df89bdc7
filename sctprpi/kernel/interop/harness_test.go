//go:build !race && linux

package interop

import (
	"context"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// patience bounds a failing run and never decides a passing one.
const patience = 30 * time.Second

var loopback = netip.AddrFrom4([4]byte{127, 0, 0, 1})

// end is a socket with one association.
type end struct {
	t testing.TB
	socket.Socket
	id       socket.AssocID
	seen     map[socket.Kind]int
	messages []string // as text has them
}

func newEnd(t testing.TB, s socket.Socket) *end {
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return &end{t: t, Socket: s, seen: make(map[socket.Kind]int)}
}

// connect connects to an address.
func (e *end) connect(to socket.Addr) {
	e.t.Helper()
	id, err := e.Connect(to)
	require.NoError(e.t, err)
	e.id = id
}

// say sends a message.
func (e *end) say(stream int, text string) {
	e.t.Helper()
	_, err := e.Send(e.id, []socket.Message{{Stream: socket.StreamID(stream), Data: [][]byte{[]byte(text)}}})
	require.NoError(e.t, err)
}

// until receives until done.
func (e *end) until(what string, done func() bool) {
	e.t.Helper()
	ctx, cancel := context.WithTimeout(e.t.Context(), patience)
	defer cancel()
	events := make([]socket.Event, 16)
	for !done() {
		n, err := e.Receive(events)
		require.NoError(e.t, err)
		for i := range events[:n] {
			e.take(&events[i])
		}
		if n == 0 {
			require.NoError(e.t, e.Wait(ctx), "waiting for %s, after %v", what, e.seen)
		}
	}
}

// take books an event. A message comes in one piece, as all here are short.
func (e *end) take(event *socket.Event) {
	e.seen[event.Kind]++
	switch event.Kind {
	case socket.Up:
		e.id = event.Assoc
	case socket.Data:
		e.messages = append(e.messages, text(int(event.Stream), string(event.Payload)))
		event.Release()
	case socket.Lost, socket.Aborted:
		require.Fail(e.t, "association has ended", "%v: %v", event.Kind, event.Err)
	}
}

func text(stream int, body string) string { return fmt.Sprintf("%d: %s", stream, body) }

// untilSeen receives until there has been an event.
func (e *end) untilSeen(kind socket.Kind) {
	e.t.Helper()
	e.until(kind.String(), func() bool { return e.seen[kind] > 0 })
}

// converse has a message go each way.
func converse(a, b *end) {
	a.t.Helper()
	na, nb := len(a.messages), len(b.messages)
	a.say(1, "there")
	b.until("a message", func() bool { return len(b.messages) > nb })
	b.say(2, "back")
	a.until("an answer", func() bool { return len(a.messages) > na })
	require.Equal(a.t, text(1, "there"), b.messages[nb])
	require.Equal(a.t, text(2, "back"), a.messages[na])
}
