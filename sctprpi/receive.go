package sctprpi

import (
	"errors"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// eventBatch is how many events are taken from the socket at a time.
const eventBatch = 64

// inside is the transport as its driver sees it.
type inside struct{ *Transport }

// embedded is the transport over a socket whose protocol runs in this process.
type embedded struct{ inside }

// Tend implements driver.Protocol.
func (t embedded) Tend() error { return t.socket.Poll() }

// Rest implements driver.Network.
func (t inside) Rest(messages bool) (deadline time.Time, ready bool) { return t.socket.Rest(messages) }

// Resume implements driver.Network.
func (t inside) Resume() { t.socket.Resume() }

// Descriptor implements driver.Network.
func (t inside) Descriptor() int {
	if t.socket == nil {
		return -1
	}
	return t.socket.Descriptor()
}

// Release implements driver.Network.
func (t inside) Release() {
	t.mu.Lock()
	t.layer.Flush()
	t.Finish()
}

// Poll implements driver.Network: it takes what has happened to the socket.
func (t inside) Poll() (bool, error) {
	t.progress.Lock()
	defer t.progress.Unlock()
	n, err := t.socket.Receive(t.events[:])
	if n == 0 {
		return false, err
	}
	t.mu.Lock()
	for i := range t.events[:n] {
		t.handle(&t.events[i])
		t.events[i].Release()
		t.events[i] = socket.Event{}
	}
	t.finishDeciding()
	return true, nil
}

// handle takes in an event. The lock is held, but not while much is copied.
func (t *Transport) handle(e *socket.Event) {
	if e.Kind == socket.Released {
		t.released(e.Owner.(*zeroCopy), e.Outcome)
		return
	}
	a := t.assocs[e.Assoc]
	switch e.Kind {
	case socket.Data:
		if a == nil || a.stage == parting {
			return
		}
		if err := t.data(a, e); err != nil {
			t.violation(a, err)
		}
	case socket.Up:
		if a == nil {
			a = t.admit(e.Assoc)
		}
		t.up(a)
	case socket.Restarted:
		if a != nil && a.stage != parting {
			t.violation(a, errors.New("it has lost the association and made it anew: its process has been replaced"))
		}
	case socket.PeerShutdown:
		if a != nil {
			a.finished = true // once all that it has sent has been taken in
			t.changed.Broadcast()
		}
	case socket.Closed, socket.Aborted, socket.Lost:
		if a != nil {
			t.ended(a, e)
		}
	case socket.Writable:
		if a != nil && a.peer != nil && a.peer.assoc == a {
			t.writable(a.peer)
		}
	}
}

// data takes in a piece of a message.
func (t *Transport) data(a *association, e *socket.Event) error {
	// After its proof a peer may send frames, which may overtake its result on
	// ours, but on the result's own stream.
	if a.stage != framing && !(a.stage == awaitResult && e.Stream != control) {
		return t.handshake(a, e)
	}
	return t.frames(a, e)
}

// up learns what has been agreed on for an association.
func (t *Transport) up(a *association) {
	t.mu.Unlock()
	status, err := t.socket.Status(a.id)
	t.mu.Lock()
	if err != nil {
		return // it has ended already
	}
	a.streams, a.interleaves = newLayout(status.Outbound), status.Interleaving
	scheduler, ok := t.socket.(socket.StreamScheduler)
	if !ok || a.streams.bodies == 0 {
		return
	}
	t.mu.Unlock()
	defer t.mu.Lock()
	for n := range uint(a.streams.bodies) {
		// Without it bodies only have less room in the send buffer.
		_ = scheduler.SetStreamValue(a.id, a.streams.body(n), 1)
	}
}

// ended takes in that an association is no more.
func (t *Transport) ended(a *association, e *socket.Event) {
	delete(t.assocs, a.id)
	var abort *socket.AbortError
	if a.handshakeTimer != nil && errors.As(e.Err, &abort) && !abort.Remote {
		t.rejections.Add(1) // the socket has made room for others
	}
	t.stopHandshakeTimer(a)
	if p := a.peer; p != nil && p.assoc == a {
		if p.phase == connecting && temporary(e) {
			t.tryAgain(p, e.Err)
		} else {
			t.fail(p, t.cause(p, e))
			t.drop(p)
		}
	}
	a.stage, a.partial = parting, nil
	t.changed.Broadcast()
}

// cause says why the association with a peer has ended.
func (t *Transport) cause(p *peer, e *socket.Event) error {
	var abort *socket.AbortError
	switch {
	case e.Kind == socket.Closed || p.assoc.finished:
		return errFinalized // however the end of it went
	case p.phase == connecting:
		return t.unreachable(p, e.Err)
	case errors.Is(e.Err, socket.ErrPathMTU):
		return e.Err
	case errors.Is(e.Err, socket.ErrSilent):
		return rpi.Silent(t.cfg.PeerTimeout)
	case errors.As(e.Err, &abort) && abort.Silence():
		return rpi.GaveUp(t.cfg.PeerTimeout)
	case e.Kind == socket.Lost:
		return fmt.Errorf("it does not answer any more: %w", e.Err)
	}
	return fmt.Errorf("it ended the association without finalizing, it has ended or was killed: %w", e.Err)
}
