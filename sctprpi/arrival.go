package sctprpi

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// arrival is a frame of which a part has arrived. A peer can have one for each stream.
type arrival struct {
	header [matching.EnvelopeSize]byte
	have   int // bytes of header
	sink   progression.Sink
	landed int // bytes of the body
	length int // of the body
}

// frames handles a piece of a message, which is one frame or several coalesced ones. The caller
// holds the lock. It is released while much is copied.
func (t *Transport) frames(p *peer, e *socket.Event) error {
	m := p.partial[e.Stream]
	switch {
	case e.Unordered || e.Broken:
		return fmt.Errorf("%w: a message unordered or given up", associations.ErrViolation)
	case e.Begin == (m != nil):
		return fmt.Errorf("%w: pieces of messages out of order", associations.ErrViolation)
	}
	if m == nil {
		m = t.pools.arrivals.Take()
	}
	for b := e.Payload; len(b) > 0; {
		var err error
		if b, err = t.piece(p, m, b); err != nil {
			return err
		}
	}
	switch {
	case !e.End && e.Begin:
		if p.partial == nil {
			p.partial = make(map[socket.StreamID]*arrival)
		}
		p.partial[e.Stream] = m
		return nil
	case !e.End:
		return nil
	case m.have > 0:
		return fmt.Errorf("%w: a frame ends after %d of %d bytes", associations.ErrViolation, m.have+m.landed, len(m.header)+m.length)
	}
	if !e.Begin {
		delete(p.partial, e.Stream)
	}
	t.pools.putArrival(m)
	return nil
}

// piece adds bytes to a frame, to its envelope or its body, and returns the bytes that are left.
func (t *Transport) piece(p *peer, m *arrival, b []byte) ([]byte, error) {
	if m.have < len(m.header) {
		n := copy(m.header[m.have:], b)
		if m.have += n; m.have < len(m.header) {
			return nil, nil
		}
		if err := t.arrive(p, m); err != nil {
			return nil, err
		}
		b = b[n:]
	}
	n := min(len(b), m.length-m.landed)
	if m.sink.Buf != nil { // otherwise the body is dropped
		progression.Land(&t.mu, m.sink.Buf[m.landed:], b[:n])
	}
	if m.landed += n; m.landed == m.length {
		if m.sink.Pending() {
			t.layer.Arrived(&m.sink)
		}
		*m = arrival{}
	}
	return b[n:], nil
}

// arrive handles the envelope of a frame.
func (t *Transport) arrive(p *peer, m *arrival) (err error) {
	if err = matching.ParseEnvelope(&t.env, m.header[:]); err != nil {
		return fmt.Errorf("%w: %w", associations.ErrViolation, err)
	}
	if t.env.Kind == matching.Bye {
		return fmt.Errorf("%w: a frame of kind %v, which this transport has no use for", associations.ErrViolation, t.env.Kind)
	}
	if m.sink, err = t.layer.Arrive(p.Rank, &t.env); err != nil {
		return err
	}
	if m.sink.Pending() {
		m.length = int(t.env.Length)
	}
	return nil
}
