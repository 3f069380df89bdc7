package pertrc

import (
	"context"
	"errors"
	"net"
	"slices"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/trc"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/heartbeat"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// heartbeat is called at each tick of the transport's clock. It gives up peers that have been
// silent for too long, and tells the others on their control connections that this process lives.
// There no message that waits for its receive is in the way.
func (t *Transport) heartbeat() {
	for i := range t.peers {
		t.lock.Lock()
		if p := &t.peers[i]; p.control != nil && !p.Dead && !t.life.Over() {
			t.weighSilence(p)
			t.speak(p)
		}
		t.lock.Unlock()
	}
}

// weighSilence gives a peer up that is dead.
func (t *Transport) weighSilence(p *peer) {
	if t.failed(p) != nil {
		return // it has finalized
	}
	switch p.beat.Check(p.unread) {
	case heartbeat.Doubtful:
		t.life.Go(func() { t.ask(p) })
	case heartbeat.Dead:
		t.takeForDead(p, rpi.Silent(t.cfg.PeerTimeout), t.cfg.PeerTimeout)
	}
}

// Suspected implements rpi.Watchful.
func (t *Transport) Suspected() (suspected []matching.Rank) {
	t.lock.Lock()
	defer t.lock.Unlock()
	for i := range t.peers {
		if p := &t.peers[i]; !t.life.Over() && p.control != nil && !p.Dead && t.failed(p) == nil && p.beat.Suspected(p.unread) {
			suspected = append(suspected, p.Rank)
		}
	}
	return suspected
}

// ask asks a peer whether it lives.
func (t *Transport) ask(p *peer) {
	ctx, cancel := context.WithTimeout(t.life.Context, t.clock.AskTime())
	defer cancel()
	err := t.self.Witness(ctx, p.Rank, &t.meter)
	t.lock.Lock()
	p.beat.Answered(err == nil)
	if errors.Is(err, rpi.ErrGivenUp) && !t.life.Over() {
		t.fail(p, err, true)
	}
	t.lock.Unlock()
}

// testify answers a peer that asks whether this process lives.
func (t *Transport) testify(nc *net.TCPConn, visit *handshake.Visit) {
	t.lock.Lock()
	dead := t.peers[visit.From].Dead
	t.lock.Unlock()
	visit.Testify(nc, &t.meter, dead)
}

// unread reports whether the peer has said something that is not taken yet.
func (p *peer) unread() bool {
	return slices.ContainsFunc(p.controls, func(c *control) bool {
		return c.fd >= 0 && !c.ended && (c.reading || socket.Readable(c.fd))
	})
}

// speak has the peer hear something, unless it has heard something since the last
// beat.
func (t *Transport) speak(p *peer) {
	c := p.control
	switch {
	case !p.beat.Quiet() || p.Dead:
	case len(c.out) == 0 && len(p.outbox) == 0:
		t.layer.Tell(p.Peer, trc.Note{Kind: trc.Alive})
	default: // in rpi.Inline it leaves here if the program makes no call
		c.Writable()
		t.attend(c)
	}
}
