package endpoint

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// room reports whether there is room for one more association whose peer the user knows or has
// called.
func (e *Endpoint) room() bool { return len(e.byID)-e.unknown < e.host.Config.MaxAssociations }

// await enters an association that a peer has begun among those whose peers are not known.
// If there are too many one has to go.
func (e *Endpoint) await(en *entry, from socket.Addr) {
	if e.backlog == nil {
		return
	}
	en.unknown = true
	e.unknown++
	if victim := e.byID[e.backlog.Add(en.ID(), from)]; victim != nil {
		victim.TurnAway()
		e.touch(victim)
	}
}

// keep takes an association out of those whose peers are not known.
func (e *Endpoint) keep(en *entry) {
	if en.unknown {
		en.unknown = false
		e.unknown--
		e.backlog.Remove(en.ID())
	}
}

// ended handles the end of an association. If the user has not authenticated the peer and has not
// been told of it, nothing is kept: events that wait to be polled must not fill the memory.
func (e *Endpoint) ended(en *entry) {
	e.unindex(en)
	if !en.unknown {
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
	e.keep(en)
}

// Authenticated notes that the user knows the peer of an association.
func (e *Endpoint) Authenticated(id socket.AssocID) error {
	return e.with(id, func(a *assoc.Association) {
		e.keep(e.byID[id])
		a.Authenticated()
	})
}
