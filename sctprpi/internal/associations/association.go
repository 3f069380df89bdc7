package associations

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/record"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// stage is where an association is in its handshake: what the peer says next.
type stage uint8

const (
	awaitHello stage = iota
	awaitProof
	awaitResult
	established // the handshake is over
	parting     // we have shut it down, or aborted it: nothing is taken any more
)

// association is what is known of an association of the socket.
type association struct {
	id socket.AssocID
	// peer is the rank at the other end, nil while the association is unauthenticated: its peer has
	// not proven its rank. An association that this process has begun has a peer before the proof.
	// So has an unauthenticated one from the address of a peer that this process wants to talk to.
	peer  *Peer
	stage stage
	// ours and theirs are the hellos that have been sent and received.
	ours, theirs *handshake.Hello
	// proof is under way in stage awaitProof. From then on cipher seals and opens all messages, unless it is nil.
	proof  *handshake.Proof
	cipher *record.Cipher
	// proven: the peer has shown that it knows the token.
	proven bool
	// finished: the peer has begun to shut the association down.
	finished bool
	// handshakeTimer aborts an association whose handshake takes too long, nil if it is over.
	// called: this process has begun the association.
	handshakeTimer *time.Timer
	called         bool

	// What has been agreed on: numbers of streams, and RFC 8260.
	outbound, inbound int
	interleaves       bool
}

// admit handles an association that a peer has begun.
func (m *Manager) admit(id socket.AssocID) *association {
	a := &association{id: id}
	m.assocs[id] = a
	m.startHandshakeTimer(a, m.cfg.ConnectTimeout)
	return a
}

// abort ends an association at once.
func (m *Manager) abort(a *association, reason string) {
	a.stage = parting
	m.todo = append(m.todo, action{do: abort, assoc: a.id, reason: reason})
}

// leave ends an association gracefully.
func (m *Manager) leave(a *association) {
	a.stage = parting
	m.todo = append(m.todo, action{do: shutdown, assoc: a.id})
}
