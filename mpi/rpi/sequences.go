package rpi

import "github.com/sctpmpi/sctpmpi/matching"

// Sequences counts the messages to one peer, for each context apart. The zero Sequences has counted
// none.
type Sequences struct {
	next map[matching.Context]*matching.Seq
	// last is the entry that was used last, and lastIn its context: most often it is used next too.
	last   *matching.Seq
	lastIn matching.Context
}

// Next returns the sequence number of the next message in context c.
func (s *Sequences) Next(c matching.Context) matching.Seq {
	count := s.Count(c)
	n := *count
	*count = n + 1
	return n
}

// Count returns where the messages in context c are counted: the sequence number of the next one, which is for the caller to increase.
func (s *Sequences) Count(c matching.Context) *matching.Seq {
	if s.last == nil || s.lastIn != c {
		if s.next == nil {
			s.next = make(map[matching.Context]*matching.Seq)
		}
		n := s.next[c]
		if n == nil {
			n = new(matching.Seq)
			s.next[c] = n
		}
		s.last, s.lastIn = n, c
	}
	return s.last
}

// Forget drops the count of a context in which no message will be sent any more.
func (s *Sequences) Forget(c matching.Context) {
	delete(s.next, c)
	s.last = nil
}
