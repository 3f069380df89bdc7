package rx

import (
	"errors"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// PutBack takes a Data event back that has been read and not released, but for its first taken
// bytes, and puts its stream on hold. The rest comes first again, of the memory that it is in; it
// is the message's beginning only if taken is 0. If there is no rest the memory is released. The
// error is ErrStream if the stream does not exist, and ErrNotRead if the event cannot have been
// read, has been released or is shorter than taken; then nothing is changed.
//
// What is put back is held, and counts towards the receive buffer, which the reader can make larger
// than Config.Buffer by this. Of the stream's credit the charge of the whole chunk is taken back,
// unless the peer has been told of it, and given again when the rest is read. So the two ends agree
// on the sum.
func (r *Reassembly) PutBack(e *socket.Event, taken int) error {
	switch {
	case !r.streams.Has(e.Stream):
		return ErrStream
	case e.Kind != socket.Data || taken < 0 || taken > len(e.Payload) || len(e.Payload) == 0 && !e.Broken:
		return ErrNotRead
	}
	s := r.streams.use(e.Stream)
	r.setHold(s, true)
	if taken == len(e.Payload) && !e.Broken {
		e.Release()
		return nil
	}
	f := r.keep(s, &chunk{
		flags: flagsOf(e, taken == 0), mid: wire.MID(e.MID), ppid: e.PPID, payload: e.Payload[taken:], memory: e.Memory,
	})
	f.aborted = e.Broken
	if !e.Broken {
		f.charge = r.uncredit(s, wire.StreamCharge(len(e.Payload)))
	}
	e.Payload, e.Memory = nil, nil
	s.ready.PushFirst(f, &f.link)
	r.line(s).Push(s, &s.place)
	return nil
}

// ErrNotRead: see PutBack.
var ErrNotRead = errors.New("rx: the event has not been read, or has been released, or has fewer bytes")

// flagsOf returns the flags of the chunk of an event, or what is left of it.
func flagsOf(e *socket.Event, whole bool) (flags wire.DataFlags) {
	if e.Begin && whole {
		flags |= wire.FlagBegin
	}
	if e.End {
		flags |= wire.FlagEnd
	}
	if e.Unordered {
		flags |= wire.FlagUnordered
	}
	return flags
}
