package rx

import "github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"

// Hold keeps Next from a stream, whose pieces only NextOf takes then, or lets it go,
// which puts it last in line. A stream may be on hold before anything has arrived for
// it, and remains so when it is reset. The error is ErrStream if it does not exist.
//
// What a stream on hold has counts towards the receive buffer like all else, so one
// that nobody reads can take all of it but for the chunk that another reader waits for
// (see Reassembly): Config.StreamLimit sees to it that the window closes before or, with
// Credit, that the peer stops that stream alone.
// If only whole messages are delivered, putting a stream on hold in the middle of one
// lets others come between its pieces.
func (r *Reassembly) Hold(id wire.StreamID, hold bool) error {
	if !r.streams.Has(id) {
		return ErrStream
	}
	r.setHold(r.streams.use(id), hold)
	return nil
}

func (r *Reassembly) setHold(s *stream, hold bool) {
	if s.onHold == hold {
		return
	}
	if s.ready.empty() {
		s.onHold = hold
		return
	}
	r.line(s).remove(s)
	s.onHold = hold
	r.line(s).pushBack(s)
}

// line returns the ring that a stream belongs in when it has something to deliver.
func (r *Reassembly) line(s *stream) *ring {
	if s.onHold {
		return &r.onHold
	}
	return &r.ready
}

// AppendReady appends to a list the streams that have a Piece to take: those of Next, in
// the order of their turns, and then those on hold. It takes time for these alone.
func (r *Reassembly) AppendReady(list []wire.StreamID) []wire.StreamID {
	for s := range r.ready.all() {
		list = append(list, s.id)
	}
	for s := range r.onHold.all() {
		list = append(list, s.id)
	}
	return list
}
