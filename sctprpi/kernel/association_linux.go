package kernel

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// maxReleases is how many Released events of an association may wait to be received.
const maxReleases = 4096

// association is what is known of an association beside the kernel.
type association struct {
	id socket.AssocID
	// open: it can be used, and has out and in streams. up: Up has been reported.
	open, up bool
	// started: all that has waited for it to be open has been sent. Until then what is
	// sent waits too, for a sender need not look for Writable before Up.
	started bool
	out, in int
	// peerUDP is the port that the peer takes packets in UDP at, 0 if it does not.
	peerUDP uint16
	// leaving: Shutdown was called, and left: the kernel knows. peerLeaving: the
	// peer has shut down. ended: the event that ends it has come.
	leaving, left, peerLeaving, ended bool
	// silent: the path of which there was news last does not answer.
	silent bool
	// unknown: the peer has begun it, and the user has not said that it is known.
	unknown bool
	// abort is how Abort was called.
	abort *socket.AbortError

	// backlog waits to be sent, backlogged counts its bytes. flushing: somebody
	// sends it; stalled: it is listed for another try. blocked: a Writable event
	// is owed.
	backlog    []kept
	backlogged int
	flushing   bool
	stalled    bool
	blocked    bool
	// senders counts who is sending; final is the event that ends it, which waits
	// for them.
	senders int
	final   *socket.Event
	// owed are owners of lent messages that are to have a Released event when the
	// association is up; releases counts those events that wait to be received.
	owed     []any
	releases int

	// partials are messages that are being received, assembling counts the bytes
	// of those that are to be delivered whole, and mid is the last one's number.
	partials   []partial
	assembling int
	mid        uint32
	order      ordering

	// sent bytes have been given to the kernel, received ones received; held ones
	// wait to be.
	sent, received uint64
	held           int
}

// usable returns why nothing can be sent, if so.
func (a *association) usable() error {
	if a.ended {
		return socket.ErrAssoc
	}
	if a.leaving || a.peerLeaving {
		return socket.ErrShutdown
	}
	return nil
}

// full reports whether messages have to wait here, or to be refused.
func (a *association) full() bool {
	return len(a.backlog) > 0 || a.flushing || a.releases >= maxReleases
}

// release tells the owner of a lent message that it is theirs again.
func (e *endpoint) release(a *association, owner any) {
	if !a.up {
		a.owed = append(a.owed, owner)
		return
	}
	a.releases++
	e.push(a, socket.Event{Kind: socket.Released, Owner: owner})
}

// unblock reports that there is room again, if somebody waits for that.
func (e *endpoint) unblock(a *association) {
	if a.blocked && a.up && !a.full() && a.usable() == nil {
		a.blocked = false
		e.push(a, socket.Event{Kind: socket.Writable})
	}
}

// end ends an association.
func (e *endpoint) end(a *association, event socket.Event) {
	e.letGo(a)
	a.ended = true
	delete(e.assocs, a.id)
	e.identified(a)
	a.forgetPartials()
	for _, owner := range a.owed { // never up
		e.push(a, socket.Event{Kind: socket.Released, Owner: owner, Outcome: socket.Unsent})
	}
	a.backlog, a.owed, a.backlogged = nil, nil, 0
	if a.senders > 0 {
		a.final = &event
		return
	}
	e.push(a, event)
}
