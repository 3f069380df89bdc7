package assoc

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/assoc/rx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/assoc/tx"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func (a *Association) notify(e socket.Event) {
	e.Assoc = a.id
	a.events.push(&a.host.notices, e)
}

func (a *Association) notifyPath(k socket.Kind, i int) {
	a.notify(socket.Event{Kind: k, Addr: a.addr(i)})
}

func (a *Association) addr(i int) socket.Addr {
	r := a.paths[i].remote
	return socket.Addr{IP: r.Addr(), Port: a.peerPort, UDP: r.Port()}
}

// Ready reports whether Poll has an event.
func (a *Association) Ready() bool {
	return !a.events.empty() || a.in != nil && a.in.Ready() || a.ended()
}

// ended reports whether all that is left is the last event. It waits for Collect,
// since messages are released before.
func (a *Association) ended() bool {
	return a.end.Kind != 0 && a.out == nil && a.early == nil
}

// Poll fills in the next event and reports whether there was one. After the event
// that ends the association, which Dead then says, nothing is left of it.
func (a *Association) Poll(e *socket.Event) bool {
	if !a.events.empty() {
		a.events.pop(&a.host.notices, e)
		if e.Kind == socket.Restarted {
			a.restarted = false
		}
		return true
	}
	if a.in != nil {
		if piece, ok := a.in.Next(); ok {
			a.deliver(e, &piece)
			return true
		}
	}
	if a.ended() {
		*e, a.end = a.end, socket.Event{}
		a.discardInput()
		return true
	}
	return false
}

// Dead reports whether the event that ends the association has been polled.
func (a *Association) Dead() bool { return a.state == Closed && a.end.Kind == 0 }

// HasStream reports whether there is an inbound stream of that number.
func (a *Association) HasStream(id socket.StreamID) bool { return int(id) < a.inbound }

// StreamReady reports whether PollStream has data.
func (a *Association) StreamReady(id socket.StreamID) bool {
	return a.in != nil && a.in.StreamReady(streamID(id))
}

// PollStream is Poll for the data of one stream.
func (a *Association) PollStream(e *socket.Event, id socket.StreamID) bool {
	if a.in == nil {
		return false
	}
	piece, ok := a.in.NextOf(streamID(id))
	if ok {
		a.deliver(e, &piece)
	}
	return ok
}

// deliver makes an event of a piece that has left the Reassembly.
func (a *Association) deliver(e *socket.Event, p *rx.Piece) {
	*e = socket.Event{
		Kind: socket.Data, Assoc: a.id,
		Stream: socket.StreamID(p.Stream), PPID: socket.PPID(p.PPID), MID: uint32(p.MID),
		Unordered: p.Unordered, Begin: p.Begin, End: p.End, Broken: p.Aborted,
		Payload: p.Payload,
	}
	if p.Buffer != nil {
		e.Memory = p.Buffer
	}
	a.counted.bytes += uint64(len(p.Payload))
}

// Collect turns what tx gives back into events. It must not be called while a batch
// is being sent, whose packets refer to the messages.
func (a *Association) Collect() {
	if a.out == nil {
		return
	}
	for _, out := range a.retired {
		a.collect(out)
	}
	a.retired = nil
	a.collect(a.out)
	if a.state == Closed {
		a.out = nil
	} else if a.out.Writable() {
		a.notify(socket.Event{Kind: socket.Writable})
	}
}

func (a *Association) collect(out *tx.Sender) {
	for r, ok := out.NextRelease(); ok; r, ok = out.NextRelease() {
		a.release(r.Owner, outcomes[r.Outcome])
	}
}

var outcomes = [...]socket.Outcome{
	tx.Acknowledged:   socket.Acknowledged,
	tx.Expired:        socket.Expired,
	tx.Unsent:         socket.Unsent,
	tx.Unacknowledged: socket.Unacknowledged,
}

// release gives a message back.
func (a *Association) release(owner any, outcome socket.Outcome) {
	if c, ok := owner.(*copied); ok {
		a.host.copies.put(c)
		return
	}
	a.notify(socket.Event{Kind: socket.Released, Owner: owner, Outcome: outcome})
}

// finish ends the association: e is its last event. The host's endpoint sees that
// the state is Closed and forgets its tags and addresses.
func (a *Association) finish(e socket.Event) {
	if a.state == Closed {
		return
	}
	e.Assoc = a.id
	a.state, a.end = Closed, e
	a.t1, a.t2, a.t5 = never, never, never
	a.setup, a.shutdownDue = nil, false
	if a.out != nil {
		a.out.Close()
	}
	for i := range a.early {
		a.release(a.early[i].Owner, socket.Unsent)
	}
	a.early, a.earlyBytes = nil, 0
	a.letGo()
	a.tracker = nil
	for i := range a.paths {
		a.paths[i].stop()
	}
}

// discardInput releases what can never be delivered.
func (a *Association) discardInput() {
	if a.in != nil {
		a.in.Close()
		a.in = nil
	}
}

// Discard gives up the association with all its events, for an endpoint that is
// closed.
func (a *Association) Discard() {
	a.finish(socket.Event{Kind: socket.Closed})
	a.Collect()
	var e socket.Event
	for a.Poll(&e) {
		e.Release()
	}
}
