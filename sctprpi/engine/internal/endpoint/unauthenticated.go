package endpoint

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// room reports whether there is room for one more association whose peer the user knows or has
// called.
func (e *Endpoint) room() bool { return len(e.byID)-e.unauthenticated < e.host.Config.MaxAssociations }

// addUnauthenticated enters an association that a peer has begun among the unauthenticated ones.
// If there are too many one is evicted.
func (e *Endpoint) addUnauthenticated(en *entry, from socket.Addr) {
	if e.backlog == nil {
		return
	}
	en.unauthenticated = true
	e.unauthenticated++
	e.index(en)
	if evicted := e.byID[e.backlog.Add(en.ID(), from)]; evicted != nil {
		evicted.Evict()
		e.touch(evicted)
	}
}

// authenticated notes that the user knows the peer of an association, or has called it.
func (e *Endpoint) authenticated(en *entry) {
	if en.unauthenticated {
		e.removeUnauthenticated(en)
		e.index(en)
	}
}

// removeUnauthenticated takes an association out of the unauthenticated ones.
func (e *Endpoint) removeUnauthenticated(en *entry) {
	if en.unauthenticated {
		en.unauthenticated = false
		e.unauthenticated--
		e.backlog.Remove(en.ID())
	}
}

// ended handles the end of an association. If the user has not authenticated the peer and has not
// been told of it, nothing is kept: events that wait to be polled must not fill the memory.
func (e *Endpoint) ended(en *entry) {
	e.unindex(en)
	e.attribute(en, 0)
	if !en.unauthenticated {
		return
	}
	e.backlog.Remove(en.ID())
	if !en.seen {
		en.Discard() // but for the ABORT chunk that it may have to send
		e.ready.Remove(&en.ready)
		e.remove(en)
	}
}

// remove forgets an association that is dead.
func (e *Endpoint) remove(en *entry) {
	delete(e.byID, en.ID())
	e.removeUnauthenticated(en)
}

// Authenticated notes that the user knows the peer of an association.
func (e *Endpoint) Authenticated(id socket.AssocID) error {
	return e.with(id, func(a *assoc.Association) {
		e.authenticated(e.byID[id])
		a.Authenticated()
	})
}
