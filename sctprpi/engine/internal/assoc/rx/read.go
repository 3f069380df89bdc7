package rx

import "github.com/sctpmpi/sctpmpi/sctprpi/socket"

// Ready reports whether Next has a Data event.
func (r *Reassembly) Ready() bool { return !r.ready.Empty() }

// StreamReady reports whether NextOf has a Data event of that stream.
func (r *Reassembly) StreamReady(id socket.StreamID) bool {
	s := r.streams.Get(id)
	return s != nil && !s.ready.Empty()
}

// Next puts the payload of one chunk into a Data event, of any stream that is not on hold,
// and returns false if there is none. The streams that have any take turns, chunk by chunk,
// or message by message if only whole messages are delivered. An event's MID is that of an
// I-DATA chunk or the SSN of a DATA chunk, or, if that is unordered, the TSN of the message's
// first chunk.
func (r *Reassembly) Next(e *socket.Event) bool {
	s := r.ready.First()
	if s == nil {
		return false
	}
	r.take(s, e)
	if !s.ready.Empty() && (e.End || !r.config.Whole) {
		r.ready.Pop()
		r.ready.Push(s, &s.place)
	}
	return true
}

// NextOf is Next for one stream, on hold or not. It returns false if the stream has nothing
// to deliver or does not exist.
func (r *Reassembly) NextOf(id socket.StreamID, e *socket.Event) bool {
	s := r.streams.Get(id)
	if s == nil || s.ready.Empty() {
		return false
	}
	r.take(s, e)
	return true
}

func (r *Reassembly) take(s *stream, e *socket.Event) {
	f := s.ready.Pop()
	if s.ready.Empty() {
		r.line(s).Remove(&s.place)
	}
	f.event(e)
	r.held.change(s, -len(f.payload), -1)
	if r.config.Credit {
		r.receivedBy(s, f.charge)
	}
	r.free.putFragment(f)
}
