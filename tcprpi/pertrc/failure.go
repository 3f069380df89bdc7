package pertrc

import "github.com/sctpmpi/sctpmpi/matching"

// fail notes that a peer is gone: finalized, or dead. What needs it ends
// with a PeerError, and so does whatever needs it from now on. Messages that
// have arrived whole can still be received, and from a peer that is not dead
// those that are under way.
func (t *Transport) fail(p *peer, cause error, dead bool) {
	if !t.layer.Fail(p.Peer, cause, dead && !p.farewell) {
		return
	}
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
	t.changed.Broadcast()
}

// GiveUp implements rpi.Transport.
func (t *Transport) GiveUp(peer matching.Rank, cause error) {
	t.mu.Lock()
	if t.state != killed {
		t.fail(&t.peers[peer], cause, true)
	}
	t.finish()
}

func (t *Transport) attendIncoming(p *peer) {
	for c := range p.incoming() {
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
	if p.doubt != nil && t.failed(p) == nil {
		for _, c := range p.controls {
			t.listen(c)
		}
		t.fail(p, p.doubt, true)
	}
	if p.doubt != nil {
		t.attendIncoming(p)
		p.doubt = nil
	}
	if t.failed(p) != nil {
		t.layer.EndUnreachable()
	}
}
