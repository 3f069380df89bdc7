package sctprpi

import (
	"context"
	"errors"
	"fmt"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// eventBatch is how many events are taken from the socket at a time.
const eventBatch = 64

// inside is the transport as those see it who move its messages.
type inside struct{ *Transport }

// Wait implements progress.Network.
func (t inside) Wait(ctx context.Context) error { return t.socket.Wait(ctx) }

// Block implements progress.Network. A context that cannot end says that it is a caller who
// waits: see engine.Socket.Wait.
func (t inside) Block() error { return t.socket.Wait(context.Background()) }

// Release implements progress.Network.
func (t inside) Release() {
	t.mu.Lock()
	t.layer.Agenda.Release()
	t.unlock()
}

// Wake implements progress.Network.
func (t inside) Wake() { t.socket.Wake() }

// Poll implements progress.Network: it takes what has happened to the socket.
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
	t.act()
	t.unlock()
	return true, nil
}

// handle takes in an event. The lock is held, but not while much is copied.
func (t *Transport) handle(e *socket.Event) {
	if e.Kind == socket.Released {
		t.released(e.Owner.(*loan), e.Outcome)
		return
	}
	a := t.assocs[e.Assoc]
	switch e.Kind {
	case socket.Data:
		if a == nil || a.stage == parting {
			return
		}
		if err := t.data(a, e); err != nil {
			t.breach(a, err)
		}
	case socket.Up:
		if a == nil {
			a = t.admit(e.Assoc)
		}
		t.up(a)
	case socket.Restarted:
		if a != nil && a.stage != parting {
			t.breach(a, errors.New("it has lost the association and made it anew: its process has been replaced"))
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
	// After its proof a peer may send frames, which may overtake its verdict on
	// ours, but on the verdict's own stream.
	if a.stage != framing && !(a.stage == awaitVerdict && e.Stream != control) {
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

// breach ends an association with somebody who does what no peer would. The lock is
// held, and the progress token.
func (t *Transport) breach(a *association, err error) {
	if !a.called && !a.proven {
		t.stranger(a, err)
		return
	}
	t.abort(a, err.Error())
	if p := a.peer; p != nil && p.assoc == a {
		t.fail(p, err)
	}
}

// ended takes in that an association is no more.
func (t *Transport) ended(a *association, e *socket.Event) {
	delete(t.assocs, a.id)
	var abort *socket.AbortError
	if a.silent != nil && errors.As(e.Err, &abort) && !abort.Remote {
		t.refusals.Add(1) // the socket has made room for others
	}
	t.known(a)
	if p := a.peer; p != nil && p.assoc == a {
		if p.phase == connecting && passing(e) {
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
