package kernel

import "github.com/sctpmpi/sctpmpi/sctprpi/socket"

// evictedReason is why an association is aborted to make room for another.
const evictedReason = "too many associations whose peers are not known"

// full reports whether there are as many associations as allowed with peers that the user knows or
// has called.
func (e *endpoint) full() bool {
	return len(e.assocs)-e.unauthenticated >= e.config.MaxAssociations
}

// addUnauthenticated enters an association that a peer has begun among the unauthenticated ones.
// If there are too many, one is evicted.
func (e *endpoint) addUnauthenticated(a *association, peer socket.Addr) {
	if e.backlog == nil {
		return
	}
	a.unauthenticated = true
	e.unauthenticated++
	if evicted := e.assocs[e.backlog.Add(a.id, peer)]; evicted != nil {
		evicted.abort = &socket.AbortError{Cause: userInitiated, Reason: evictedReason}
		evicted.leaving, evicted.left = true, true
		e.reader.refused = append(e.reader.refused, refusal{evicted.id, evictedReason})
	}
}

// removeUnauthenticated takes an association out of the unauthenticated ones.
func (e *endpoint) removeUnauthenticated(a *association) {
	if a.unauthenticated {
		a.unauthenticated = false
		e.unauthenticated--
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
	e.removeUnauthenticated(a)
	return nil
}
