package rx

// chunkCharge is what a chunk counts at least, on average, so that the receive
// buffer bounds memory for tiny chunks too: one that waits as a message of its own
// takes 200 bytes.
const chunkCharge = 256

// account counts what is held.
type account struct {
	bytes, chunks int
	// limit is beyond what bytes of a stream count twice, 0 for none. overdraft is by
	// how much streams are over it, in sum.
	limit, overdraft int
}

// charge is what of the receive buffer is taken when a chunk more is held.
func charge(bytes, chunks int) int { return max(bytes, chunkCharge*chunks) }

// change counts bytes and chunks more of a stream, or less.
func (a *account) change(s *stream, bytes, chunks int) {
	a.bytes += bytes
	a.chunks += chunks
	old := s.bytes
	s.bytes += bytes
	if a.limit > 0 {
		a.overdraft += max(s.bytes-a.limit, 0) - max(old-a.limit, 0)
	}
}

// Held returns how many bytes of user data are held: not yet delivered, or not yet
// deliverable.
func (r *Reassembly) Held() int { return r.held.bytes }

// Window returns the room left in the receive buffer, in bytes: the a_rwnd to advertise. It may
// shrink by more than the chunk that has arrived, to 0 at worst. It grows only by delivery and
// abandoning. The association prevents that it grows by small steps (silly window avoidance).
//
// A chunk that the peer has sent should never be refused: a standard peer takes it for lost, slows
// down all streams and, in the end, gives up. Nor can such a peer be told to pause one stream,
// unless it knows of Credit. So a stream that the program does not read is limited by means of the
// window: bytes over StreamLimit are subtracted twice. The window closes while there is memory for
// as many bytes again. These take what is in flight, and then the peer's window probes, which let
// other streams move on, if slowly.
func (r *Reassembly) Window() uint32 {
	return uint32(max(r.config.Buffer-charge(r.held.bytes, r.held.chunks)-r.held.overdraft, 0))
}

// admit says whether a chunk of a stream can be held. One that is deliverable at once
// finds room even in a full buffer if its reader has nothing else to read, or what is
// held for it could never be delivered. For that it must end a message when only whole
// ones are delivered: completes. If it does not, reading what is ready may help, and if
// nothing is, nothing will.
func (r *Reassembly) admit(s *stream, c *chunk, deliverable, completes bool) error {
	switch {
	case charge(r.held.bytes+len(c.payload), r.held.chunks+1) <= r.config.Buffer:
		return nil
	case !deliverable || !r.starved(s):
		return ErrNoRoom
	case !r.config.Whole || completes:
		return nil
	case !r.ready.Empty() || !r.onHold.Empty():
		return ErrNoRoom
	}
	return ErrTooLong
}

// starved reports whether the reader of a stream has nothing to read.
func (r *Reassembly) starved(s *stream) bool {
	if s.onHold {
		return s.ready.Empty()
	}
	return !r.Ready()
}
