package kernel

import "github.com/sctpmpi/sctpmpi/sctprpi/socket"

// crowdReason is why an association is aborted to make room for another.
const crowdReason = "too many associations whose peers are not known"

// full reports whether there are as many associations as allowed with peers that the user knows or
// has called.
func (e *endpoint) full() bool {
	return len(e.assocs)-e.unknown >= e.config.MaxAssociations
}

// await enters an association that a peer has begun among those whose peers are not known.
// If there are too many, one is to be aborted.
func (e *endpoint) await(a *association, peer socket.Addr) {
	if e.backlog == nil {
		return
	}
	a.unknown = true
	e.unknown++
	if victim := e.assocs[e.backlog.Add(a.id, peer)]; victim != nil {
		victim.abort = &socket.AbortError{Cause: userInitiated, Reason: crowdReason}
		victim.leaving, victim.left = true, true
		e.reader.refused = append(e.reader.refused, refusal{victim.id, crowdReason})
	}
}

// identified takes an association out of those whose peers are not known.
func (e *endpoint) identified(a *association) {
	if a.unknown {
		a.unknown = false
		e.unknown--
		e.backlog.Remove(a.id)
	}
}

// Authenticated implements socket.Authenticator. The receive buffer is the same before and
// after: Linux has one size for all associations of a socket.
func (e *endpoint) Authenticated(id socket.AssocID) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	a, err := e.get(id)
	if err != nil {
		return err
	}
	e.identified(a)
	return nil
}
