package sctprpi

import (
	"errors"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// stage is where an association is in its handshake: what the peer says next.
type stage uint8

const (
	awaitHello stage = iota
	awaitProof
	awaitVerdict
	framing // the handshake is over
	parting // we have shut it down, or aborted it: nothing is taken any more
)

// association is what is known of an association of the socket.
type association struct {
	id socket.AssocID
	// peer is who is at the other end, nil for a guest: one that has not proven
	// who it is. An association that we have begun has a peer before any proof, and so
	// has a guest whose address is that of a peer that we want to talk to.
	peer  *peer
	stage stage
	// ours and theirs are the hellos that have been sent and received.
	ours, theirs *hello
	// proven: the peer has shown that it knows the token.
	proven bool
	// finished: the peer has begun to shut the association down.
	finished bool
	// silent ends a guest that takes too long, nil if it is none. called: we have begun
	// the association.
	silent *time.Timer
	called bool

	streams     layout
	interleaves bool
	// partial holds the messages of which a part has arrived, by stream.
	partial map[socket.StreamID]*arrival
}

// admit takes in an association that a peer has begun. The lock is held.
func (t *Transport) admit(id socket.AssocID) *association {
	a := &association{id: id}
	t.assocs[id] = a
	t.limit(a, t.cfg.ConnectTimeout)
	return a
}

// limit has a guest turned away that has not proven who it is within a time. The lock is
// held.
func (t *Transport) limit(a *association, within time.Duration) {
	t.known(a)
	var timer *time.Timer
	timer = time.AfterFunc(within, func() {
		defer t.take()()
		if a.silent == timer {
			t.stranger(a, errSilent)
		}
	})
	a.silent = timer
}

// known takes in that a guest is one no more: it has proven who it is, or has been turned
// away. The lock is held.
func (t *Transport) known(a *association) {
	if a.silent != nil {
		a.silent.Stop()
		a.silent = nil
	}
}

// turnedAway is the reason that a stranger is given. One who gets it need not try again.
const turnedAway = "not known to be of this job"

// errSilent: a guest has taken too long.
var errSilent = errors.New("no handshake in time")

// stranger aborts a guest. If it was taken for a peer that we want to talk to, because it had
// the peer's address, the peer is looked for again. The lock is held.
func (t *Transport) stranger(a *association, why error) {
	t.known(a)
	t.refusals.Add(1)
	reason := turnedAway
	if errors.Is(why, errSilent) {
		reason = why.Error()
	}
	t.abort(a, reason)
	if p := a.peer; p != nil && p.assoc == a {
		t.tryAgain(p, why)
	}
}

// abort ends an association at once. The lock is held.
func (t *Transport) abort(a *association, reason string) {
	a.stage, a.partial = parting, nil
	t.todo = append(t.todo, action{do: abort, assoc: a.id, reason: reason})
}

// leave ends an association gracefully. The lock is held.
func (t *Transport) leave(a *association) {
	a.stage = parting
	t.todo = append(t.todo, action{do: shutdown, assoc: a.id})
}

// action is a call of the socket that is not urgent, to be made without the lock.
type action struct {
	do     func(s socket.Socket, x *action) error
	assoc  socket.AssocID
	reason string
	data   [][]byte // messages for the control stream
	last   bool     // the peer has nothing to answer them with but an acknowledgement
}

func abort(s socket.Socket, x *action) error    { return s.Abort(x.assoc, x.reason) }
func shutdown(s socket.Socket, x *action) error { return s.Shutdown(x.assoc) }

func say(s socket.Socket, x *action) error {
	messages := make([]socket.Message, len(x.data))
	for i := range messages {
		messages[i] = socket.Message{Stream: control, Data: x.data[i : i+1], Immediate: x.last}
	}
	_, err := s.Send(x.assoc, messages)
	return err
}

// authenticated tells the socket that the peer has proven who it is.
func authenticated(s socket.Socket, x *action) error {
	if s, ok := s.(socket.Authenticator); ok {
		return s.Authenticated(x.assoc)
	}
	return nil
}

// say sends a message of the handshake, in one packet with those that have not been sent
// yet. The lock is held.
func (t *Transport) say(a *association, message []byte, last bool) {
	x := action{do: say, assoc: a.id, last: last}
	for i := range t.todo {
		if y := &t.todo[i]; y.data != nil && y.assoc == a.id {
			x.data = y.data
			t.todo = slices.Delete(t.todo, i, i+1)
			break
		}
	}
	x.data = append(x.data, message)
	t.todo = append(t.todo, x)
}

// act makes the calls that are to be made, in order: its caller holds the progress
// token. If one fails the association has ended, or is about to, which an event
// tells. The lock is held, but not during a call.
func (t *Transport) act() {
	for len(t.todo) > 0 {
		x := t.todo[0]
		t.todo = slices.Delete(t.todo, 0, 1)
		t.mu.Unlock()
		_ = x.do(t.socket, &x)
		t.mu.Lock()
	}
}

// take gets the progress token and the lock for somebody who decides about
// associations, and returns what gives them back.
func (t *Transport) take() (release func()) {
	t.progress.Lock()
	t.mu.Lock()
	return func() {
		t.act()
		t.unlock()
		t.progress.Unlock()
	}
}
