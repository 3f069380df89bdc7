package operations

import (
	"fmt"
	"slices"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Revoke implements rpi.Transport. Receives and probes without a message end at once; what is under way with a peer ends as its
// protocol has it, since the peer counts on it, and is an error then. What is kept of it ends when the context is released: messages that
// come later are dropped then as those of any released context. So a program that revokes communicators for hours keeps no more than one
// that frees them, if it frees those too.
func (t *Table) Revoke(c matching.Context) {
	if t.revoked == nil {
		t.revoked = make(map[matching.Context]bool)
	}
	t.revoked[c] = true
	for rcv := range t.Match.Receives() {
		if rcv.Context == c && t.Match.Cancel(rcv) {
			r := rcv.Owner.(*rpi.Request)
			t.Finish(r, errRevoked(r))
		}
	}
	t.Probes = slices.DeleteFunc(t.Probes, func(r *rpi.Request) bool {
		if r.Context == c {
			r.Complete(errRevoked(r))
		}
		return r.Context == c
	})
	for r := range t.Requests.All() {
		if r.Context == c && !r.Transport.Owned {
			r.Transport.Revoked = true
		}
	}
	for m := range t.Match.MessagesIn(c) {
		t.sift(m)
	}
	t.PairMatches()
}

// Refused ends an operation that is started in a revoked context, and reports whether it has. One that takes a message which
// a matched probe has taken out goes on, as the message must go somewhere.
func (t *Table) Refused(r *rpi.Request) bool {
	if !t.revoked[r.Context] {
		return false
	}
	if r.Message != nil {
		r.Transport.Revoked = true
		return false
	}
	r.Complete(errRevoked(r))
	return true
}

func errRevoked(r *rpi.Request) error { return fmt.Errorf("%w: the %v", rpi.ErrRevoked, r.Op) }
