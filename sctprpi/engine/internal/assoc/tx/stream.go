package tx

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/list"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// stream is an outbound stream: its messages that are not yet wholly cut into
// chunks, oldest first, and the numbers that the next ones get.
type stream struct {
	id     socket.StreamID
	unsent list.List[message]

	ssn        wire.SSN
	orderedMID wire.MID
	freeMID    wire.MID // of unordered messages

	// queued counts the bytes not yet cut into chunks, messages the messages
	// queued, in part or whole.
	queued   int
	messages int
	// lent is what of queued takes nothing of the send buffer.
	lent int
	// credit is nil while the peer sets no limit.
	credit *credit

	// value is the user's weight or priority. Streams that have something to send are in a heap, ordered by rank; slot is the
	// index in it, -1 if the stream is not there. Streams of one class share the association by bytes; class is nil if
	// the stream is in none. finish is the stream's virtual time in its class.
	value uint16
	// home, with Config.Multipath, is the path that the stream has last used, and 1; 0 if none.
	home   uint8
	rank   rank
	slot   int
	class  *class
	finish uint64
}

// head returns the oldest message, nil if there is none.
func (s *stream) head() *message { return s.unsent.First() }

func (s *stream) push(m *message) {
	s.unsent.Push(m, &m.link)
	s.queued += m.rest()
	if m.lent {
		s.lent += m.rest()
	}
	s.messages++
}

func (s *stream) pop() *message {
	m := s.unsent.Pop()
	s.sent(m, m.rest())
	s.messages--
	return m
}

// sent takes n bytes of a message out of what is queued.
func (s *stream) sent(m *message, n int) {
	s.queued -= n
	if m.lent {
		s.lent -= n
	}
}

// charge is what is queued takes of the send buffer.
func (s *stream) charge() int { return s.queued - s.lent + MessageCharge*s.messages }

// started reports whether the oldest message is partly sent.
func (s *stream) started() bool { return !s.unsent.Empty() && s.head().cut > 0 }

// rest returns how much of the oldest message has not been sent, anySize if there is none.
func (s *stream) rest() int {
	if s.unsent.Empty() {
		return anySize
	}
	return s.head().rest()
}

// number gives m, of which nothing has been sent, its place in the stream.
func (s *stream) number(m *message) {
	if m.unordered {
		m.mid = s.freeMID
		s.freeMID++
		return
	}
	m.ssn, m.mid = s.ssn, s.orderedMID
	s.ssn++
	s.orderedMID++
}
