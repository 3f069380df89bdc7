package rx

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"
)

// Reset makes the peer's messages on those streams, or on all if there are none,
// start at number 0 again (RFC 6525, section 5.2.2). The cumulative TSN must have
// reached the request's LastTSN, and what has a higher TSN must not have been
// offered: so all messages are complete, and what is not will never be and is given
// up. What is ready remains so, and what is on hold on hold. If a stream does not
// exist nothing is changed and the error is ErrStream.
func (r *Reassembly) Reset(streams wire.Numbers[wire.StreamID]) error {
	for id := range streams.All() {
		if !r.streams.Has(id) {
			return ErrStream
		}
	}
	if streams.Len() == 0 {
		for s := range r.streams.Used() {
			r.restart(s)
		}
	}
	for id := range streams.All() {
		r.restart(r.streams.use(id))
	}
	return nil
}

func (r *Reassembly) restart(s *stream) {
	for _, m := range s.ordered {
		r.abort(m)
	}
	for _, m := range s.unordered {
		r.abort(m)
	}
	r.partial -= len(s.unordered)
	s.ordered = cut(s.ordered, 0, len(s.ordered))
	s.unordered = cut(s.unordered, 0, len(s.unordered))
	s.next, s.floor = 0, 0
}

// AddStreams makes n streams more (RFC 6525, section 5.2.5). If that makes more
// than 65,535 nothing is changed and an error returned: the request is to be denied.
func (r *Reassembly) AddStreams(n int) error {
	if n < 0 || r.streams.Len()+n > maxStreams {
		return fmt.Errorf("rx: %d more than %d inbound streams, must be at most %d", n, r.streams.Len(), maxStreams)
	}
	r.streams.Extend(n)
	return nil
}

// Close releases all that is held.
func (r *Reassembly) Close() {
	for s := range r.streams.Used() {
		r.restart(s)
	}
	for len(r.loose.messages) > 0 {
		r.abortLoose(0)
	}
	for _, f := range r.loose.fragments {
		r.drop(f)
	}
	r.loose.fragments = nil
	for s := r.onHold.head; s != nil; s = r.onHold.head {
		r.setHold(s, false)
	}
	for p, ok := r.Next(); ok; p, ok = r.Next() {
		if p.Buffer != nil {
			p.Buffer.Release()
		}
	}
}
