package kernel

import (
	"encoding/binary"
	"slices"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

const rcvUnordered = 1

// partialKey says which message of an association is being received: of the ordered
// ones of a stream there is one at a time, and so of the unordered ones.
type partialKey struct {
	stream    socket.StreamID
	unordered bool
}

// partial is a message of which some has been received.
type partial struct {
	partialKey
	ppid socket.PPID
	mid  uint32
	// whole is what there is of it, if it is to be delivered whole.
	whole *whole
}

// deliver makes an event of a piece of a message.
func (e *endpoint) deliver(a *association, r *record) {
	event := socket.Event{
		Kind: socket.Data, Stream: socket.StreamID(r.stream), PPID: hostOrder(r.ppid),
		Unordered: r.flags&rcvUnordered != 0, End: r.end, Payload: r.payload, Memory: r.memory,
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

// assemble adds a piece to a message that is to be delivered whole, and reports whether
// it is, by the event.
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

// breakOff heeds that a message will not go on. Without interleaving there is but one,
// and the kernel does not say of which stream.
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

// forgetPartials forgets messages in part: they will not go on.
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

// hostOrder and networkOrder turn the payload protocol identifier, which the kernel
// carries as it is given.
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
