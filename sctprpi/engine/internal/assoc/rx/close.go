package rx

import "github.com/sctpmpi/sctpmpi/sctprpi/socket"

// Close releases all that is held.
func (r *Reassembly) Close() {
	for s := range r.streams.Used() {
		r.abandon(s)
	}
	for len(r.unordered.messages) > 0 {
		r.abortUnorderedData(0)
	}
	for _, f := range r.unordered.fragments {
		r.drop(f)
	}
	r.unordered.fragments = nil
	for s := r.onHold.First(); s != nil; s = r.onHold.First() {
		r.setHold(s, false)
	}
	for e := (socket.Event{}); r.Next(&e); {
		e.Release()
	}
}

// abandon drops what is held of a stream's messages in part.
func (r *Reassembly) abandon(s *stream) {
	for _, m := range s.ordered {
		r.abort(m)
	}
	for _, m := range s.unordered {
		r.abort(m)
	}
	r.partial -= len(s.unordered)
	s.ordered = cut(s.ordered, 0, len(s.ordered))
	s.unordered = cut(s.unordered, 0, len(s.unordered))
}
