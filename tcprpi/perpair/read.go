package perpair

import (
	"errors"
	"io"
	"syscall"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

const (
	// stagingSize is how many bytes are read at a time beside the body that is read in place.
	stagingSize = 64 << 10
	// readRounds is how often a connection is read before others have a turn.
	readRounds = 16
)

// receiver takes in the bytes from one peer.
type receiver struct {
	progression.Reader
	vec socket.Vector
}

// read reads what a connection has. It reports whether that was anything, and whether there may be
// more. toEnd: the peer's side is known to be closed, so that it reads up to the end of the stream
// or an error. The caller holds the progress token.
func (t *Transport) read(c *conn, toEnd bool) (some, more bool, err error) {
	r := &c.recv
	for range readRounds {
		place := r.Place()
		r.vec.Reset()
		r.vec.Add(place)
		r.vec.Add(t.staging)
		n, failed := c.stream.Read(&r.vec)
		if n > 0 {
			some = true
			direct := min(n, len(place))
			if err := t.take(c, direct, t.staging[:n-direct]); err != nil {
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

// take takes in what was read: so many bytes that are in their place, and those behind them.
func (t *Transport) take(c *conn, landed int, b []byte) error {
	t.Lock.Lock()
	defer t.Lock.Unlock()
	c.beat.Hear()
	before := c.recv.Messages
	if landed > 0 {
		t.Layer.Landed(&c.recv.Reader, landed)
	}
	err := t.Layer.Take(c.peer, &c.recv.Reader, b)
	t.meter.Received.Add(c.recv.Messages - before)
	return err
}
