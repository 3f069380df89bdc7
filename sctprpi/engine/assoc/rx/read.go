package rx

import "github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"

// Ready reports whether there is a Piece to take.
func (r *Reassembly) Ready() bool { return r.ready.head != nil }

// StreamReady reports whether there is a Piece of that stream to take.
func (r *Reassembly) StreamReady(id wire.StreamID) bool {
	return int(id) < len(r.streams) && r.streams[id] != nil && !r.streams[id].ready.empty()
}

// StreamHeld returns how many bytes of user data are held for a stream.
func (r *Reassembly) StreamHeld(id wire.StreamID) int {
	if int(id) >= len(r.streams) || r.streams[id] == nil {
		return 0
	}
	return r.streams[id].bytes
}

// Next takes the next Piece of any stream, and returns false if there is none. The
// streams that have any take turns, piece by piece, or message by message if only
// whole messages are delivered.
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

// NextOf takes the next Piece of one stream, and returns false if there is none or
// no such stream.
func (r *Reassembly) NextOf(id wire.StreamID) (Piece, bool) {
	if !r.StreamReady(id) {
		return Piece{}, false
	}
	return r.take(r.streams[id]), true
}

func (r *Reassembly) take(s *stream) Piece {
	f := s.ready.pop()
	if s.ready.empty() {
		r.ready.remove(s)
	}
	p := f.piece()
	r.held.remove(s, len(f.payload), r.config.StreamLimit)
	r.pool.putFragment(f)
	return p
}
