package pertrc

import (
	"errors"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

var errFinalized = errors.New("it has finalized")

// fail notes that a peer is gone: finalized, or dead. What needs it ends
// with a PeerError, and so does whatever needs it from now on. Messages that
// have arrived whole can still be received, and from a peer that is not dead
// those that are under way.
func (t *Transport) fail(p *peer, cause error, dead bool) {
	if p.failed != nil {
		return
	}
	p.failed, p.dead = &rpi.PeerError{Peer: p.rank, Cause: cause}, dead
	t.alive--
	for _, o := range p.out {
		t.attend(o)
	}
	for r := range t.requests.All() {
		if r.Peer == p.rank && r.Transport.Pending == nil {
			t.finish(r, p.failed)
		}
	}
	if dead {
		t.attendIncoming(p)
		for _, c := range p.controls {
			t.attend(c)
		}
	}
	t.attend(p) // behind its connections
	t.changed.Broadcast()
}

func (t *Transport) attendIncoming(p *peer) {
	for _, c := range p.in {
		t.attend(c)
	}
}

// connectionLost notes that a connection with a peer is broken. That it has
// ended may explain it; otherwise messages are lost, and it is as good as dead.
func (t *Transport) connectionLost(p *peer, cause error) {
	if p.doubt == nil {
		p.doubt = cause
	}
	t.attend(p)
}

func (p *peer) attend(t *Transport) {
	if p.doubt != nil && p.failed == nil {
		for _, c := range p.controls {
			t.listen(c)
		}
		t.fail(p, p.doubt, true)
	}
	if p.doubt != nil {
		t.attendIncoming(p)
		p.doubt = nil
	}
	if p.failed != nil {
		t.reap()
	}
}

// reap ends the receives and probes for which no message can come any more.
func (t *Transport) reap() {
	for rcv := range t.match.Receives() {
		r := rcv.Owner.(*rpi.Request)
		if err := t.unreachable(r.Context, r.Peer, r.Tag); err != nil && t.withdraw(r) {
			r.Complete(err)
		}
	}
	t.pairMatches()
	t.refuseLost()
	kept := t.probes[:0]
	for _, r := range t.probes {
		if err := t.unreachable(r.Context, r.Peer, r.Tag); err != nil {
			r.Complete(err)
		} else {
			kept = append(kept, r)
		}
	}
	clear(t.probes[len(kept):])
	t.probes = kept
}

// unreachable says why no message that a receive or probe wants can come any
// more.
func (t *Transport) unreachable(c matching.Context, source matching.Rank, tag matching.Tag) error {
	if source == t.self || t.state == killed {
		return nil
	}
	if source != matching.AnySource {
		p := &t.peers[source]
		if p.failed == nil || p.undecided(c, tag) {
			return nil
		}
		return p.failed
	}
	if t.alive == t.cfg.Size-1 || !t.groups.Deserted(c, t.self, len(t.peers), t.isGone) {
		return nil
	}
	for i := range t.peers {
		if t.peers[i].undecided(c, tag) {
			return nil
		}
	}
	return rpi.ErrDeserted
}

func (t *Transport) isGone(peer matching.Rank) bool { return t.peers[peer].failed != nil }

// undecided reports whether there is a connection from the peer that may still
// bring a message: one of which the next envelope has not been read, though
// its end has not either. (A message whose envelope was read has matched by
// now if it can: what it waits for is on a connection like that, or lost.)
func (p *peer) undecided(c matching.Context, tag matching.Tag) bool {
	if tag != matching.AnyTag {
		conn := p.in[keyOf(c, tag)]
		return conn != nil && conn.undecided()
	}
	for k, conn := range p.in {
		if k.covers(c, tag) && conn.undecided() {
			return true
		}
	}
	return false
}

func (c *incoming) undecided() bool { return c.hungry() || c.successor != nil }
