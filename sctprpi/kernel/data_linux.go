package kernel

import (
	"encoding/binary"
	"slices"

	"github.com/ishidawataru/sctp"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// partialKey identifies a message that is being received. Each stream of an association has at most
// one ordered and one unordered such message.
type partialKey struct {
	stream    socket.StreamID
	unordered bool
}

// partial is a message that has been received in part.
type partial struct {
	partialKey
	ppid socket.PPID
	mid  uint32
	// whole has what has arrived, if the message is to be delivered whole.
	whole *whole
}

// deliver makes an event of a piece of a message.
func (e *endpoint) deliver(a *association, r *record) {
	event := socket.Event{
		Kind: socket.Data, Stream: socket.StreamID(r.stream), PPID: hostOrder(r.ppid),
		Unordered: r.flags&sctp.SCTP_UNORDERED != 0, End: r.end, Payload: r.payload, Memory: r.memory,
	}
	key := partialKey{event.Stream, event.Unordered}
	i := slices.IndexFunc(a.partials, func(p partial) bool { return p.partialKey == key })
	if i < 0 {
		a.mid++
		event.MID, event.Begin = a.mid, true
		if r.end {
			e.push(a, event)
			return
		}
		a.partials = append(a.partials, partial{partialKey: key, ppid: event.PPID, mid: event.MID})
		i = len(a.partials) - 1
	}
	p := &a.partials[i]
	event.PPID, event.MID = p.ppid, p.mid
	if e.config.WholeMessages && !e.assemble(a, p, &event) {
		return
	}
	if event.End {
		a.partials = slices.Delete(a.partials, i, i+1)
	}
	e.push(a, event)
}

// assemble adds a piece to a message that is to be delivered whole. When the message is complete it
// makes event its event, and returns true.
func (e *endpoint) assemble(a *association, p *partial, event *socket.Event) bool {
	if p.whole == nil {
		p.whole = wholes.Get().(*whole)
	}
	p.whole.bytes = append(p.whole.bytes, event.Payload...)
	a.assembling += len(event.Payload)
	event.Release()
	switch {
	case event.End:
		a.assembling -= len(p.whole.bytes)
		event.Begin, event.Payload, event.Memory = true, p.whole.bytes, p.whole
		return true
	case a.assembling > e.config.ReceiveBuffer && a.abort == nil:
		a.abort = &socket.AbortError{Cause: userInitiated, Reason: "messages in part fill the receive buffer"}
		e.reader.refused = append(e.reader.refused, refusal{a.id, a.abort.Reason})
	}
	return false
}

// breakOff notes that a message will not go on. Without interleaving there is only one, and the
// kernel does not say of which stream it is.
func (e *endpoint) breakOff(a *association, key partialKey) {
	i := slices.IndexFunc(a.partials, func(p partial) bool { return p.partialKey == key })
	if i < 0 && len(a.partials) == 1 {
		i = 0
	}
	if i < 0 {
		return
	}
	p := a.partials[i]
	a.partials = slices.Delete(a.partials, i, i+1)
	if e.config.WholeMessages {
		a.forget(p)
		return
	}
	e.push(a, socket.Event{
		Kind: socket.Data, Stream: p.stream, PPID: p.ppid, MID: p.mid, Unordered: p.unordered, End: true, Broken: true,
	})
}

// forgetPartials drops the messages that have been received in part: they will not go on.
func (a *association) forgetPartials() {
	for _, p := range a.partials {
		a.forget(p)
	}
	a.partials = nil
}

func (a *association) forget(p partial) {
	if p.whole != nil {
		a.assembling -= len(p.whole.bytes)
		p.whole.Release()
	}
}

// hostOrder and networkOrder convert the payload protocol identifier. The kernel carries it
// unchanged.
func hostOrder(ppid uint32) socket.PPID {
	var b [4]byte
	binary.NativeEndian.PutUint32(b[:], ppid)
	return socket.PPID(binary.BigEndian.Uint32(b[:]))
}

func networkOrder(ppid socket.PPID) uint32 {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], uint32(ppid))
	return binary.NativeEndian.Uint32(b[:])
}
