package assoc

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/tx"
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
	return a.end.Kind != 0 && a.out == nil && a.early.messages == nil
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
	if a.in != nil && a.in.Next(e) {
		a.delivered(e)
		return true
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
func (a *Association) HasStream(id socket.StreamID) bool { return int(id) < a.terms.inbound }

// StreamReady reports whether PollStream has data.
func (a *Association) StreamReady(id socket.StreamID) bool {
	return a.in != nil && a.in.StreamReady(id)
}

// PollStream is Poll for the data of one stream.
func (a *Association) PollStream(e *socket.Event, id socket.StreamID) bool {
	if a.in == nil || !a.in.NextOf(id, e) {
		return false
	}
	a.delivered(e)
	return true
}

// Settle notes that the user comes for more events: it puts back none that it has. It reports whether there is a
// packet to send.
func (a *Association) Settle() bool {
	if a.in == nil {
		return false
	}
	a.in.Settle()
	return a.Drained()
}

// Settled reports whether Settle would do nothing.
func (a *Association) Settled() bool { return a.in == nil || a.in.Settled() }

// delivered completes a Data event of the Reassembly.
func (a *Association) delivered(e *socket.Event) {
	e.Assoc = a.id
	a.counted.bytes += uint64(len(e.Payload))
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
		a.release(r.Owner, r.Outcome)
	}
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
	a.setup, a.shutdown = nil, noShutdown
	if a.out != nil {
		a.out.Close()
	}
	a.releaseEarly()
	if a.in != nil {
		a.in.LetGo()
	}
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
