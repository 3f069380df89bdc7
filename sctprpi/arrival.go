package sctprpi

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// smallPiece is the longest piece of a body, in bytes, that is copied to its place
// under the lock rather than giving the lock up for it.
const smallPiece = 4 << 10

// arrival is a frame of which a part has arrived. A peer can have one for each stream.
type arrival struct {
	header [matching.EnvelopeSize]byte
	have   int // bytes of header
	sink   progression.Sink
	landed int // bytes of the body
	length int // of the body
	next   *arrival
}

// frame takes in a piece of a frame. The lock is held, but not while much is copied.
func (t *Transport) frame(a *association, e *socket.Event) error {
	m := a.partial[e.Stream]
	switch {
	case a.peer == nil || a.peer.assoc != a:
		return fmt.Errorf("%w: a frame on an association that is not the one to use", errBreach)
	case e.Unordered || e.Broken:
		return fmt.Errorf("%w: a message unordered or given up", errBreach)
	case e.Begin == (m != nil):
		return fmt.Errorf("%w: pieces of messages out of order", errBreach)
	}
	if m == nil {
		m = t.pools.arrival()
	}
	if err := t.piece(a, m, e.Payload); err != nil {
		return err
	}
	switch {
	case !e.End && e.Begin:
		if a.partial == nil {
			a.partial = make(map[socket.StreamID]*arrival)
		}
		a.partial[e.Stream] = m
		return nil
	case !e.End:
		return nil
	case m.have < len(m.header) || m.landed < m.length:
		return fmt.Errorf("%w: a frame ends after %d of %d bytes", errBreach, m.have+m.landed, len(m.header)+m.length)
	}
	if m.sink.Pending() {
		t.layer.Arrived(&m.sink)
	}
	if !e.Begin {
		delete(a.partial, e.Stream)
	}
	t.pools.putArrival(m)
	return nil
}

// piece takes in bytes of a frame: of its envelope, then of its body.
func (t *Transport) piece(a *association, m *arrival, b []byte) error {
	if m.have < len(m.header) {
		n := copy(m.header[m.have:], b)
		m.have += n
		b = b[n:]
		if m.have < len(m.header) {
			return nil
		}
		if err := t.arrive(a, m); err != nil {
			return err
		}
	}
	if len(b) > m.length-m.landed {
		return fmt.Errorf("%w: a frame is longer than the %d bytes that it says", errBreach, m.length)
	}
	if m.sink.Buf != nil { // else nobody wants it
		place := m.sink.Buf[m.landed:]
		if len(b) > smallPiece {
			t.unlock()
			copy(place, b)
			t.mu.Lock()
		} else {
			copy(place, b)
		}
	}
	m.landed += len(b)
	return nil
}

// arrive takes in the envelope of a frame.
func (t *Transport) arrive(a *association, m *arrival) (err error) {
	if err = matching.ParseEnvelope(&t.env, m.header[:]); err != nil {
		return fmt.Errorf("%w: %w", errBreach, err)
	}
	if t.env.Kind == matching.Bye {
		return fmt.Errorf("%w: a frame of kind %v, which this transport has no use for", errBreach, t.env.Kind)
	}
	if m.sink, err = t.layer.Arrive(a.peer.rank, &t.env); err != nil {
		return err
	}
	if m.sink.Pending() {
		m.length = int(t.env.Length)
	}
	return nil
}
