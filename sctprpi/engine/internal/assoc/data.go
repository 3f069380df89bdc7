package assoc

import (
	"errors"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/rx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// data handles a DATA chunk.
func (a *Association) data(from int, c wire.Chunk, buffer *packet.Buffer) {
	d, err := wire.ParseData(c)
	if !a.arrive(from, d.TSN, err) {
		return
	}
	var b *packet.Buffer
	d.Payload, b = a.keep(d.Payload, buffer)
	a.taken(from, d.TSN, d.Flags, d.Stream, b, a.in.Data(&d, b))
}

// idata handles an I-DATA chunk.
func (a *Association) idata(from int, c wire.Chunk, buffer *packet.Buffer) {
	d, err := wire.ParseIData(c)
	if !a.arrive(from, d.TSN, err) {
		return
	}
	var b *packet.Buffer
	d.Payload, b = a.keep(d.Payload, buffer)
	a.taken(from, d.TSN, d.Flags, d.Stream, b, a.in.IData(&d, b))
}

// arrive books the TSN of a DATA or I-DATA chunk, which has been parsed with that error, and
// reports whether it is to be looked at.
func (a *Association) arrive(from int, tsn wire.TSN, err error) bool {
	switch {
	case !a.state.takesData():
		return false
	case err != nil:
		a.failData(from, tsn, err)
		return false
	}
	a.ackPath = a.answerPath(from)
	if a.state == ShutdownSent {
		a.shutdown.due = true // section 9.2: with every packet that has data
	}
	verdict := a.tracker.Arrive(tsn)
	if verdict == rx.Duplicate {
		a.counted.duplicates++
	}
	if a.ecn.marked && verdict != rx.Beyond {
		a.noteMark(tsn)
	}
	return verdict == rx.Fresh
}

// keep returns a payload in memory that it may stay in, with a reference to that:
// the packet's, unless the payload is a small part of it.
func (a *Association) keep(payload []byte, buffer *packet.Buffer) ([]byte, *packet.Buffer) {
	if 2*len(payload) >= cap(buffer.Bytes) {
		buffer.Retain(1)
		return payload, buffer
	}
	b := a.host.Pool.Get(max(len(payload), 1))
	return b.Bytes[:copy(b.Bytes, payload)], b
}

// taken does what rx asks for after a chunk has been offered.
func (a *Association) taken(from int, tsn wire.TSN, flags wire.DataFlags, stream socket.StreamID, b *packet.Buffer, err error) {
	if err == nil {
		a.tracker.Accept(tsn, flags)
		a.counted.chunks++
		return
	}
	b.Release()
	switch {
	case errors.Is(err, rx.ErrNoRoom):
		a.tracker.Refuse()
	case errors.Is(err, rx.ErrStream):
		a.tracker.Accept(tsn, flags)
		a.report(from, wire.Causes(nil).AppendInvalidStream(stream))
	default:
		a.failData(from, tsn, err)
	}
}

// failData aborts the association because of a DATA or I-DATA chunk.
func (a *Association) failData(from int, tsn wire.TSN, err error) {
	if errors.Is(err, wire.ErrNoUserData) {
		a.abortWith(from, wire.Causes(nil).AppendNoUserData(tsn), &socket.AbortError{
			Cause: uint16(wire.CauseNoUserData), Reason: err.Error(),
		})
		return
	}
	a.fail(from, err)
}

// forwardTSN handles a FORWARD TSN chunk (RFC 3758).
func (a *Association) forwardTSN(from int, c wire.Chunk) {
	f, err := wire.ParseForwardTSN(c)
	a.forward(from, f.CumulativeTSN, err, func() error { return a.in.ForwardTSN(&f) })
}

// iforwardTSN handles an I-FORWARD TSN chunk (RFC 8260, section 2.3).
func (a *Association) iforwardTSN(from int, c wire.Chunk) {
	f, err := wire.ParseIForwardTSN(c)
	a.forward(from, f.CumulativeTSN, err, func() error { return a.in.IForwardTSN(&f) })
}

func (a *Association) forward(from int, tsn wire.TSN, err error, skip func() error) {
	if !a.state.takesData() || !a.terms.features.Has(featureForward) {
		return
	}
	a.ackPath = a.answerPath(from)
	moved := false
	if err == nil {
		moved, err = a.tracker.Forward(tsn)
	}
	if err == nil && moved {
		err = skip()
	}
	switch {
	case errors.Is(err, rx.ErrStream):
		a.report(from, wire.Causes(nil).AppendProtocolViolation(err.Error()))
	case err != nil:
		a.fail(from, err)
	}
}
