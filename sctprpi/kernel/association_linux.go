package kernel

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// maxReleases is how many Released events of an association may wait to be received.
const maxReleases = 4096

// association is the state that this package keeps for an association of the kernel.
type association struct {
	id socket.AssocID
	// open: it can be used, and has out and in streams. up: Up has been reported.
	open, up bool
	// started: everything that waited for the association to be open has been sent. Until then new
	// messages wait too, because a sender need not look for Writable before Up.
	started bool
	out, in int
	// peerUDP is the UDP port of the peer (RFC 6951), 0 if its packets are not encapsulated.
	peerUDP uint16
	// leaving: Shutdown was called. left: the kernel has been told. peerLeaving: the peer has shut
	// down. ended: the event that ends the association has been made.
	leaving, left, peerLeaving, ended bool
	// silent: the path with the latest news does not answer.
	silent bool
	// unauthenticated: the peer has begun the association, and the user has not authenticated it.
	unauthenticated bool
	// abort is how the user has aborted the association.
	abort *socket.AbortError
	// pulse tells whether the peer lives. silenced: it has been given up, as nothing was heard from it.
	pulse    pulse
	silenced bool

	// backlog waits to be sent, and backlogged counts its bytes. flushing: a goroutine sends it.
	// stalled: it is listed for another try. blocked: a Writable event is owed.
	backlog    []kept
	backlogged int
	flushing   bool
	stalled    bool
	blocked    bool
	// senders counts the goroutines that are sending. final is the event that ends the association.
	// It waits for them.
	senders int
	final   *socket.Event
	// owed are the owners of zero-copy messages that get a Released event when the association is
	// up. releases counts the Released events that wait to be received.
	owed     []any
	releases int

	// partials are messages that have been received in part. assembling counts the bytes of those
	// that are to be delivered whole. mid is the number of the last one.
	partials   []partial
	assembling int
	mid        uint32
	order      ordering

	// sent counts bytes given to the kernel, received counts bytes that the program has received,
	// and held counts bytes that wait to be received.
	sent, received uint64
	held           int
}

// usable returns why nothing can be sent, nil if it can.
func (a *association) usable() error {
	if a.ended {
		return socket.ErrAssoc
	}
	if a.leaving || a.peerLeaving {
		return socket.ErrShutdown
	}
	return nil
}

// forgo has nothing more sent, as the association is to be aborted.
func (a *association) forgo() {
	a.leaving, a.left = true, true
	a.backlog, a.backlogged = nil, 0
}

// full reports whether messages have to wait here or to be refused.
func (a *association) full() bool {
	return len(a.backlog) > 0 || a.flushing || a.releases >= maxReleases
}

// release reports to the owner of a zero-copy message that it has completed.
func (e *endpoint) release(a *association, owner any) {
	if !a.up {
		a.owed = append(a.owed, owner)
		return
	}
	a.releases++
	e.push(a, socket.Event{Kind: socket.Released, Owner: owner})
}

// unblock reports that there is room again, if a Writable event is owed.
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
	e.removeUnauthenticated(a)
	a.forgetPartials()
	for _, owner := range a.owed { // the association was never up
		e.push(a, socket.Event{Kind: socket.Released, Owner: owner, Outcome: socket.Unsent})
	}
	a.backlog, a.owed, a.backlogged = nil, nil, 0
	if a.senders > 0 {
		a.final = &event
		return
	}
	e.push(a, event)
}
