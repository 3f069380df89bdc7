package tx

import "github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"

// stream is an outbound stream: its messages that are not yet wholly cut into
// chunks, oldest first, and the numbers that the next ones get.
type stream struct {
	id         wire.StreamID
	head, tail *message

	ssn        wire.SSN
	orderedMID wire.MID
	freeMID    wire.MID // of unordered messages

	// queued counts the bytes not yet cut, outstanding those cut and not
	// acknowledged cumulatively.
	queued, outstanding int
	// messages counts those queued, in part or whole.
	messages int
	// credit is nil while the peer sets no limit.
	credit *credit

	// paused keeps the stream from starting another message.
	paused bool

	// value is the user's weight or priority; rank is the place among the
	// streams that have something to send, slot the index in their heap, or
	// -1; class is of those that it shares with by bytes, nil if it does not or
	// has not begun to, and finish its own virtual time there.
	value  uint16
	rank   rank
	slot   int
	class  *class
	finish uint64
}

func (s *stream) push(m *message) {
	if s.tail == nil {
		s.head = m
	} else {
		s.tail.next = m
	}
	s.tail = m
	s.queued += m.rest()
	s.messages++
}

func (s *stream) pop() *message {
	m := s.head
	s.head, m.next = m.next, nil
	if s.head == nil {
		s.tail = nil
	}
	s.queued -= m.rest()
	s.messages--
	return m
}

// started reports whether the oldest message is partly sent.
func (s *stream) started() bool { return s.head != nil && s.head.cut > 0 }

// ready reports whether the stream has something to send and is not paused.
func (s *stream) ready() bool { return s.head != nil && (!s.paused || s.started()) }

// number gives m, of which nothing has been sent, its place in the stream.
func (s *stream) number(m *message) {
	if m.Unordered {
		m.mid = s.freeMID
		s.freeMID++
		return
	}
	m.ssn, m.mid = s.ssn, s.orderedMID
	s.ssn++
	s.orderedMID++
}

// restart makes the numbers begin again, after a stream reset (RFC 6525).
func (s *stream) restart() { s.ssn, s.orderedMID, s.freeMID = 0, 0, 0 }
