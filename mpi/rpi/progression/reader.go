package progression

import (
	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
)

// Reader takes in frames that come one after the other as bytes: over a connection, through a ring, or in one message of a transport.
// Its zero value is at the beginning of a frame. The transport's lock guards it.
type Reader struct {
	// Last: a Bye can come, as nothing that its sender has sent is behind it.
	Last bool
	// Messages counts what has arrived whole: short messages, and bodies of long ones or fragments of them.
	Messages uint64

	header         [header.Size]byte
	have           int // bytes of header
	sink           Sink
	length, landed int // bytes of the body, and of it those that have arrived
}

// Begun reports whether a frame has begun that is not whole.
func (r *Reader) Begun() bool { return r.have > 0 }

// Missing is how many bytes of the frame that has begun are known to be missing.
func (r *Reader) Missing() int { return len(r.header) - r.have + r.length - r.landed }

// Place is where the next bytes go, if they are those of a body and it is known where: a transport that can put them there without a copy
// does so, and calls Landed. Nil: there is no such place.
func (r *Reader) Place() []byte {
	if r.sink.Buf == nil {
		return nil
	}
	return r.sink.Buf[r.landed:]
}

// Landed notes that n bytes have been put to Place.
func (l *Layer) Landed(r *Reader, n int) {
	if r.landed += n; r.landed < r.length {
		return
	}
	r.Messages++
	l.Arrived(&r.sink)
	r.sink, r.have, r.length, r.landed = Sink{}, 0, 0, 0
}

// Take takes in bytes that have come from a peer. An error means that the peer broke the protocol: nothing more may be read from it, and
// Fail must be called. The lock is held, but not while much is copied.
func (l *Layer) Take(from matching.Rank, r *Reader, b []byte) error {
	for len(b) > 0 {
		if r.have < len(r.header) {
			n := copy(r.header[r.have:], b)
			b = b[n:]
			if r.have += n; r.have < len(r.header) {
				return nil
			}
			taken, err := l.begin(from, r, r.header[:], b, nil)
			if err != nil {
				return err
			}
			b = b[taken:]
			continue
		}
		n := min(len(b), r.length-r.landed)
		if place := r.Place(); place != nil { // otherwise the body is dropped
			l.lock.Copy(place, b[:n])
		}
		b = b[n:]
		l.Landed(r, n)
	}
	return nil
}

// TakeFrame is Take of a frame from its beginning, of the encoded header and two pieces that follow it.
func (l *Layer) TakeFrame(from matching.Rank, r *Reader, encoded *[header.Size]byte, body, rest []byte) error {
	r.have = header.Size
	taken, err := l.begin(from, r, encoded[:], body, rest)
	if err != nil || taken == len(body)+len(rest) {
		return err
	}
	first := min(taken, len(body))
	if err := l.Take(from, r, body[first:]); err != nil {
		return err
	}
	return l.Take(from, r, rest[taken-first:])
}

// begin handles the header of a frame, which has been read. body and rest are what has come behind it, of which it takes the first so many bytes.
func (l *Layer) begin(from matching.Rank, r *Reader, encoded, body, rest []byte) (taken int, err error) {
	h := &l.header
	if err := header.Parse(h, encoded); err != nil {
		return 0, violation(from, "%v", err)
	}
	if h.Kind == header.Bye && !r.Last {
		return 0, violation(from, "a frame of kind %v, which has no use here", h.Kind)
	}
	if l.deliver(from, h, body, rest) {
		r.have = 0
		r.Messages++
		return int(h.Length), nil
	}
	if r.sink, err = l.Arrive(from, h); err != nil {
		return 0, err
	}
	if r.sink.Pending() {
		r.length = int(r.sink.length)
		return 0, nil
	}
	if r.have = 0; h.Kind == header.Eager {
		r.Messages++
	}
	return 0, nil
}

// Lent is Take of a frame, by its header, whose body the transport fetches itself: it puts it to the sink, and calls Arrived. The lock is
// held.
func (l *Layer) Lent(from matching.Rank, encoded []byte) (Sink, error) {
	if err := header.Parse(&l.header, encoded); err != nil {
		return Sink{}, violation(from, "%v", err)
	}
	return l.Arrive(from, &l.header)
}
