package endpoint

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/assoc"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// room reports whether there may be one more association of those whom the user knows, or
// wants to know.
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

// ended takes in that an association has ended. If the peer is not known and the user has
// not heard of it nothing is left: nobody may fill the memory with what is to be polled.
func (e *Endpoint) ended(en *entry) {
	e.unindex(en)
	if !en.unknown {
		return
	}
	e.backlog.Remove(en.ID())
	if !en.seen {
		en.Discard() // but for the ABORT chunk that it may have to send
		e.ready.remove(&en.ready)
		e.remove(en)
	}
}

// remove forgets an association that is dead.
func (e *Endpoint) remove(en *entry) {
	delete(e.byID, en.ID())
	e.keep(en)
}

// Authenticated takes in that the user knows the peer of an association.
func (e *Endpoint) Authenticated(id socket.AssocID) error {
	return e.with(id, func(a *assoc.Association) {
		e.keep(e.byID[id])
		a.Authenticated()
	})
}
