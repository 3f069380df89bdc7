package sockettest

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// message is a user message as the users see it.
type message struct {
	Stream    socket.StreamID
	PPID      socket.PPID
	Unordered bool
	Body      []byte
}

// numbered returns message number i of n bytes, which no other message has.
func numbered(stream socket.StreamID, i, n int) message {
	return message{Stream: stream, PPID: socket.PPID(i), Body: body(uint64(stream)<<32|uint64(i), n)}
}

// body returns n bytes that depend on seed.
func body(seed uint64, n int) []byte {
	r := rand.NewPCG(seed, uint64(n))
	b := make([]byte, 0, n+8)
	for len(b) < n {
		b = binary.LittleEndian.AppendUint64(b, r.Uint64())
	}
	return b[:n:n]
}

func (m message) String() string {
	return fmt.Sprintf("stream %d, PPID %d, unordered %v, %d bytes %.16x…", m.Stream, m.PPID, m.Unordered, len(m.Body), m.Body)
}

// copied returns the message as Send copies it.
func (m message) copied() socket.Message {
	return socket.Message{Stream: m.Stream, PPID: m.PPID, Unordered: m.Unordered, Data: [][]byte{m.Body}}
}

// lent returns the message as Send borrows it: a copy, which is its own owner.
func (m message) lent() socket.Message {
	l := &loan{data: [][]byte{append([]byte(nil), m.Body...)}}
	return socket.Message{Stream: m.Stream, PPID: m.PPID, Unordered: m.Unordered, Data: l.data, ZeroCopy: true, Owner: l}
}

// loan is the owner of a lent message.
type loan struct{ data [][]byte }

// spoil overwrites what was lent, list and bytes.
func (l *loan) spoil() {
	for i, b := range l.data {
		for j := range b {
			b[j] ^= 0xff
		}
		l.data[i] = nil
	}
}

func copies(ms []message) []socket.Message {
	out := make([]socket.Message, len(ms))
	for i, m := range ms {
		out[i] = m.copied()
	}
	return out
}

func loans(ms []message) []socket.Message {
	out := make([]socket.Message, len(ms))
	for i, m := range ms {
		out[i] = m.lent()
	}
	return out
}

// series returns count messages of n bytes on one stream.
func series(stream socket.StreamID, count, n int) []message {
	ms := make([]message, count)
	for i := range ms {
		ms[i] = numbered(stream, i, n)
	}
	return ms
}
