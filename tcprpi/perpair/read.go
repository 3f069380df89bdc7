package perpair

import (
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

const (
	// stagingSize is how many bytes are read at a time beside the body that is read in place.
	stagingSize = 64 << 10
	// readRounds is how often a connection is read before others have a turn.
	readRounds = 16
)

// receiver is the position in the bytes from one peer.
type receiver struct {
	header [matching.EnvelopeSize]byte
	have   int // bytes of header
	env    matching.Envelope
	sink   progression.Sink
	landed int // bytes of sink.Buf filled
	busy   bool
	vec    socket.Vector
}

// read reads what a connection has. It reports whether that was anything, and whether there may be
// more. toEnd: the peer's side is known to be closed, so that it reads up to the end of the stream
// or an error. The caller holds the progress token.
func (t *Transport) read(c *conn, toEnd bool) (some, more bool, err error) {
	r := &c.recv
	for range readRounds {
		var place []byte
		if r.busy {
			place = r.sink.Buf[r.landed:]
		}
		r.vec.Reset()
		r.vec.Add(place)
		r.vec.Add(t.staging)
		n, failed := c.stream.Read(&r.vec)
		if n > 0 {
			some = true
			direct := min(n, len(place))
			r.landed += direct
			if err := t.take(c, t.staging[:n-direct]); err != nil {
				return some, false, err
			}
		}
		switch {
		case errors.Is(failed, syscall.EAGAIN):
			return some, false, nil
		case failed != nil:
			return some, false, failed
		case n == 0:
			return some, false, io.EOF
		}
		if n < len(place)+len(t.staging) && !toEnd {
			return some, false, nil
		}
	}
	return some, true, nil
}

// take handles the bytes that were read behind the body in progress.
func (t *Transport) take(c *conn, b []byte) error {
	t.mu.Lock()
	c.beat.Hear()
	err := t.parse(c, b)
	t.Finish()
	return err
}

// parse handles bytes of frames. The caller holds the lock. It is released while much is copied.
func (t *Transport) parse(c *conn, b []byte) error {
	r := &c.recv
	for {
		if r.busy {
			b = t.fill(r, b)
			if r.landed < len(r.sink.Buf) || r.sink.Discard > 0 {
				return nil
			}
			r.busy = false
			t.meter.Received.Add(1)
			t.layer.Arrived(&r.sink)
			r.sink = progression.Sink{}
		}
		n := copy(r.header[r.have:], b)
		r.have += n
		b = b[n:]
		if r.have < len(r.header) {
			return nil
		}
		r.have = 0
		if err := matching.ParseEnvelope(&r.env, r.header[:]); err != nil {
			return fmt.Errorf("it broke the protocol: %w", err)
		}
		var err error
		if r.sink, err = t.layer.Arrive(c.peer, &r.env); err != nil {
			return err
		}
		r.busy, r.landed = r.sink.Pending(), 0
		if !r.busy && r.env.Kind == matching.Eager {
			t.meter.Received.Add(1)
		}
	}
}

// fill copies bytes of b to the body in progress, and returns the rest. The lock is released while
// much is copied.
func (t *Transport) fill(r *receiver, b []byte) []byte {
	place := r.sink.Buf[r.landed:]
	n := min(len(place), len(b))
	progression.Land(&t.mu, place, b[:n])
	r.landed += n
	b = b[n:]
	skip := min(r.sink.Discard, uint64(len(b)))
	r.sink.Discard -= skip
	return b[skip:]
}
