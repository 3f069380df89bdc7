package interoptest

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Message is a message of a stream.
type Message struct {
	Stream socket.StreamID
	PPID   socket.PPID
	Body   []byte
}

// NewMessage makes a message of a size in bytes, whose content tells it from most others.
func NewMessage(stream, size int) Message {
	const period = 251 // a prime number, so that no packet has the next one's bytes
	pattern := make([]byte, period)
	for i := range pattern {
		pattern[i] = byte(stream + size + i*i)
	}
	return Message{Stream: socket.StreamID(stream), Body: bytes.Repeat(pattern, size/period+1)[:size]}
}

// Converse has a message go each way.
func Converse(a, b *Peer) {
	a.t.Helper()
	there, back := NewMessage(1, 100), NewMessage(2, 200)
	na, nb := len(a.Messages), len(b.Messages)
	a.Queue(there)
	a.Until("room to send", a.Sent)
	b.UntilReceived(nb + 1)
	b.Queue(back)
	b.Until("room to send", b.Sent)
	a.UntilReceived(na + 1)
	require.Equal(a.t, there, b.Messages[nb])
	require.Equal(a.t, back, a.Messages[na])
}

// Exchange has messages go both ways at the same time. All arrive, those of a stream in
// their order.
func Exchange(t testing.TB, a, b *Peer, fromA, fromB []Message) {
	t.Helper()
	na, nb := len(a.Messages), len(b.Messages)
	a.Queue(fromA...)
	b.Queue(fromB...)
	arrival := func(p *Peer, n int) func() error {
		return func() error {
			return p.Await(fmt.Sprint(n, " messages"), func() bool { return p.Sent() && len(p.Messages) >= n })
		}
	}
	Together(t, arrival(a, na+len(fromB)), arrival(b, nb+len(fromA)))
	RequireSame(t, fromA, b.Messages[nb:])
	RequireSame(t, fromB, a.Messages[na:])
}

// RequireSame checks that what was sent, and no more, has been received in the order of
// each stream.
func RequireSame(t testing.TB, sent, received []Message) {
	t.Helper()
	require.Len(t, received, len(sent))
	byStream := make(map[socket.StreamID][]Message)
	for _, m := range sent {
		byStream[m.Stream] = append(byStream[m.Stream], m)
	}
	for i, m := range received {
		next := byStream[m.Stream]
		require.NotEmpty(t, next, "message %d, on stream %d, is one too many", i, m.Stream)
		require.True(t, bytes.Equal(next[0].Body, m.Body), "message %d, %d bytes on stream %d, is not the one of %d bytes that was sent",
			i, len(m.Body), m.Stream, len(next[0].Body))
		require.Equal(t, next[0].PPID, m.PPID, "message %d", i)
		byStream[m.Stream] = next[1:]
	}
}
