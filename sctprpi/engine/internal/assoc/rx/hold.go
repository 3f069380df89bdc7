package rx

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/list"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Hold keeps Next from a stream, whose data only NextOf takes then, or lets it go,
// which puts it last in line. A stream may be on hold before anything has arrived for
// it. The error is ErrStream if it does not exist.
//
// What a stream on hold has counts towards the receive buffer like all else, so one
// that is not read can take all of it but for the chunk that another reader waits for
// (see Reassembly): Config.StreamLimit sees to it that the window closes before or, with
// Credit, that the peer stops that stream alone.
// If only whole messages are delivered, putting a stream on hold in the middle of one
// lets others come between its pieces.
func (r *Reassembly) Hold(id socket.StreamID, hold bool) error {
	s := r.streams.use(id)
	if s == nil {
		return ErrStream
	}
	r.setHold(s, hold)
	return nil
}

// LetGo lets all streams go. It takes time for those that have ever been used.
func (r *Reassembly) LetGo() {
	for s := range r.streams.Used() {
		r.setHold(s, false)
	}
}

// HoldAs puts the streams on hold that are on hold in another Reassembly of as many streams. It
// takes time for those that have ever been used there.
func (r *Reassembly) HoldAs(other *Reassembly) {
	for s := range other.streams.Used() {
		if s.onHold {
			r.setHold(r.streams.use(s.id), true)
		}
	}
}

func (r *Reassembly) setHold(s *stream, hold bool) {
	if s.onHold == hold {
		return
	}
	if s.ready.Empty() {
		s.onHold = hold
		return
	}
	r.line(s).Remove(&s.place)
	s.onHold = hold
	r.line(s).Push(s, &s.place)
}

// line returns the list that a stream belongs in when it has something to deliver.
func (r *Reassembly) line(s *stream) *list.List[stream] {
	if s.onHold {
		return &r.onHold
	}
	return &r.ready
}

// AppendReady appends the numbers of the streams that have something to deliver: those of Next, in
// the order of their turns, and then those on hold. It takes time for these alone.
func (r *Reassembly) AppendReady(ids []socket.StreamID) []socket.StreamID {
	for s := range r.ready.All() {
		ids = append(ids, s.id)
	}
	for s := range r.onHold.All() {
		ids = append(ids, s.id)
	}
	return ids
}
