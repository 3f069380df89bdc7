package rx

import "github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"

// Ready reports whether there is a Piece for Next to take.
func (r *Reassembly) Ready() bool { return r.ready.head != nil }

// StreamReady reports whether there is a Piece of that stream for NextOf to take.
func (r *Reassembly) StreamReady(id wire.StreamID) bool {
	s := r.streams.Get(id)
	return s != nil && !s.ready.empty()
}

// StreamHeld returns how many bytes of user data are held for a stream.
func (r *Reassembly) StreamHeld(id wire.StreamID) int {
	if s := r.streams.Get(id); s != nil {
		return s.bytes
	}
	return 0
}

// Next takes the next Piece of any stream that is not on hold, and returns false if
// there is none. The streams that have any take turns, piece by piece, or message by
// message if only whole messages are delivered.
func (r *Reassembly) Next() (Piece, bool) {
	s := r.ready.head
	if s == nil {
		return Piece{}, false
	}
	p := r.take(s)
	if !s.ready.empty() && (p.End || !r.config.Whole) {
		r.ready.head = s.succ // which puts s last
	}
	return p, true
}

// NextOf takes the next Piece of one stream, on hold or not, and returns false if there
// is none or no such stream.
func (r *Reassembly) NextOf(id wire.StreamID) (Piece, bool) {
	s := r.streams.Get(id)
	if s == nil || s.ready.empty() {
		return Piece{}, false
	}
	return r.take(s), true
}

func (r *Reassembly) take(s *stream) Piece {
	f := s.ready.pop()
	if s.ready.empty() {
		r.line(s).remove(s)
	}
	p := f.piece()
	r.held.remove(s, len(f.payload), r.overdrawn())
	if !f.aborted {
		r.credits(s, len(f.payload))
	}
	r.pool.putFragment(f)
	return p
}
