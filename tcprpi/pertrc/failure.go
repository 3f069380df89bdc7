package pertrc

import (
	"slices"
)

// fail notes that a peer is gone: finalized, or dead. What needs it ends
// with a PeerError, and so does whatever needs it from now on. Messages that
// have arrived whole can still be received, and from a peer that is not dead
// those that are under way.
func (t *Transport) fail(p *peer, cause error, dead bool) {
	if t.layer.Fail(p.Peer, cause, dead && !p.farewell) {
		t.followFailure(p)
	}
}

// followFailure ends what depends on a peer that has failed.
func (t *Transport) followFailure(p *peer) {
	for o := range p.outgoing() {
		t.attend(o)
	}
	if p.Dead {
		t.attendIncoming(p)
		for _, c := range p.controls {
			t.attend(c)
		}
	}
	t.attend(p) // behind its connections
	t.life.Changed()
}

func (t *Transport) attendIncoming(p *peer) {
	for c := range p.incoming() {
		t.attend(c)
	}
	for c := range p.spare.All() {
		t.attend(c)
	}
}

// controlLost is connectionLost for a control connection: a peer that counts as finalized and has not said farewell never will.
func (t *Transport) controlLost(p *peer, cause error) {
	if t.failed(p) != nil {
		t.fail(p, cause, true)
		return
	}
	t.connectionLost(p, cause)
}

// connectionLost notes that a connection with a peer has ended. That the peer has finalized may explain it. Otherwise messages are lost,
// and it is as good as dead. If this process did not run for long, the peer may live and have given it up, and may not have been able to
// say so: then it is asked.
func (t *Transport) connectionLost(p *peer, cause error) {
	if p.doubt == nil {
		p.doubt = cause
	}
	t.attend(p)
}

func (p *peer) attend(t *Transport) {
	if p.doubt != nil && t.failed(p) == nil && !p.inquiring {
		for _, c := range p.controls {
			t.listen(c)
		}
		switch {
		case t.failed(p) != nil || p.inquiring || t.life.Over:
		case slices.ContainsFunc(p.controls, func(c *control) bool { return c.reading }):
			return // another goroutine reads what the peer has said, and attends to this then
		case t.watch.Paused() == 0:
			t.fail(p, p.doubt, true)
		default:
			p.inquiring = true
			t.life.Go(func() { t.inquire(p) })
		}
	}
	if t.failed(p) != nil {
		if p.doubt != nil {
			t.attendIncoming(p)
			p.doubt = nil
		}
		t.layer.EndUnreachable()
	}
}

// inquire fails a peer with which a connection has ended, when it has been asked.
func (t *Transport) inquire(p *peer) {
	t.watch.Ask(p.Rank)
	t.lock.Lock()
	switch {
	case t.life.Over:
	case t.failed(p) == nil:
		t.fail(p, p.doubt, true)
	default: // it has said meanwhile that it was done
		t.missFarewell(p)
	}
	t.lock.Unlock()
}
