package sctprpi

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// action is something to be done without the lock, in order with others. Most are calls of the
// socket. If a call fails the association has ended or is about to end; an event reports that.
type action struct {
	do     func(t *Transport, x *action)
	assoc  socket.AssocID
	reason string
	data   [][]byte // messages for the control stream
	last   bool     // the peer answers only with an acknowledgement
	peer   *peer
}

func abort(t *Transport, x *action)    { _ = t.socket.Abort(x.assoc, x.reason) }
func shutdown(t *Transport, x *action) { _ = t.socket.Shutdown(x.assoc) }

func sendControl(t *Transport, x *action) {
	messages := make([]socket.Message, len(x.data))
	for i := range messages {
		messages[i] = socket.Message{Stream: control, Data: x.data[i : i+1], Immediate: x.last}
	}
	_, _ = t.socket.Send(x.assoc, messages)
}

// authenticated tells the socket that the peer has proven to be of the job.
func authenticated(t *Transport, x *action) {
	if s, ok := t.socket.(socket.Authenticator); ok {
		_ = s.Authenticated(x.assoc)
	}
}

// release lets frames be sent to a peer that had to wait for earlier messages.
func release(t *Transport, x *action) {
	t.mu.Lock()
	defer t.mu.Unlock()
	x.peer.flushing = false
	t.layer.SetReady(x.peer.rank)
}

// sendControl sends a message of the handshake, in one packet with those that have not been sent
// yet. The lock is held.
func (t *Transport) sendControl(a *association, message []byte, last bool) {
	x := action{do: sendControl, assoc: a.id, last: last}
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

// decide makes a change under the locks that decisions about associations need, and then does the
// work that the change has left.
func (t *Transport) decide(change func()) {
	t.progress.Lock()
	defer t.progress.Unlock()
	t.mu.Lock()
	change()
	t.finishDeciding()
}

// finishDeciding does the same as Finish, and carries out the actions that the changes under the lock
// have left. Its caller holds the progress token, so that they are carried out in order.
func (t *Transport) finishDeciding() {
	for {
		b, actions := t.Work(), t.todo
		t.todo = nil
		t.mu.Unlock()
		for i := range actions {
			actions[i].do(t, &actions[i])
		}
		t.Do(b)
		if len(actions) == 0 {
			return
		}
		t.mu.Lock()
	}
}
